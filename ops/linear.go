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
	return productKey{linear: true}.new(options, x, w, bias)
}

// LinearInto writes x @ w.T + bias into out.
//
// Errors: as for MatMulInto.
func LinearInto(out, x, w, bias *weft.Tensor, options ...MatMulOption) error {
	return productKey{linear: true}.run(options, out, x, w, bias)
}

// newLayer is the product of x and the columns w.T with the bias before what the other options add. The weights must be a matrix and
// the bias a vector: others would broadcast.
func newLayer(x, w, bias *weft.Tensor, options []MatMulOption) (*product, error) {
	fail := func(name, format string, args ...any) error {
		return fault.New(weft.ErrShape, "linear", format, args...).For(name)
	}
	if w != nil && w.Rank() != 2 {
		return nil, fail("w", "shape %v has %s, want 2", w.Shape(), fault.Count(w.Rank(), "dimension"))
	}
	if w != nil && x != nil && x.Rank() > 0 && x.Dim(x.Rank()-1) != w.Dim(1) {
		return nil, fail("w", "shape %v does not fit x's %v: x has %s, w has %s", w.Shape(), x.Shape(),
			fault.Count(x.Dim(x.Rank()-1), "column"), fault.Count(w.Dim(1), "column"))
	}
	if w != nil && bias != nil && (bias.Rank() != 1 || bias.Dim(0) != w.Dim(0)) {
		return nil, fail("bias", "shape %v, want [%d]", bias.Shape(), w.Dim(0))
	}
	if bias != nil {
		options = append([]MatMulOption{Bias(bias)}, options...)
	}
	columns := w.T()
	p, err := newProduct("linear", [2]operand{{"x", x}, {"w", columns}}, options)
	if err != nil {
		columns.Close()
		return nil, err
	}
	p.columns = columns
	return p, nil
}
