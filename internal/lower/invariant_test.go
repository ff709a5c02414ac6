package lower

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// kept is a kernel like attention without its softmax: a tile of x, which the loop over the rows of y leaves as it is, is multiplied with each of their
// tiles, and the product with the tile again.
type kept struct {
	elem            dtype.Type
	m, n            int // rows of x and of y
	bm, bn, width   int
	threads, stages int
	producers       int
	persistent      int // the most programs, each of which takes several tiles of x; 0 for one of one
	consumers       int
	inFlight        int
	form            int  // how x is given to products
	twice, nested   bool // two such loops, one after the other; and one in a loop
	shared          int
	acrossX         bool // x is stored in columns
}

// The forms of the left operand.
const (
	asLoaded  = iota
	scaled    // before the loop
	renamed   // within
	allInLoop // loaded there: by all iterations alike, so not loop-invariant
	forms
)

func (c kept) kernel(t *testing.T) *tile.Func {
	return axistest.Build(t, "kept", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: c.threads, Stages: c.stages, Producers: c.producers, Consumers: c.consumers, InFlight: c.inFlight})
		x, y, out := k.In("x", c.elem, 2), k.In("y", c.elem, 2), k.Out("out", dtype.F32, 2)
		tiles := k.CDiv(out.Dim(0), c.bm)
		compute := func(row *tile.Value) {
			load := func() *tile.Value { return x.Block(c.bm, c.width).Load(row, 0) }
			before := load()
			if c.form == scaled {
				before = before.Mul(0.5)
			}
			acc := k.Var(k.Zeros(dtype.F32, c.bm, c.width))
			for range 1 + btoi(c.twice) {
				step := func(i *tile.Value) {
					left := before
					switch c.form {
					case renamed:
						left = before.Reshape(1, c.bm, c.width).Reshape(c.bm, c.width)
					case allInLoop:
						left = load()
					}
					b := y.Block(c.bn, c.width).Load(i, 0)
					s := tile.Dot(left, b.Transpose(), k.Zeros(dtype.F32, c.bm, c.bn), tile.Float32Accumulate)
					acc.Set(tile.Dot(s.Mul(1.0/64).Cast(c.elem), b, acc.Get(), tile.Float32Accumulate))
				}
				steps := func() {
					for i := range k.Range(k.CDiv(y.Dim(0), c.bn)) {
						step(i)
					}
				}
				if !c.nested {
					steps()
					continue
				}
				for range k.Range(2) {
					steps()
				}
			}
			out.Block(c.bm, c.width).Store(acc.Get(), row, 0)
		}
		if c.persistent == 0 {
			k.Grid(tiles)
			compute(k.ProgramID(0))
			return
		}
		k.Grid(tiles.Minimum(c.persistent))
		for row := range k.RangeStep(k.ProgramID(0), tiles, k.NumPrograms(0)) {
			compute(row)
		}
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c kept) lower(t *testing.T) lowering {
	var args []tensor
	var sizes []int
	for i, rows := range []int{c.m, c.n, c.m} {
		l, err := layout.Contiguous(rows, c.width)
		if i == 0 && c.acrossX {
			if l, err = layout.Contiguous(c.width, rows); err == nil {
				l = l.Transpose()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		args, sizes = append(args, tensor{l, i}), append(sizes, l.Len())
	}
	caps := lowertest.MatrixTarget("sm_90a", c.shared).WithCapability(target.Hopper)
	return cases(t, map[string]target.Caps{"hopper": caps}, c.kernel(t), sizes, args, false, 1e-2)[0]
}

// leftOperands counts products by where their left operand is: in an array that no loop around the product alone stores to, or in another, or in
// registers.
func leftOperands(b *simt.Block, loop *simt.Block, count map[string]int) {
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			inner := loop
			if op.Kind == simt.For || op.Kind == simt.While {
				inner = body
			}
			leftOperands(body, inner, count)
		}
		if op.Kind != simt.GroupMMA || loop == nil {
			continue
		}
		products, _ := op.Products()
		where := "registers"
		if left := products[0][0].Op; left != nil && left.Kind == simt.MatrixPlace {
			where = "invariant"
			simt.Walk(loop, func(inner *simt.Op) {
				if inner.Shared == left.Shared && inner.Kind != simt.MatrixPlace {
					where = "staged"
				}
			})
		}
		count[where]++
	}
}

// TestInvariant: loop-invariant left operands, as loaded or computed, are staged before them, with and without a thread that copies, in persistent
// kernels, for loops in loops and for several; what is computed is the same.
func TestInvariant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		of := func(name string, from ...int) int { return rapid.SampledFrom(from).Draw(r, name) }
		flag := func(name string) bool { return rapid.Bool().Draw(r, name) }
		c := kept{elem: rapid.SampledFrom([]dtype.Type{dtype.F16, dtype.BF16}).Draw(r, "elem"), bm: of("bm", 64, 64, 64, 128), bn: of("bn", 64, 64, 128), width: of("width", 64, 64, 64, 128),
			stages: of("stages", 1, 2, 3), producers: of("producers", 0, 1), persistent: of("persistent", 0, 1, 2), consumers: of("consumers", 0, 0, 2), inFlight: of("in flight", 0, 2),
			form: rapid.IntRange(0, forms-1).Draw(r, "form"), shared: 227 << 10, acrossX: flag("across")}
		loops := of("loops", 1, 1, 1, 2, 3)
		c.twice, c.nested = loops == 2, loops == 3
		c.threads = 2 * c.bm
		if c.bm == 128 && flag("two parts of rows") {
			c.threads = c.bm
		}
		c.m, c.n = rapid.IntRange(1, 2*c.bm).Draw(r, "m"), rapid.IntRange(0, 2*c.bn).Draw(r, "n")
		if flag("multiples of 8") {
			c.m = (c.m + 7) &^ 7
		}
		if c.consumers > 1 { // which alternate by tiles
			c.persistent, c.producers = max(c.persistent, 1), 1
		}
		l := c.lower(t)
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			r.Fatalf("%+v: %v\n%v\n%v", c, err, l.notes, l.kernel)
		}
		found := map[string]int{}
		leftOperands(l.kernel.Body, nil, found)
		if c.form != allInLoop && !c.acrossX && c.consumers == 0 && (found["invariant"] == 0 || found["invariant"]+found["staged"] != found["registers"]) { // the second product's left operand
			r.Fatalf("%+v: %v\n%v\n%v", c, found, l.notes, l.kernel)
		}
	})
}

// TestInvariantIsMinimal: without any one of its barriers, waits and copies, a kernel with a loop-invariant left operand fails.
func TestInvariantIsMinimal(t *testing.T) {
	t.Parallel()
	base := kept{elem: dtype.F16, m: 384, n: 200, bm: 128, bn: 64, width: 64, threads: 256, stages: 2, shared: 227 << 10}
	computed, producers := base, base
	computed.form, computed.elem = scaled, dtype.BF16
	producers.producers, producers.persistent = 1, 1
	overlapped := producers
	overlapped.inFlight = 2
	alternating := producers
	alternating.consumers, alternating.m = 2, 512
	for name, c := range map[string]kept{"plain": base, "computed": computed, "producers": producers, "overlapped": overlapped, "alternating": alternating} {
		t.Run(name, func(t *testing.T) {
			testenv.Sample(t)
			l := c.lower(t)
			if err := l.run(l.kernel); err != nil {
				t.Fatalf("%v\n%v", err, l.kernel)
			}
			found := map[string]int{}
			want := "map[invariant:1 registers:1]"
			if c.inFlight > 1 { // a product of the first iteration is before the loop over y, one of the last after it
				want = "map[invariant:1 registers:2 staged:1]"
			}
			if leftOperands(l.kernel.Body, nil, found); fmt.Sprint(found) != want {
				t.Fatalf("%v\n%v", found, l.kernel)
			}
			n := without(l.kernel.Body, func(op *simt.Op) {
				if l.run(l.kernel) == nil {
					t.Errorf("nothing changes without %v of line %s; what is left is\n%v", op.Kind, op.Line, l.kernel)
				}
			}, simt.TensorCopy, simt.Expect, simt.Arrive, simt.Wait, simt.GroupWait, simt.Barrier, simt.SharedStore, simt.CopyWait)
			t.Logf("%d ops", n)
		})
	}
}

// TestInvariantWithoutRoom: where they do not fit shared memory they stay in registers.
func TestInvariantWithoutRoom(t *testing.T) {
	for room, want := range map[int]string{32 << 10: "map[invariant:1 registers:1]", 28 << 10: "map[registers:2]"} {
		c := kept{elem: dtype.F16, m: 64, n: 300, bm: 64, bn: 64, width: 128, threads: 128, stages: 1, shared: room}
		l := c.lower(t)
		found := map[string]int{}
		if leftOperands(l.kernel.Body, nil, found); fmt.Sprint(found) != want {
			t.Errorf("%d bytes: %v, want %v\n%v", room, found, want, l.kernel)
		}
		if err := l.run(l.kernel); err != nil {
			t.Errorf("%d bytes: %v\n%v", room, err, l.kernel)
		}
	}
}
