package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// arg is an argument of a kernel that runs on the device and in the interpreter.
type arg struct {
	host
	form form
	out  bool // is compared after
}

func in(h host) arg { return arg{h, dense, false} }

func out(elem weft.DType, shape ...int) arg {
	return inOut(filled(elem, sentinel(elem), shape...))
}

// inOut is an argument that a kernel reads and writes.
func inOut(h host) arg { return arg{h, dense, true} }

// agree runs a kernel on the device and in the interpreter and demands equal outputs.
func (s *suite) agree(describe func(k *tile.Builder), scalars weft.Scalars, args ...arg) {
	s.Helper()
	s.agreeWithin(func(int, float64) float64 { return 0 }, nil, describe, scalars, args...)
}

// agreeWithin is agree under a bound for element i, given the value that it should have; where
// names element i in errors.
func (s *suite) agreeWithin(bound func(i int, want float64) float64, where func(i int) string,
	describe func(k *tile.Builder), scalars weft.Scalars, args ...arg) {
	s.Helper()
	kernel := weft.NewKernel("test", func(k *tile.Builder, _ struct{}) { describe(k) })
	ir := must[*tile.Func](s)(kernel.Build(struct{}{}))
	s.seen.record(ir)
	tensors := make([]*weft.Tensor, len(args))
	outputs := make([]output, len(args))
	for i, a := range args {
		if a.out {
			outputs[i] = s.outputOf(a.form, a.host)
			tensors[i] = outputs[i].Tensor
		} else {
			tensors[i] = s.input(a.form, a.host)
		}
	}
	if err := kernel.LaunchWith(struct{}{}, scalars, tensors...); err != nil {
		s.Fatalf("%v\n%v", err, ir)
	}
	expected := s.interpret(ir, scalars, args)
	for i, a := range args {
		if !a.out {
			continue
		}
		got := s.floats(tensors[i])
		b := func(j int) float64 { return bound(j, expected[i][j]) }
		worst, err := reference.Compare(got, expected[i], b)
		if err != nil {
			s.Fatal(err)
		}
		if !worst.OK() {
			at := ""
			if where != nil {
				at = where(worst.Index) + ": "
			}
			s.Errorf("%s%s: %v", at, ir.Views[i].Name, worst)
			s.Logf("%v", ir)
			return
		}
		outputs[i].check(expected[i], b)
	}
}

// interpret runs a kernel on dense host memory and returns what its arguments hold then.
func (s *suite) interpret(ir *tile.Func, scalars weft.Scalars, args []arg) [][]float64 {
	s.Helper()
	p := &interp.Program{Kernel: ir}
	layouts, sizes, buffers := make([]layout.Layout, len(args)), make([][]int, len(args)), make([][]byte, len(args))
	for i, a := range args {
		p.Buffers = append(p.Buffers, i)
		layouts[i] = must[layout.Layout](s)(layout.Contiguous(a.shape...))
		sizes[i] = a.shape
		buffers[i] = make([]byte, len(a.x)*a.elem.Size())
		dtype.PutFloats(a.elem, buffers[i], a.x)
	}
	bits := scalarBits(ir, scalars)
	words := must[[]uint32](s)(ir.Words(layouts, bits))
	grid := must[[3]int](s)(ir.GridAt(sizes, bits))
	s.try(p.Run(grid, buffers, words))
	results := make([][]float64, len(args))
	for i, a := range args {
		results[i] = make([]float64, len(a.x))
		dtype.Floats(a.elem, results[i], buffers[i])
	}
	return results
}

// scalarBits encodes int and float64 arguments as parameters.
func scalarBits(ir *tile.Func, scalars weft.Scalars) []uint32 {
	bits := make([]uint32, len(scalars))
	for i, x := range scalars {
		switch x := x.(type) {
		case int:
			bits[i] = uint32(x)
		case float64:
			bits[i] = math.Float32bits(float32(x))
		}
	}
	return bits
}
