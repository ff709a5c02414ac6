package gomlx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// wideBackends are the CPU with its integers of 64 bits, and what GOMLX_BACKEND names, or the CPU, with pairs of words.
func wideBackends(t *testing.T) [2]*Backend {
	t.Helper()
	spec := "cpu"
	if s, ok := strings.CutPrefix(os.Getenv(backends.ConfigEnvVar), "weft:"); ok {
		spec = s
	}
	var list [2]*Backend
	for i, config := range []string{"cpu", spec} {
		b, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Finalize)
		list[i] = b.(*Backend)
	}
	list[1].pairs = true
	return list
}

// edges are pairs of numbers at which words carry, overflow and lose their sign, and random ones.
func edges(shift bool) (x, y []uint64) {
	list := []uint64{0, 1, 2, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<53 + 1, 1<<62 + 1<<38, 1<<62 + 1<<38 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64}
	for _, a := range list {
		for _, b := range list {
			if shift {
				b = uint64(len(x) % 70)
			}
			x, y = append(x, a), append(y, b)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		b := rng.Uint64() >> rng.IntN(64)
		if shift {
			b %= 70
		}
		x, y = append(x, rng.Uint64()>>rng.IntN(64)), append(y, b)
	}
	return x, y
}

// numbersOf are bits as elements of a type.
func numbersOf(dtype dtypes.DType, bits []uint64) any {
	if dtype == dtypes.Uint64 {
		return bits
	}
	list := make([]int64, len(bits))
	for i, x := range bits {
		list[i] = int64(x)
	}
	return list
}

// outputs runs a computation of two inputs on a backend and returns the elements of its results.
func outputs(t *testing.T, b *Backend, build func(c backends.Builder, x, y backends.Op) []backends.Op, x, y any, shape ...shapes.Shape) []any {
	t.Helper()
	c := b.Builder("wide")
	var params []backends.Op
	var in []backends.Buffer
	for i, data := range []any{x, y} {
		p, err := c.Parameter(fmt.Sprint(i), shape[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		buf, err := b.BufferFromFlatData(0, data, shape[i])
		if err != nil {
			t.Fatal(err)
		}
		params, in = append(params, p), append(in, buf)
	}
	e, err := c.Compile(build(c, params[0], params[1]), nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Execute(in, []bool{true, false}, 0) // a result may take x's memory
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	for i, s := range e.Outputs() {
		flat := reflect.MakeSlice(reflect.SliceOf(s.DType.GoType()), s.Size(), s.Size()).Interface()
		if err := b.BufferToFlatData(out[i], flat); err != nil {
			t.Fatal(err)
		}
		list = append(list, flat)
	}
	return list
}

// differ compares results and names the first element that is another one.
func differ(got, want any) string {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range w.Len() {
		if a, b := g.Index(i).Interface(), w.Index(i).Interface(); a != b {
			return fmt.Sprintf("element %d is %v, want %v", i, a, b)
		}
	}
	return ""
}

// must panics where a test builds what is no computation.
func must(op backends.Op, err error) backends.Op {
	if err != nil {
		panic(err)
	}
	return op
}

// Arithmetic on pairs of words is that on integers of 64 bits, on views and with fused ops around it.
func TestPairsOfWords(t *testing.T) {
	list := wideBackends(t)
	for name, f := range map[string]func(c backends.Builder, x, y backends.Op) []backends.Op{
		"arithmetic": func(c backends.Builder, x, y backends.Op) []backends.Op {
			return []backends.Op{must(c.Add(x, y)), must(c.Sub(x, y)), must(c.Mul(x, y)), must(c.Max(x, y)), must(c.Min(x, y)),
				must(c.BitwiseAnd(x, y)), must(c.BitwiseOr(x, must(c.BitwiseNot(y)))), must(c.BitwiseXor(x, y)), must(c.BitCount(x)), must(c.Clz(y)),
				must(c.Where(must(c.LessThan(x, y)), must(c.Mul(x, x)), y))}
		},
		"divisions": func(c backends.Builder, x, y backends.Op) []backends.Op {
			shape, _ := c.OpShape(x)
			seven := must(c.Constant(numbersOf(shape.DType, []uint64{7})))
			low := must(c.BitwiseAnd(y, must(c.Constant(numbersOf(shape.DType, []uint64{1<<40 - 1})))))
			return []backends.Op{must(c.Div(x, y)), must(c.Rem(x, y)), must(c.Div(x, low)), must(c.Rem(x, low)), must(c.Div(x, seven)), must(c.Rem(seven, y))}
		},
		"shifts": func(c backends.Builder, x, y backends.Op) []backends.Op {
			return []backends.Op{must(c.ShiftLeft(x, y)), must(c.ShiftRightLogical(x, y)), must(c.ShiftRightArithmetic(x, y))}
		},
		"comparisons": func(c backends.Builder, x, y backends.Op) []backends.Op {
			return []backends.Op{must(c.Equal(x, y)), must(c.NotEqual(x, x)), must(c.LessThan(x, y)), must(c.LessOrEqual(x, y)), must(c.GreaterThan(x, y)), must(c.GreaterOrEqual(x, y))}
		},
		"signs": func(c backends.Builder, x, y backends.Op) []backends.Op {
			s := must(c.ConvertDType(x, dtypes.Int64))
			return []backends.Op{must(c.Neg(s)), must(c.Abs(s)), must(c.Sign(s)), must(c.Sign(x))}
		},
		"conversions": func(c backends.Builder, x, y backends.Op) (out []backends.Op) {
			for _, to := range []dtypes.DType{dtypes.Bool, dtypes.Int8, dtypes.Uint16, dtypes.Int32, dtypes.Uint32, dtypes.Int64, dtypes.Uint64, dtypes.Float32} {
				z := must(c.ConvertDType(x, to))
				out = append(out, z, must(c.ConvertDType(z, dtypes.Int64)), must(c.ConvertDType(z, dtypes.Uint64)))
			}
			return append(out, must(c.Bitcast(x, dtypes.Uint32)), must(c.Bitcast(must(c.Bitcast(x, dtypes.Int16)), dtypes.Uint64)))
		},
		"floats": func(c backends.Builder, x, y backends.Op) (out []backends.Op) {
			f := must(c.Mul(must(c.ConvertDType(must(c.ConvertDType(x, dtypes.Int32)), dtypes.Float32)), must(c.ConvertDType(y, dtypes.Float32))))
			inf := must(c.Div(f, must(c.Sub(f, f))))
			for _, to := range []dtypes.DType{dtypes.Int64, dtypes.Uint64} {
				out = append(out, must(c.ConvertDType(f, to)), must(c.ConvertDType(must(c.Exp(must(c.Sqrt(must(c.Abs(must(c.Tanh(f)))))))), to)), must(c.ConvertDType(inf, to)))
			}
			return out
		},
		"views": func(c backends.Builder, x, y backends.Op) []backends.Op {
			shape, _ := c.OpShape(x)
			n := shape.Size()
			a, b := must(c.Reshape(x, n/5, 5)), must(c.Reshape(y, 5, n/5))
			two := must(c.Constant(numbersOf(shape.DType, []uint64{3 << 40}), 1))
			sum := must(c.Add(must(c.Transpose(a, 1, 0)), must(c.Mul(must(c.Reverse(b, 1)), must(c.BroadcastInDim(two, shapes.Make(shape.DType, 5, n/5), []int{0}))))))
			row := must(c.Slice(a, []int{1, 0}, []int{2, 5}, []int{1, 2}))
			i := must(c.Iota(shapes.Make(shape.DType, 3, 3), 1))
			fill := must(c.Reshape(two))
			return []backends.Op{sum, must(c.Concatenate(1, must(c.Add(row, must(c.Slice(i, []int{0, 0}, []int{1, 3}, []int{1, 1})))), row)), i,
				must(c.Pad(row, fill, backends.PadAxis{Start: 1}, backends.PadAxis{Interior: 1, End: 2}))}
		},
		"indices": func(c backends.Builder, x, y backends.Op) []backends.Op {
			shape, _ := c.OpShape(x)
			five := must(c.Constant(numbersOf(shape.DType, []uint64{5, 1 << 40, 2}), 3))
			at := must(c.Reshape(five, 3, 1))
			start := must(c.Reshape(must(c.Slice(five, []int{1}, []int{2}, []int{1})), 1))
			table := must(c.Iota(shapes.Make(dtypes.Float32, 9, 4), 0))
			lo, hi := must(c.Constant(numbersOf(shape.DType, []uint64{0}))), must(c.Constant(numbersOf(shape.DType, []uint64{8})))
			inside := must(c.Clamp(lo, at, hi))
			return []backends.Op{must(c.Gather(table, at, 1, []int{1}, []int{0}, []int{0}, []int{1, 4}, false)),
				must(c.Gather(x, at, 1, []int{1}, nil, []int{0}, []int{2}, false)), must(c.DynamicSlice(x, []backends.Op{start}, []int{4})),
				must(c.DynamicUpdateSlice(x, must(c.Slice(y, []int{0}, []int{3}, []int{1})), []backends.Op{start})),
				must(c.ScatterSum(table, inside, must(c.Iota(shapes.Make(dtypes.Float32, 3, 4), 1)), 1, []int{1}, []int{0}, []int{0}, false, false)),
				must(c.ArgMinMax(table, 0, shape.DType, false))}
		},
	} {
		for _, dtype := range []dtypes.DType{dtypes.Int64, dtypes.Uint64} {
			t.Run(name+"/"+dtype.String(), func(t *testing.T) {
				x, y := edges(name == "shifts")
				shape := shapes.Make(dtype, len(x))
				var results [2][]any
				for i, b := range list {
					results[i] = outputs(t, b, f, numbersOf(dtype, slices.Clone(x)), numbersOf(dtype, slices.Clone(y)), shape, shape)
				}
				for i, want := range results[0] {
					if text := differ(results[1][i], want); text != "" {
						t.Errorf("result %d: %s", i, text)
					}
				}
			})
		}
	}
}

// Ops that pairs of words do not have are refused by name, and those on other types are as before.
func TestPairsRefused(t *testing.T) {
	b := wideBackends(t)[1]
	c := b.Builder("refused")
	x := must(c.Parameter("x", shapes.Make(dtypes.Int64, 2, 2), nil))
	at := must(c.Constant([]int32{0, 1}, 2, 1))
	for says, f := range map[string]func() (backends.Op, error){
		"ReduceSum":  func() (backends.Op, error) { return c.ReduceSum(x, 0) },
		"DotGeneral": func() (backends.Op, error) { return c.Dot(x, x) },
		"Pow":        func() (backends.Op, error) { return c.Pow(x, x) },
		"ScatterSum": func() (backends.Op, error) {
			return c.ScatterSum(x, at, x, 1, []int{1}, []int{0}, []int{0}, false, false)
		},
		"ArgMinMax": func() (backends.Op, error) { return c.ArgMinMax(x, 0, dtypes.Int32, true) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), "weft: "+says) || !strings.Contains(err.Error(), "no elements of Int64") {
			t.Errorf("%s: %v, want a refusal of Int64", says, err)
		}
	}
	f := must(c.ConvertDType(x, dtypes.Float32))
	if _, err := c.ReduceSum(f, 0); err != nil {
		t.Error(err)
	}
}
