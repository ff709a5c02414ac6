package lower_test

import (
	"math"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/wgsl"
)

// long is the kernel of 64-bit integers.
const long = "int64"

// emitted are kernels whose texts have to compile: what reductions, scans and moves of
// elements emit for vectors and for truths, by shuffles and through shared memory.
var emitted = map[string]func(k *tile.Builder, v *tile.Value) *tile.Value{
	"unary": func(k *tile.Builder, v *tile.Value) *tile.Value {
		v = tile.GELU(v).Add(tile.GELUTanh(v)).Add(tile.SiLU(v)).Add(v.Round()).Add(v.Expm1()).Add(v.Abs().Log1p())
		v = k.Where(v.IsNaN(), v.Bitcast(dtype.I32).Shr(3).Bitcast(dtype.F32), v)
		return v.Add(v.Cast(dtype.F16).Bitcast(dtype.BF16).Bitcast(dtype.F16).Cast(dtype.F32))
	},
	"reductions": func(k *tile.Builder, v *tile.Value) *tile.Value {
		any := v.Gt(0).Any(0).And(v.Gt(0).All(1))
		return k.Where(any, v.Prod(0).Add(v.Prod(1)), v.ArgMax(0).Add(v.ArgMin(1)).Cast(dtype.F32))
	},
	"scans": func(k *tile.Builder, v *tile.Value) *tile.Value {
		odd := tile.Scan([]*tile.Value{v.Gt(0), v}, 1, func(x, y []*tile.Value) []*tile.Value {
			return []*tile.Value{x[0].Xor(y[0]), k.Where(y[0], x[1].Add(y[1]), y[1])}
		})
		return k.Where(odd[0], odd[1], v.CumSum(0).Add(v.CumMax(1, tile.Exclusive)))
	},
	"moves": func(k *tile.Builder, v *tile.Value) *tile.Value {
		even, odd := v.Reshape(16, 32, 2).Split()
		return odd.Join(k.Where(even.Gt(0).Reshape(32, 16).Transpose(), even, k.Iota(1, 16, 32).Cast(dtype.F32))).Reshape(16, 64)
	},
	long: func(k *tile.Builder, v *tile.Value) *tile.Value {
		x := v.Cast(dtype.I64).Mul(1<<40 + 1).Add(math.MaxInt64).Div(v.Cast(dtype.I64)).Shr(3)
		x = x.Sum(1).Add(x.CumMax(0)).Minimum(x.Abs()).Reshape(64, 16).Transpose().Reshape(16, 64)
		u := x.Bitcast(dtype.U64).Rem(10).Maximum(v.Cast(dtype.U64))
		return k.Where(u.Eq(3), x.Neg(), u.Bitcast(dtype.I64)).Cast(dtype.F32)
	},
	"dots": func(k *tile.Builder, v *tile.Value) *tile.Value {
		a := v.Cast(dtype.U8).Reshape(4, 16, 16)
		return tile.Dot(a, a, k.Zeros(dtype.I32, 4, 16, 16), tile.IEEE).Reshape(16, 64).Cast(dtype.F32)
	},
}

// A kernel whose control flow depends on what it reads, and whose threads
// meet at barriers there: the conditions have to be uniform in the eyes of every compiler.
func dataDependent(k *tile.Builder, v *tile.Value) *tile.Value {
	counts := k.InOut("counts", dtype.I32, 1)
	sum := k.Var(v)
	k.If(counts.At(0).Gather().Gt(2), func() {
		sum.Set(sum.Get().Add(v.Sum(0)))
	}).Else(func() {
		sum.Set(sum.Get().Mul(v.Max(1)))
	})
	i := k.Var(k.Int(0))
	for range k.While(func() *tile.Value { return i.Get().Lt(counts.At(1).Gather()) }) {
		counts.At(k.Arange(64).Rem(7)).AtomicAdd(1)
		sum.Set(sum.Get().Sub(sum.Get().Sum(1)))
		i.Set(i.Get().Add(1))
	}
	return sum.Get()
}

func TestEmittedTextsPassTint(t *testing.T) {
	rows, err := layout.Contiguous(16, 64)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := layout.Contiguous(64)
	if err != nil {
		t.Fatal(err)
	}
	k, err := tile.Build("data_dependent", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128})
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(16, 64).Store(dataDependent(k, x.Block(16, 64).Load(0, 0)), 0, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for form, caps := range wgslForms {
		emit := func(name string, r *lower.Result) {
			if texts[name+form], err = wgsl.Emit(r.Kernel, caps); err != nil {
				t.Fatal(err)
			}
		}
		for name := range emitted {
			if name != long {
				emit(name, lowered(t, name, caps, rows))
			}
		}
		r, err := lower.Lower(k, axis.FactsOf([]layout.Layout{rows, rows, numbers}, []int{0, 1, 2}), caps)
		if err != nil {
			t.Fatal(err)
		}
		emit(k.Name, r)
	}
	testenv.Tint(t, texts)
}

// wgslForms are WGSL's core and what its extensions add, with subgroups from the
// smallest to the largest.
var wgslForms = map[string]target.Caps{
	"":        {Language: target.WGSL, MaxThreads: 256, SharedBytes: 32 << 10},
	"_by_4":   {Language: target.WGSL, MaxThreads: 256, SharedBytes: 32 << 10, SubgroupSize: 4, F16: true, F16Nearest: true},
	"_by_32":  {Language: target.WGSL, MaxThreads: 256, SharedBytes: 32 << 10, SubgroupSize: 32, F16: true},
	"_by_128": {Language: target.WGSL, MaxThreads: 256, SharedBytes: 32 << 10, SubgroupSize: 128},
}

func lowered(t *testing.T, name string, caps target.Caps, form layout.Layout) *lower.Result {
	t.Helper()
	k, err := tile.Build(name, func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128})
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(16, 64).Store(emitted[name](k, x.Block(16, 64).Load(0, 0)), 0, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := lower.Lower(k, axis.FactsOf([]layout.Layout{form, form}, []int{0, 1}), caps)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEmittedTextsCompile(t *testing.T) {
	rows, err := layout.Contiguous(16, 64)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := layout.Strided([]int{16, 64}, []int{1, 16}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name := range emitted {
		for _, form := range []layout.Layout{rows, columns} {
			for suffix, caps := range wgslForms {
				t.Run(name+"/wgsl"+suffix, func(t *testing.T) {
					testenv.Sample(t)
					if name == long {
						t.Skip("WGSL has no integers of 64 bits")
					}
					text, err := wgsl.Emit(lowered(t, name, caps, form).Kernel, caps)
					if err == nil {
						_, err = compilers.SPIRV(t, text)
					}
					if err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
				})
			}
			t.Run(name+"/cuda", func(t *testing.T) {
				testenv.Sample(t)
				compilers.RequireNVRTC(t)
				caps := target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, Int64: true}
				text, err := cuda.Emit(lowered(t, name, caps, form).Kernel, caps)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, log, err := compilers.NVRTC(t, caps.Arch, name+".cu", text); err != nil || log != "" {
					t.Fatalf("%v\n%s\n%s", err, log, text)
				}
			})
		}
	}
}
