package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// Linear is a layer of a neural network, x @ w.T + bias, for x […,in], weights w [out,in] and a bias [out], which
// may be nil: a new tensor […,out]. An activation is fused after it by an option:
//
//	y, err := ops.Linear(x, w, bias, ops.Fuse(ops.GELUMap))
//
// Errors and element types: as for MatMul.
func Linear(x, w, bias *weft.Tensor, options ...MatMulOption) (*weft.Tensor, error) {
	c := newProduct("linear", nil, bias, options)
	return c.new(x, w)
}

// LinearInto writes x @ w.T + bias into out.
//
// Errors: as for MatMulInto.
func LinearInto(out, x, w, bias *weft.Tensor, options ...MatMulOption) error {
	c := newProduct("linear", nil, bias, options)
	return c.into(out, x, w)
}

// LinearSwiGLU is the first half of the MLP of a Llama, SiLU(x @ gate.T) · (x @ up.T), for x […,in] and weights gate and up
// [out,in], which may be views of one matrix: a new tensor […,out]. One row or two, as in a step of decoding, take one launch by CUDA, and elsewhere if
// one kernel multiplies them row by row; it reads x once for both products. Otherwise there are two products, and the second has the gate as its epilogue.
//
// The sums are F32, of F64 F64, and so is what becomes of them in one launch; of two, the second reads the result of the first in x's type.
//
// Errors: as for Linear; the element types are F32, F16, BF16 and F64.
func LinearSwiGLU(x, gate, up *weft.Tensor) (*weft.Tensor, error) {
	return gatedLayers.new(given{op: "linear_swiglu"}, x, gate, up)
}

// LinearSwiGLUInto writes what LinearSwiGLU returns into out.
//
// Errors: as for LinearSwiGLU, and ErrUnsupported if out repeats elements or overlaps another argument.
func LinearSwiGLUInto(out, x, gate, up *weft.Tensor) error {
	return gatedLayers.into(given{op: "linear_swiglu"}, out, x, gate, up)
}

var gatedLayers = declare(declaration[given]{
	inputs: []string{"x", "gate", "up"}, needed: 3, check: checkGatedLayer, launch: launchGatedLayer,
	types: func(_ given, t weft.DType) bool { return t.IsFloat() },
})

func checkGatedLayer(o *given, in []*weft.Tensor) ([]int, error) {
	x, gate, up := in[0], in[1], in[2]
	shape := x.Shape()
	switch last := len(shape) - 1; {
	case last < 0:
		return nil, fault.New(weft.ErrShape, o.op, "a scalar, want a vector, a matrix or a batch of matrices").For("x")
	case gate.Rank() != 2:
		return nil, fault.New(weft.ErrShape, o.op, "shape %v has %s, want 2", gate.Shape(), fault.Count(gate.Rank(), "dimension")).For("gate")
	case shape[last] != gate.Dim(1):
		return nil, fault.New(weft.ErrShape, o.op, "shape %v does not fit x's %v: x has %s, gate has %s", gate.Shape(), shape,
			fault.Count(shape[last], "column"), fault.Count(gate.Dim(1), "column")).For("gate")
	default:
		shape[last] = gate.Dim(0)
	}
	return shape, checkShape(o.op, operand{"up", up}, gate.Shape())
}

func launchGatedLayer(o *given, out *weft.Tensor, in []*weft.Tensor) error {
	x, gate, up := in[0], in[1], in[2]
	b := gate.T()
	defer b.Close()
	tensors := []*weft.Tensor{x, b, out}
	layouts, err := matrices(tensors)
	if err != nil {
		return err
	}
	if tensors[0] == x && layouts[0].Rank() == 2 && layouts[0].Size(0) <= kernels.MaxGated {
		problem := kernels.MatMulProblem{Elem: x.DType(), A: viewOf(layouts[0]), B: viewOf(layouts[1]), Out: tune.StridesOf(layouts[2])}
		if cfg, ok := pick(matMulTune, x.Device(), problem).ForGate(); ok {
			return kernels.MatMul.LaunchViews(cfg, nil, weft.TensorView{Tensor: x, Layout: layouts[0]}, weft.TensorView{Tensor: gate, Layout: layouts[1]},
				weft.TensorView{Tensor: up, Layout: up.Layout().Transpose()}, weft.TensorView{Tensor: out, Layout: layouts[2]})
		}
	}
	other, err := Linear(x, up, nil)
	if err != nil {
		return err
	}
	defer other.Close()
	return LinearInto(out, x, gate, nil, Fuse(SwiGLUMap, other))
}

// checkLayer checks what a product of x and w.T would not refuse. The weights must be a matrix, and the bias of the layer a vector:
// others would broadcast.
func checkLayer(x, w, bias *weft.Tensor, biased bool) error {
	fail := func(name, format string, args ...any) error {
		return fault.New(weft.ErrShape, "linear", format, args...).For(name)
	}
	switch {
	case w == nil:
		return nil // for others to report
	case w.Rank() != 2:
		return fail("w", "shape %v has %s, want 2", w.Shape(), fault.Count(w.Rank(), "dimension"))
	case x != nil && x.Rank() > 0 && x.Dim(x.Rank()-1) != w.Dim(1):
		return fail("w", "shape %v does not fit x's %v: x has %s, w has %s", w.Shape(), x.Shape(),
			fault.Count(x.Dim(x.Rank()-1), "column"), fault.Count(w.Dim(1), "column"))
	case biased && (bias.Rank() != 1 || bias.Dim(0) != w.Dim(0)):
		return fail("bias", "shape %v, want [%d]", bias.Shape(), w.Dim(0))
	}
	return nil
}
