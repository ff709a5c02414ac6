package lower

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/emit"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// eachBarrier calls f with the kernel as it is without one of its barriers, for each of them.
func eachBarrier(b *simt.Block, f func(barrier *simt.Op)) (n int) { return without(b, f, simt.Barrier) }

// needEveryBarrier checks that a kernel races, or computes something else, without any one of its barriers.
func needEveryBarrier(t *testing.T, c lowering) (n int) {
	t.Helper()
	if err := c.run(c.kernel); err != nil {
		t.Fatalf("%s: %v\n%v", c.target, err, c.kernel)
	}
	return eachBarrier(c.kernel.Body, func(barrier *simt.Op) {
		if c.run(c.kernel) == nil {
			t.Errorf("%s: nothing changes without the barrier of line %s; what is left is\n%v", c.target, barrier.Line, c.kernel)
		}
	})
}

// barred are kernels on a [32,64] tile that meet at barriers.
var barred = map[string]func(k *tile.Builder, v *tile.Value) *tile.Value{
	"two reductions":     func(k *tile.Builder, v *tile.Value) *tile.Value { return v.Sub(v.Max(1)).Sub(v.Sum(1)) },
	"reductions of both": func(k *tile.Builder, v *tile.Value) *tile.Value { return v.Sub(v.Max(0)).Sub(v.Sum(1)) },
	"softmax": func(k *tile.Builder, v *tile.Value) *tile.Value {
		v = v.Sub(v.Max(1)).Exp()
		return v.Div(v.Sum(1))
	},
	"argmax":     func(k *tile.Builder, v *tile.Value) *tile.Value { return v.ArgMax(1).Cast(dtype.F32).Add(v) },
	"scan":       func(k *tile.Builder, v *tile.Value) *tile.Value { return v.CumSum(1) },
	"scans":      func(k *tile.Builder, v *tile.Value) *tile.Value { return v.CumSum(0).Add(v.CumMax(1)) },
	"transpose":  func(k *tile.Builder, v *tile.Value) *tile.Value { return v.Transpose().Add(1).Reshape(32, 64) },
	"transposes": func(k *tile.Builder, v *tile.Value) *tile.Value { return v.Transpose().CumSum(1).Transpose().Add(v) },
	"sums in a loop": func(k *tile.Builder, v *tile.Value) *tile.Value {
		sum := k.Var(v)
		for range k.Range(3) {
			sum.Set(sum.Get().Mul(0.5).Sub(sum.Get().Sum(1)))
		}
		return sum.Get()
	},
	"two sums in a loop": func(k *tile.Builder, v *tile.Value) *tile.Value {
		sum := k.Var(v)
		for range k.Range(3) {
			x := sum.Get().Mul(0.5).Sub(sum.Get().Max(1))
			sum.Set(x.Sub(x.Sum(0)))
		}
		return sum.Get()
	},
	"a sum before a loop": func(k *tile.Builder, v *tile.Value) *tile.Value {
		sum := k.Var(v.Sub(v.Sum(1)))
		for range k.Range(2) {
			sum.Set(sum.Get().Sub(sum.Get().Max(1)))
		}
		return sum.Get().Add(sum.Get().Sum(1))
	},
	"a dot and its sums": func(k *tile.Builder, v *tile.Value) *tile.Value {
		d := tile.Dot(v, v.Transpose(), k.Zeros(dtype.F32, 32, 32), tile.IEEE)
		return v.Add(d.Sum(1))
	},
	"dots in a loop": func(k *tile.Builder, v *tile.Value) *tile.Value {
		acc := k.Var(k.Zeros(dtype.F32, 32, 32))
		for range k.Range(2) {
			acc.Set(tile.Dot(v, v.Transpose(), acc.Get(), tile.IEEE))
		}
		return v.Sub(acc.Get().Max(1))
	},
	"one way, then the other": func(k *tile.Builder, v *tile.Value) *tile.Value {
		sum := k.Var(v.Sub(v.Max(1)))
		for i := range k.Range(5) { // each way after each
			k.If(i.Div(2).Rem(2).Gt(0), func() { sum.Set(sum.Get().Sub(sum.Get().Sum(1))) }).Else(func() { sum.Set(sum.Get().Max(0).Add(v)) })
		}
		return sum.Get().Add(sum.Get().Min(1))
	},
}

func barredKernel(t *testing.T, name string) *tile.Func {
	return axistest.Build(t, name, func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128})
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(32, 64).Store(barred[name](k, x.Block(32, 64).Load(0, 0)), 0, 0)
	})
}

// Every barrier is needed.
func TestBarriersAreMinimal(t *testing.T) {
	n := 0
	for name := range barred {
		t.Run(name, func(t *testing.T) {
			for _, l := range []string{"rows", "columns"} {
				form := matrices(t, 32, 64)[l]
				for _, c := range cases(t, lowertest.Targets, barredKernel(t, name), []int{32 * 64, 32 * 64}, []tensor{{form, 0}, {form, 1}}, false, 1e-3) {
					n += needEveryBarrier(t, c)
				}
			}
		})
	}
	t.Logf("%d barriers", n)
}

// Arrays that share a place cost no barrier, and less memory.
func TestSharingCostsNoBarrier(t *testing.T) {
	saved := 0
	for name := range barred {
		for target, caps := range lowertest.Targets {
			k := barredKernel(t, name)
			form := matrices(t, 32, 64)["rows"]
			count := func(share bool) (barriers, bytes int) {
				r, err := lowerUntil(k, form, caps, share)
				if err != nil {
					t.Fatal(err)
				}
				return eachBarrier(r.Kernel.Body, func(*simt.Op) {}), r.Kernel.SharedBytes()
			}
			apart, before := count(false)
			together, after := count(true)
			if together > apart {
				t.Errorf("%s, %s: %d barriers with arrays in one place, %d apart", name, target, together, apart)
			}
			if after > before {
				t.Errorf("%s, %s: %d bytes in one place, %d apart", name, target, after, before)
			}
			saved += before - after
			t.Logf("%s, %s: %d of %d bytes, %d barriers", name, target, after, before, together)
		}
	}
	if saved == 0 {
		t.Error("nothing shares a place")
	}
}

// lowerUntil lowers a kernel with or without the pass allocate.
func lowerUntil(k *tile.Func, form layout.Layout, caps target.Caps, share bool) (*simtpass.Context, error) {
	facts := axis.FactsOf([]layout.Layout{form, form}, []int{0, 1})
	passed, err := tilepass.Run(k, facts, caps, assign.Threads(k, caps), &pass.Dump{})
	if err != nil {
		return nil, err
	}
	e, err := emit.Emit(passed, assign.New(passed.Func, passed.Facts, passed.Threads, caps, assign.Fallback{}), false, false)
	if err != nil {
		return nil, err
	}
	r := &simtpass.Context{Kernel: e.Kernel, Stages: plan.DefaultStages, Caps: caps}
	for _, p := range simtpass.Passes {
		if share || p.Name != "allocate" {
			p.Run(r)
		}
	}
	return r, simt.Verify(r.Kernel)
}

// Where arrays have no room side by side, they follow each other after more barriers.
func TestBarriersForRoom(t *testing.T) {
	form := matrices(t, 32, 64)["rows"]
	for name, room := range map[string]int{"scans": 9 << 10, "two reductions": 600, "a dot and its sums": 17920, "reductions of both": 2 << 10} {
		few := map[string]target.Caps{}
		for name, caps := range lowertest.Targets {
			caps.SharedBytes = room
			few[name] = caps
		}
		for _, c := range cases(t, few, barredKernel(t, name), []int{32 * 64, 32 * 64}, []tensor{{form, 0}, {form, 1}}, false, 1e-3) {
			if n := c.kernel.SharedBytes(); n > room {
				t.Errorf("%s, %s: %d bytes of %d", name, c.target, n, room)
			}
			needEveryBarrier(t, c)
		}
	}
}
