package peers

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
)

// Gonum is gonum's BLAS in Go, on the host, in f32: products and sums of vectors.
type Gonum struct {
	size    suite.Size
	options measure.Options
	who     result.Result
}

// NewGonum does works of a size.
func NewGonum(size suite.Size, o measure.Options) *Gonum {
	g := &Gonum{size: size, options: o, who: result.Result{Who: "gonum", Device: runtime.GOARCH, Driver: runtime.Version(), Kind: backend.CPU.String()}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "gonum.org/v1/gonum" {
				g.who.Who += " " + m.Version
			}
		}
	}
	return g
}

// Describe names it.
func (g *Gonum) Describe() result.Result { return g.who }

// Size is that of its works.
func (g *Gonum) Size() suite.Size { return g.size }

// Close has nothing to do.
func (g *Gonum) Close() error { return nil }

// Measure checks a work and times it.
func (g *Gonum) Measure(ctx context.Context, w suite.Work) (t measure.Timing, err error) {
	run := gonumRun(w)
	if run == nil {
		return t, measure.ErrNone
	}
	copies := make([]hostOperands, g.options.CopiesOf(w.Bytes, false))
	for i := range copies {
		copies[i] = newHostOperands(w)
	}
	run(copies[0])
	got := make([]float64, len(w.Sample()))
	for j, i := range w.Sample() {
		got[j] = float64(copies[0].out[i])
	}
	if err := checkPeer(w, got); err != nil {
		return t, err
	}
	next := 0
	t, err = measure.Sample(ctx, len(copies), 0, g.options.Budget, func(n int) (time.Duration, error) {
		start := time.Now()
		for range n {
			run(copies[next%len(copies)])
			next++
		}
		return time.Since(start), nil
	})
	t.Copies = len(copies)
	return t, err
}

type hostOperands struct {
	in  [][]float32
	out []float32
}

func newHostOperands(w suite.Work) (o hostOperands) {
	for i, operand := range w.Inputs {
		x, from := make([]float32, operand.Len()), operand.Contents(uint64(i))
		for j := range x {
			x[j] = float32(from[j%len(from)])
		}
		o.in = append(o.in, x)
	}
	o.out = make([]float32, w.Output.Len())
	for i := range o.out {
		o.out[i] = -1e30
	}
	return o
}

// gonumRun does a work once, nil if gonum does not have it.
func gonumRun(w suite.Work) func(hostOperands) {
	for _, o := range append(w.Inputs, w.Output) {
		if o.Elem != weft.F32 {
			return nil
		}
	}
	truth := func(key string) bool { v, _ := w.Params[key].(bool); return v }
	switch {
	case w.Op == "add" && w.Inputs[0].Len() == w.Inputs[1].Len():
		return func(o hostOperands) {
			copy(o.out, o.in[0])
			blas32.Axpy(1, blas32.Vector{N: len(o.out), Inc: 1, Data: o.in[1]}, blas32.Vector{N: len(o.out), Inc: 1, Data: o.out})
		}
	case (w.Op == "matmul" || w.Op == "linear" && len(w.Inputs) == 2) && len(w.Output.Shape) == 2 && !truth("tf32") && !truth("gelu"):
		transA, transB := blas.NoTrans, blas.NoTrans
		if truth("a_columns") {
			transA = blas.Trans
		}
		if w.Op == "linear" || truth("columns") {
			transB = blas.Trans
		}
		return func(o hostOperands) {
			blas32.Gemm(transA, transB, 1, general(w.Inputs[0], o.in[0]), general(w.Inputs[1], o.in[1]), 0, general(w.Output, o.out))
		}
	}
	return nil
}

func general(o suite.Operand, data []float32) blas32.General {
	return blas32.General{Rows: o.Shape[0], Cols: o.Shape[1], Stride: o.Shape[1], Data: data}
}
