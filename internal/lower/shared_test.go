package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// costCheck compares what accesses to shared memory say they cost with the wavefronts of
// the addresses that they reach.
type costCheck struct {
	seen map[*simt.Op]int
	err  error
}

func (c *costCheck) see(op *simt.Op, at []int) {
	if op.Kind == simt.SharedLoad && op.Cost == 0 { // not known: by addresses that depend on where the view lies
		return
	}
	if c.seen == nil {
		c.seen = map[*simt.Op]int{}
	}
	c.seen[op]++
	if n := c.seen[op]; n&(n-1) != 0 || c.err != nil { // executions 1, 2, 4, ..: iterations of loops differ little
		return
	}
	if got := countWavefronts(op, at); got != op.Cost {
		c.err = fmt.Errorf("%v of %s at %s costs %d wavefronts, said to cost %d", op.Kind, op.Shared.Name, op.Line, got, op.Cost)
	}
}

// countWavefronts counts by addresses, warp by warp.
func countWavefronts(op *simt.Op, at []int) (n int) {
	value := op.Result()
	if value == nil {
		value = op.Args[1]
	}
	if op.Kind == simt.MatrixPlace { // which accesses nothing by itself
		return 0
	}
	bytes := value.Type.Width * op.Shared.Elem.Size()
	switch {
	case op.Kind == simt.LoadMatrix || op.Kind == simt.StoreMatrix:
		bytes = 16
	case op.Kind == simt.CopyAsync:
		bytes = op.Index * op.Shared.Elem.Size()
	case op.Words:
		bytes = 4 * value.Type.Width
	}
	pieces := max(1, bytes/16)
	for threads := range slices.Chunk(at, 32) {
		addresses := make([]int, len(threads))
		for i, x := range threads {
			addresses[i] = -1
			if x >= 0 {
				addresses[i] = x * op.Shared.Elem.Size()
			}
		}
		w, err := layout.Wavefronts(addresses, bytes/pieces)
		if err != nil {
			panic(err)
		}
		n += pieces * w
	}
	return n
}

// anyDistribution draws a distribution of [32,64] over 128 threads: a permutation
// of the bits of an element's coordinates, some of them joined with others.
func anyDistribution(t *rapid.T, name string) layout.Linear {
	bases := [][]int{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}
	bases = rapid.Permutation(bases).Draw(t, name)
	for range rapid.IntRange(0, 3).Draw(t, "joins") {
		i, j := rapid.IntRange(0, 10).Draw(t, "i"), rapid.IntRange(0, 10).Draw(t, "j")
		if i != j {
			bases[i] = []int{bases[i][0] ^ bases[j][0], bases[i][1] ^ bases[j][1]}
		}
	}
	l, err := layout.NewLinear([]int{32, 64}, []layout.Input{{Name: layout.Register, Bases: bases[:4]}, {Name: layout.Thread, Bases: bases[4:]}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Whatever two distributions are, elements arrive by way of shared memory, without
// conflicts of banks, and the addresses cost what was said.
func TestExchangesCostWhatTheySay(t *testing.T) {
	k := axistest.Build(t, "exchange", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128})
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(32, 64).Store(x.Block(32, 64).Load(0, 0), 0, 0)
	})
	rows := layout.Blocked([]int{32, 64}, 128, []int{1, 0}, []int{1, 4})
	wide, narrow := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		caps := targets["shuffles"]
		if rapid.Bool().Draw(rt, "wgsl") {
			caps = targets["shared memory"]
		}
		from, to := anyDistribution(rt, "from"), anyDistribution(rt, "to")
		l := newLowerer(k, axis.Generic(k), caps, threadsOf(k, caps), thrift{})
		l.declare()
		load, store := k.Body.Ops[2], k.Body.Ops[3]
		for _, op := range k.Body.Ops {
			l.op = op
			switch op.Kind {
			case tile.OpLoad:
				load = op
			case tile.OpStore:
				store = op
			default:
				l.lowerOp(op)
			}
		}
		l.op = load
		l.lowerOp(load)
		elem := rapid.SampledFrom([]dtype.Type{dtype.F32, dtype.F16}).Draw(rt, "elem") // which hold all the numbers of the tile
		r := l.redistribute(l.in(load.Result(), rows), from, elem)
		r = l.redistribute(r, to, elem)
		l.tiles[load.Result()], l.copies[load.Result()] = l.redistribute(r, l.tiles[load.Result()].dist, elem), nil
		l.op = store
		l.lowerOp(store)
		result := &simtpass.Context{Kernel: l.b.Func, Stages: 1, Caps: caps}
		if err := simtpass.Run(result); err != nil {
			rt.Fatal(err)
		}
		simt.Walk(result.Kernel.Body, func(op *simt.Op) {
			switch {
			case op.Kind == simt.SharedLoad && op.Result().Type.Width > 1:
				wide++
			case op.Kind == simt.SharedLoad:
				narrow++
			}
		})
		costs := costCheck{}
		if err := copyError(result.Kernel, 32, 64, costs.see); err != nil {
			rt.Fatalf("%v\n%v", err, result.Kernel)
		}
		if costs.err != nil {
			rt.Fatalf("%v\n%v", costs.err, result.Kernel)
		}
	})
	if !testenv.Sampling() && (wide == 0 || narrow == 0) {
		t.Errorf("%d wide loads, %d narrow ones", wide, narrow)
	}
}

// stagedBytes lowers a product for a device with some shared memory.
func stagedBytes(t *testing.T, room int) *Result {
	t.Helper()
	k := axistest.Build(t, "dot", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 256})
		a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
		acc := k.Var(k.Zeros(dtype.F32, 64, 64))
		for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
			acc.Set(tile.Dot(a.Block(64, 16).Load(0, i), b.Block(16, 64).Load(i, 0), acc.Get(), tile.IEEE))
		}
		out.Block(64, 64).Store(acc.Get(), 0, 0)
	})
	l := axistest.Strided(t, []int{64, 64}, []int{64, 1}, 0)
	r, err := Lower(k, axis.FactsOf([]layout.Layout{l, l, l}, []int{0, 1, 2}), target.Caps{Language: target.CUDA, MaxThreads: 1024, SharedBytes: room, SubgroupSize: 32})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Operands are stored and loaded without conflicts; where there is no room between
// rows, they are staged all the same, with few.
func TestStaging(t *testing.T) {
	cost := func(r *Result, name string) (total int) {
		simt.Walk(r.Kernel.Body, func(op *simt.Op) {
			if op.Shared != nil && op.Shared.Name == name && op.Kind == simt.SharedStore {
				total += op.Cost
			}
		})
		return total
	}
	apart, dense := stagedBytes(t, 48<<10), stagedBytes(t, 8<<10)
	if n := cost(apart, "tile_a"); n != 32 { // 4 KiB in pieces of 128 bytes
		t.Errorf("stores of a take %d wavefronts, want 32:\n%s", n, strings.Join(apart.Notes, "\n"))
	}
	if n := dense.Kernel.SharedBytes(); n != 8<<10 {
		t.Errorf("dense operands take %d bytes", n)
	}
	if n := cost(dense, "tile_a"); n > 64 { // instead of 256
		t.Errorf("stores of a take %d wavefronts without room between rows:\n%s", n, strings.Join(dense.Notes, "\n"))
	}
}
