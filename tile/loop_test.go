package tile_test

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// results runs a kernel of one program that stores I32 scalars to view y, and
// returns its first n elements, -1 where nothing was stored.
func results(t *testing.T, n int, describe func(k *tile.Builder, put func(i int, v *tile.Value))) []int {
	t.Helper()
	k := build(t, "results", func(k *tile.Builder) {
		y := k.Out("y", dtype.I32, 1)
		describe(k, func(i int, v *tile.Value) { y.Block(1).Store(v, i) })
	})
	out := make([]byte, 4*n)
	for i := range out {
		out[i] = 0xff
	}
	p := interp.Program{Kernel: k, Buffers: []int{0}}
	if err := p.Run([3]int{1, 1, 1}, [][]byte{out}, []uint32{0, uint32(n), 1}); err != nil {
		t.Fatal(err)
	}
	x, list := make([]float64, n), make([]int, n)
	dtype.Floats(dtype.I32, x, out)
	for i := range x {
		list[i] = int(x[i])
	}
	return list
}

func equalInts(t *testing.T, got, want []int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("result %d is %d, want %d", i, got[i], want[i])
		}
	}
}

func TestCarriedAndNot(t *testing.T) {
	var carried int
	got := results(t, 4, func(k *tile.Builder, put func(int, *tile.Value)) {
		sum, last, kept := k.Var(k.Int(0)), k.Var(k.Int(7)), k.Var(k.Int(9))
		var outs []*tile.Value
		for i := range k.Range(5) {
			before := kept.Get() // read only: not carried
			sum.Set(sum.Get().Add(i).Add(before))
			last.Set(i) // set without being read
		}
		outs = append(outs, sum.Get(), last.Get(), kept.Get())
		carried = len(sum.Get().Op().Out)
		none := k.Var(k.Int(3))
		for range k.Range(0) {
			none.Set(k.Int(4))
		}
		for i, v := range append(outs, none.Get()) {
			put(i, v)
		}
	})
	equalInts(t, got, []int{0 + 1 + 2 + 3 + 4 + 5*9, 4, 9, 3})
	if carried != 2 {
		t.Errorf("the loop carries %d values, want 2", carried)
	}
}

func TestNested(t *testing.T) {
	got := results(t, 3, func(k *tile.Builder, put func(int, *tile.Value)) {
		total, rows := k.Var(k.Int(0)), k.Var(k.Int(0))
		for i := range k.Range(6) {
			row := k.Var(k.Int(0)) // made anew in every iteration
			for j := range k.RangeStep(i, 17, 3) {
				row.Set(row.Get().Add(j))
				total.Set(total.Get().Add(1))
			}
			rows.Set(rows.Get().Mul(3).Add(row.Get()))
		}
		put(0, total.Get())
		put(1, rows.Get())
		put(2, k.Int(0))
	})
	total, rows := 0, 0
	for i := range 6 {
		row := 0
		for j := i; j < 17; j += 3 {
			row += j
			total++
		}
		rows = rows*3 + row
	}
	equalInts(t, got, []int{total, rows, 0})
}

// All assignments of an iteration happen at once: variables may trade places.
func TestSwap(t *testing.T) {
	got := results(t, 7, func(k *tile.Builder, put func(int, *tile.Value)) {
		a, b := k.Var(k.Int(1)), k.Var(k.Int(2))                        // swapped
		x, y, z := k.Var(k.Int(10)), k.Var(k.Int(20)), k.Var(k.Int(30)) // rotated
		f, g := k.Var(k.Int(0)), k.Var(k.Int(1))                        // Fibonacci
		for range k.Range(7) {
			va, vb := a.Get(), b.Get()
			a.Set(vb)
			b.Set(va)
			vx, vy, vz := x.Get(), y.Get(), z.Get()
			x.Set(vy)
			y.Set(vz)
			z.Set(vx)
			next := f.Get().Add(g.Get())
			f.Set(g.Get())
			g.Set(next)
		}
		for i, v := range []*tile.Var{a, b, x, y, z, f, g} {
			put(i, v.Get())
		}
	})
	equalInts(t, got, []int{2, 1, 20, 30, 10, 13, 21})
}

// The same value may become that of several variables, and a value from outside
// the loop that of one of them.
func TestSharedAndOuter(t *testing.T) {
	got := results(t, 5, func(k *tile.Builder, put func(int, *tile.Value)) {
		outer := k.Int(40)
		init := k.Int(5)
		a, b, c := k.Var(init), k.Var(init), k.Var(init)
		for i := range k.Range(3) {
			v := a.Get().Add(i)
			a.Set(v)
			b.Set(v)
			c.Set(outer)
		}
		for i, v := range []*tile.Value{a.Get(), b.Get(), c.Get(), outer, init} {
			put(i, v)
		}
	})
	equalInts(t, got, []int{8, 8, 40, 40, 5})
}

// A variable that a loop sets to what another one holds, which it does not set.
func TestLoopSetsToAnotherVariable(t *testing.T) {
	got := results(t, 2, func(k *tile.Builder, put func(i int, v *tile.Value)) {
		a, b, c := k.Var(k.Int(1)), k.Var(k.Int(2)), k.Var(k.Int(3))
		for range k.Range(3) {
			a.Set(b.Get())
			c.Set(b.Get())
		}
		put(0, a.Get())
		put(1, c.Get())
	})
	if got[0] != 2 || got[1] != 2 {
		t.Errorf("the variables hold %v, want 2 each", got)
	}
}
