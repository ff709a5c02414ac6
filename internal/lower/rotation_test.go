package lower

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// rotatedKernel is a kernel of rows, one at a time, of which cols elements are in a block; views are x, y and out.
type rotatedKernel struct {
	name string
	body func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int)
}

var rotatedKernels = []rotatedKernel{
	{"block", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		v := x.Block(1, cols).Fill(3).Load(at...)
		out.Block(1, cols).Store(v.Add(y.Block(1, cols).Load(at...)), at...)
	}},
	{"coordinates", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		v := x.Block(1, cols).Load(at...)
		i := x.Block(1, cols).Indices(1, at[1])
		out.Block(1, cols).Store(k.Where(i.Rem(3).Eq(1), v, i.Rem(7).Cast(x.Elem)), at...)
	}},
	{"weights", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		v := x.Block(1, cols).Load(at...)
		w := y.Block(1, cols).Fill(5).Load(0, at[1])
		out.Block(1, cols).Store(v.Mul(w), at...)
	}},
	{"loop", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		sums := k.Var(k.Zeros(dtype.F32, 1, cols))
		for i := range k.Range(k.CDiv(x.Dim(1), cols)) {
			sums.Set(sums.Get().Add(x.Block(1, cols).Load(at[0], i).Cast(dtype.F32)))
		}
		sum := sums.Get().Max(1)
		for i := range k.Range(k.CDiv(x.Dim(1), cols)) {
			v := x.Block(1, cols).Load(at[0], i).Cast(dtype.F32).Add(sum)
			out.Block(1, cols).Store(v.Cast(out.Elem), at[0], i)
		}
	}},
	{"fold", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		v := x.Block(1, cols).Load(at[0], 0).Cast(dtype.F32)
		rest := cols / 4
		w := x.Block(1, rest).Load(at[0], 4).Cast(dtype.F32)
		top := v.Reshape(1, 4, rest).Max(1).Reshape(1, rest).Maximum(w).Max(1)
		out.Block(1, cols).Store(v.Maximum(top).Cast(out.Elem), at[0], 0)
		out.Block(1, rest).Store(w.Maximum(top).Cast(out.Elem), at[0], 4)
	}},
}

// A row of sums over rows has elements of rows that begin in different ways, a scan has an order, and a block of several rows has one rotation for all.
var unrotatedKernels = []rotatedKernel{
	{"sums of rows", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		sums := k.Var(k.Zeros(dtype.F32, 1, cols))
		for i := range k.Range(x.Dim(0)) {
			sums.Set(sums.Get().Add(x.Block(1, cols).Load(i, at[1]).Cast(dtype.F32)))
		}
		out.Block(1, cols).Store(sums.Get().Cast(out.Elem), at...)
	}},
	{"scan", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		sums := tile.Scan([]*tile.Value{x.Block(1, cols).Load(at...)}, 1, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Maximum(y[0])} })
		out.Block(1, cols).Store(sums[0], at...)
	}},
	{"another row", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		v := x.Block(1, cols).Load(at...)
		next := y.Block(1, cols).Load(at[0].(*tile.Value).Add(1), at[1])
		out.Block(1, cols).Store(v.Maximum(next), at...)
	}},
	{"picked", func(k *tile.Builder, x, y, out *tile.View, at []tile.Operand, cols int) {
		v := x.Block(1, cols).Load(at...)
		i := x.Block(1, cols).Indices(1, at[1])
		out.Block(1, cols).Store(v.Maximum(y.At(at[0], i.Neg().Add(x.Dim(1).Sub(1))).Gather()), at...)
	}},
}

// Rows of which a block has one are in tiles that are rotated so that vectors are aligned in memory, and results are the same; nothing around rows is written.
func TestRotatedRows(t *testing.T) {
	const draws = 16
	rng := rand.New(rand.NewPCG(11, 4))
	targets := map[string]target.Caps{"cuda": lowertest.Targets["shuffles"], "wgsl": lowertest.Targets["few shuffles"],
		"spirv": {Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, F16: true, F16Nearest: true, Int64: true}}
	for i, c := range slices.Concat(rotatedKernels, unrotatedKernels) {
		rotated, ran := map[string]int{}, map[string]int{}
		for range draws {
			d := drawRotated(t, rng, c)
			for _, l := range cases(t, targets, d.kernel, d.sizes, d.args, rng.IntN(2) == 0, 1e-2) {
				ran[l.target]++
				if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
					t.Fatalf("%s, %s: %v\n%v", d.name, l.target, err, l.kernel)
				}
				if slices.ContainsFunc(l.notes, func(s string) bool { return strings.Contains(s, "rotated") }) {
					rotated[l.target]++
				}
			}
		}
		some := i < len(rotatedKernels)
		for name, want := range map[string]bool{"cuda": some, "spirv": some, "wgsl": false} {
			missing := want && rotated[name] == 0 && ran[name] == draws // a sample may have none that can be
			if missing || !want && rotated[name] > 0 {
				t.Errorf("%s: rotated %v of %v", c.name, rotated, ran)
			}
		}
	}
}

// drawnRotated is a kernel with its arguments.
type drawnRotated struct {
	name   string
	kernel *tile.Func
	sizes  []int
	args   []tensor
}

// drawRotated draws rows of any length that begin anywhere, those of out as the others or in another way.
func drawRotated(t *testing.T, rng *rand.Rand, c rotatedKernel) drawnRotated {
	elem, threads := []dtype.Type{dtype.F16, dtype.BF16, dtype.I16, dtype.U8}[rng.IntN(4)], 32<<rng.IntN(2)
	block := threads * (16 << rng.IntN(2)) / elem.Size() // one vector of 16 bytes for each thread, or two
	rows, cols, by := 1+rng.IntN(3), 1+rng.IntN(2*block+block/2), 0
	row := []int{1, block}
	switch c.name {
	case "fold":
		cols = block + rng.IntN(block/4+1)
		row[1] = 0
	case "loop":
		row[1] = 0
	case "sums of rows":
		rows, row[0] = rows+1, 0
	case "another row":
		rows++ // one row has no stride
	case "block":
		by = rng.IntN(3) - 1 // blocks beyond the view on either side
	}
	x := axistest.Strided(t, []int{rows, cols}, []int{cols + rng.IntN(9), 1}, rng.IntN(17))
	y, out := x, x
	if rng.IntN(3) == 0 && !slices.Contains([]string{"sums of rows", "another row"}, c.name) {
		out = axistest.Strided(t, []int{rows, cols}, []int{cols + rng.IntN(20), 1}, rng.IntN(17))
	}
	if c.name == "weights" {
		y = axistest.Strided(t, []int{1, cols}, []int{cols, 1}, 16*rng.IntN(2))
	}
	k := axistest.Build(t, "rotated", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		x, y, out := k.In("x", elem, 2), k.In("y", elem, 2), k.Out("out", elem, 2)
		at := k.ProgramTile(out, row...)
		if by != 0 {
			at[1] = at[1].(*tile.Value).Add(by)
		}
		c.body(k, x, y, out, at, block)
	})
	return drawnRotated{
		name:   fmt.Sprintf("%s %v %v to %v, blocks of %d by %d, %d threads", c.name, elem, x, out, block, by, threads),
		kernel: k, sizes: []int{reach(x), reach(y), reach(out)}, args: []tensor{{x, 0}, {y, 1}, {out, 2}},
	}
}
