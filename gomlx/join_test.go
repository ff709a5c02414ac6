package gomlx

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// A step of momentum is one kernel, which writes the momentum and the weights in the memory of the donated ones. It is several
// where something needs the momentum first, or where the gradient is no vector.
func TestJoinedKernels(t *testing.T) {
	b, err := New("cpu,replay=off")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	const rows, columns = 37, 21
	shape := shapes.Make(dtypes.Float32, rows, columns)
	for _, c := range []struct {
		name  string
		steps int
		also  func(c backends.Builder, g, m backends.Op) (gradient backends.Op, between []backends.Op)
	}{
		{"one", 1, func(c backends.Builder, g, _ backends.Op) (backends.Op, []backends.Op) { return g, nil }},
		{"a row", 2, func(c backends.Builder, g, _ backends.Op) (backends.Op, []backends.Op) {
			row := must(c.Slice(g, []int{2, 0}, []int{3, columns}, []int{1, 1}))
			return must(c.BroadcastInDim(row, shape, []int{0, 1})), nil
		}},
		{"between", 3, func(c backends.Builder, g, m backends.Op) (backends.Op, []backends.Op) {
			return g, []backends.Op{must(c.ReduceSum(m, 1))}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			build := b.Builder(c.name)
			var in [4]backends.Op // weights, momentum, gradient, rate
			for i := range in {
				s := shape
				if i == 3 {
					s = shapes.Make(dtypes.Float32)
				}
				in[i] = must(build.Parameter(fmt.Sprint(i), s, nil))
			}
			g, _ := c.also(build, in[2], in[1])
			m := must(build.Add(must(build.Mul(in[1], must(build.Constant([]float32{0.5})))), g))
			_, between := c.also(build, in[2], m)
			out := append([]backends.Op{must(build.Sub(in[0], must(build.Mul(m, in[3])))), m}, between...)
			e, err := build.Compile(out, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(e.(*Executable).plan.steps); n != c.steps {
				t.Errorf("%d steps, want %d", n, c.steps)
			}
			data := make([][]float32, 3)
			var buffers []backends.Buffer
			for k := range data {
				data[k] = make([]float32, rows*columns)
				for i := range data[k] {
					data[k][i] = float32((i*7+k*5)%32) - 8
				}
				buf, err := b.BufferFromFlatData(0, slices.Clone(data[k]), shape)
				if err != nil {
					t.Fatal(err)
				}
				buffers = append(buffers, buf)
			}
			rate, err := b.BufferFromFlatData(0, []float32{0.25}, shapes.Make(dtypes.Float32))
			if err != nil {
				t.Fatal(err)
			}
			taken := []any{buffers[0].(*Buffer).tensor.Load(), buffers[1].(*Buffer).tensor.Load()}
			results, err := e.Execute(append(buffers, rate), []bool{true, true, false, false}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if c.steps == 1 && (any(results[0].(*Buffer).tensor.Load()) != taken[0] || any(results[1].(*Buffer).tensor.Load()) != taken[1]) {
				t.Error("the results are not in the memory of the donated inputs")
			}
			weights, momentum := make([]float32, rows*columns), make([]float32, rows*columns)
			for k, to := range [][]float32{weights, momentum} {
				if err := b.BufferToFlatData(results[k], to); err != nil {
					t.Fatal(err)
				}
			}
			for i := range weights {
				at := i
				if c.name == "a row" {
					at = 2*columns + i%columns
				}
				m := data[1][i]*0.5 + data[2][at]
				if momentum[i] != m || weights[i] != data[0][i]-m*0.25 {
					t.Fatalf("element %d: %v and %v, want %v and %v", i, momentum[i], weights[i], m, data[0][i]-m*0.25)
				}
			}
		})
	}
}
