package ops

import (
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// ScanOption changes a cumulative op.
type ScanOption interface{ setScan(*scanOptions) }

type scanOption func(*scanOptions)

func (f scanOption) setScan(o *scanOptions) { f(o) }

// Exclusive leaves out of each element of the result the element of x at its place: the first one is the sum, product, or largest or smallest element of
// nothing.
func Exclusive() ScanOption { return scanOption(func(o *scanOptions) { o.exclusive = true }) }

// Reverse starts from the last element of a dimension.
func Reverse() ScanOption { return scanOption(func(o *scanOptions) { o.reverse = true }) }

// scanOptions is what a call asks for.
type scanOptions struct {
	given
	kind               kernels.ReduceOp
	dim                int // may be out of its range, which check refuses
	exclusive, reverse bool
}

func newScan(op string, kind kernels.ReduceOp, dim int, options []ScanOption) scanOptions {
	o := scanOptions{given: given{op: op}, kind: kind, dim: dim}
	return applied(&scanPool, o, options, ScanOption.setScan)
}

var scanPool sync.Pool

var scans = declare(declaration[scanOptions]{
	inputs: []string{"x"}, needed: 1, inPlace: true,
	types:  func(o scanOptions, t weft.DType) bool { return o.kind.Takes(t) },
	result: func(o scanOptions, x weft.DType) weft.DType { return o.kind.Result(x) },
	check:  (*scanOptions).check, launch: (*scanOptions).launch,
})

// Cumsum returns a tensor of x's shape, each element of which is the sum of the elements of x up to its place along a dimension, of
// which a negative one counts from the end; see Exclusive and Reverse. x may be any view, of any numeric type, and its rows may have any length: few
// long ones are shared by many programs, which read them once on devices where programs may wait for each other. Floats add up in F32, F64 in F64, in an order that is the same in every run, and each sum is rounded once;
// the result has the type that Sum gives, and integers wrap. NaN and infinities are in all sums from theirs on.
//
// Errors: ErrShape for a tensor without dimensions, ErrArgument for nil and for a dimension that x does not have, ErrUnsupported for Bool, for 64-bit
// integers and F64 where the device has none, and for more than 5 dimensions that do not merge, ErrClosed.
func Cumsum(x *weft.Tensor, dim int, options ...ScanOption) (*weft.Tensor, error) {
	return scans.new(newScan("cumsum", kernels.ReduceSum, dim, options), x)
}

// CumsumInto writes the cumulative sum of x into out, which may be the same view as x.
//
// Errors: as for Cumsum, ErrShape for another shape, ErrArgument for another type, ErrDevice, and ErrUnsupported if out
// repeats elements or overlaps x without being the same view.
func CumsumInto(out, x *weft.Tensor, dim int, options ...ScanOption) error {
	return scans.into(newScan("cumsum", kernels.ReduceSum, dim, options), out, x)
}

// Cumprod is the cumulative product along a dimension, of the type that Prod gives. For the rest see Cumsum.
func Cumprod(x *weft.Tensor, dim int, options ...ScanOption) (*weft.Tensor, error) {
	return scans.new(newScan("cumprod", kernels.ReduceProd, dim, options), x)
}

// CumprodInto writes the cumulative product of x into out; see CumsumInto.
func CumprodInto(out, x *weft.Tensor, dim int, options ...ScanOption) error {
	return scans.into(newScan("cumprod", kernels.ReduceProd, dim, options), out, x)
}

// Cummax is the largest element so far along a dimension, in x's type: NaN from the first NaN on, as in NumPy and PyTorch. That of nothing, which
// Exclusive starts with, is -infinity, and of integers the least of the type. For the rest see Cumsum.
func Cummax(x *weft.Tensor, dim int, options ...ScanOption) (*weft.Tensor, error) {
	return scans.new(newScan("cummax", kernels.ReduceMax, dim, options), x)
}

// CummaxInto writes the largest elements so far of x into out; see CumsumInto.
func CummaxInto(out, x *weft.Tensor, dim int, options ...ScanOption) error {
	return scans.into(newScan("cummax", kernels.ReduceMax, dim, options), out, x)
}

// Cummin is the smallest element so far along a dimension, in x's type: NaN from the first NaN on. That of nothing is +infinity, and of integers the
// greatest of the type. For the rest see Cumsum.
func Cummin(x *weft.Tensor, dim int, options ...ScanOption) (*weft.Tensor, error) {
	return scans.new(newScan("cummin", kernels.ReduceMin, dim, options), x)
}

// CumminInto writes the smallest elements so far of x into out; see CumsumInto.
func CumminInto(out, x *weft.Tensor, dim int, options ...ScanOption) error {
	return scans.into(newScan("cummin", kernels.ReduceMin, dim, options), out, x)
}

func (o *scanOptions) check(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	if x.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "a scalar has no rows, want at least 1 dimension").For("x")
	}
	_, err := dimension(o.op, o.dim, operand{"x", x})
	return x.Shape(), err
}

func (o *scanOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	x := in[0]
	dim, err := dimension(o.op, o.dim, operand{"x", x})
	if err != nil {
		return err
	}
	rows, columns, err := mergedRows(o.op, dim, x.Layout(), out.Layout())
	if err != nil {
		return err
	}
	p := kernels.ScanProblem{Op: o.kind, Elem: x.DType(), Rows: viewOf(rows[1]), Columns: columns}
	p.X = viewOf(rows[0]).Unlike(p.Rows)
	return o.launchPlan(p.Plan(pick(scanTune, x.Device(), p)),
		weft.TensorView{Tensor: x, Layout: rows[0]}, weft.TensorView{Tensor: out, Layout: rows[1]})
}

// launchPlan starts the kernels of a plan.
func (o *scanOptions) launchPlan(p kernels.ScanPlan, x, out weft.TensorView) error {
	cfg, views := p.Config, []weft.TensorView{x}
	cfg.Exclusive, cfg.Reverse = o.exclusive, o.reverse
	switch {
	case p.Words > 0:
		words, err := weft.Empty(out.Tensor.Device(), weft.U32, p.Words)
		if err != nil {
			return err
		}
		defer words.Close()
		views = append(views, ownView(words))
	case p.Parts > 1:
		made := scratch{}
		defer made.close()
		shape := out.Layout.Shape()
		shape[cfg.Axis()] = p.Parts
		for _, s := range kernels.Reducers[cfg.Op].States(cfg.Elem) {
			t := made.keep(weft.Empty(out.Tensor.Device(), s.Elem, shape...))
			if made.err != nil {
				return made.err
			}
			views = append(views, ownView(t))
		}
		if err := kernels.Reduce.LaunchViews(cfg.Sums(), nil, views...); err != nil {
			return err
		}
	}
	return kernels.Scan.LaunchViews(cfg, nil, append(views, out)...)
}
