package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
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
