package ops

import (
	"cmp"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/tile"
)

// product is a product that was asked for.
type product struct {
	given
	operands    []operand
	a, b        *weft.Tensor // the operands
	weights     *Quantized   // instead of b, whose tensors are operands then
	columns     *weft.Tensor // a view that b is, to be closed; nil for none
	shape       []int        // of the result
	result      weft.DType   // element type of the result; as an option gave it, 0 for none, until apply
	typed       bool         // result is given by ResultType
	alpha, beta float64
	steps       []step
	precision   tile.Precision
	tiles       []kernels.MatMulConfig
	swap        bool // computed as its transpose on every device
	packs       packMode
	wrong       wrongTiles
}

// step is a map of the epilogue with its further inputs.
type step struct {
	m    *weft.Map
	in   []operand
	bias bool // made by Bias
}

// newProduct checks the operands and the options.
func newProduct(op string, operands [2]operand, options []MatMulOption) (*product, error) {
	if err := cmp.Or(checkOperands(op, isFactor, operands[:]...), checkOpen(op, operands[:]...)); err != nil {
		return nil, err
	}
	p := &product{given: given{op: op}, operands: operands[:], a: operands[0].tensor, b: operands[1].tensor}
	shape, err := p.productShape()
	if err != nil {
		return nil, err
	}
	p.shape = shape
	return p, p.apply(options)
}

func (p *product) close() { p.columns.Close() }

// set lets the options work on the product.
func (p *product) set(options []MatMulOption) {
	for i, option := range options {
		if option == nil {
			p.miss(i)
			continue
		}
		option.setProduct(p)
	}
}

// apply sets what the options say.
func (p *product) apply(options []MatMulOption) error {
	p.alpha = 1
	p.set(options)
	if err := p.checkOptions(); err != nil {
		return err
	}
	if err := p.wrong.check(p.op); err != nil {
		return err
	}
	p.typed = p.result != dtype.Invalid
	switch {
	case p.typed:
	case p.a.DType().IsInt():
		p.result = weft.I32
	default:
		p.result = p.a.DType()
	}
	if !p.isResult(p.result) {
		return p.fault(weft.ErrUnsupported, "a result of %v from operands of %v, want %s", p.result, p.a.DType(), dtype.OneOf(p.isResult))
	}
	return p.checkSteps()
}

func isFactor(t weft.DType) bool { return t.IsFloat() || t == weft.I8 || t == weft.U8 }

// isResult reports whether results, and the tensors of an epilogue, may have an element type.
func (p *product) isResult(t weft.DType) bool {
	return t.IsFloat() || t == weft.I32 && p.a.DType().IsInt()
}

// fault is an error of the op.
func (p *product) fault(kind error, format string, args ...any) *fault.Error {
	return fault.New(kind, p.op, format, args...)
}

// productShape is the shape of the product by NumPy's rules.
func (p *product) productShape() ([]int, error) {
	a, b := p.a.Shape(), p.b.Shape()
	for i, s := range [][]int{a, b} {
		if len(s) == 0 {
			return nil, p.fault(weft.ErrShape, "a scalar, want a vector, a matrix or a batch of matrices").For(p.operands[i].name)
		}
	}
	unfit := func(format string, args ...any) error {
		args = append([]any{b, p.operands[0].name, a}, args...)
		return p.fault(weft.ErrShape, "shape %v does not fit %s's %v: "+format, args...).For(p.operands[1].name)
	}
	columns := b[max(0, len(b)-2):]
	if k := a[len(a)-1]; k != columns[0] {
		return nil, unfit("%s has %s, %s has %s", p.operands[0].name, fault.Count(k, "column"), p.operands[1].name, fault.Count(columns[0], "row"))
	}
	batch := [][]int{a[:max(0, len(a)-2)], b[:max(0, len(b)-2)]}
	shape, err := layout.BroadcastShapes(batch...)
	if err != nil {
		return nil, unfit("the batches %v and %v do not broadcast", batch[0], batch[1])
	}
	if len(a) > 1 {
		shape = append(shape, a[len(a)-2])
	}
	return append(shape, columns[1:]...), nil
}

func (p *product) checkSteps() error {
	n := 0
	for _, s := range p.steps {
		if s.m == nil {
			return p.fault(weft.ErrArgument, "the map to fuse is nil")
		}
		if want := len(s.m.Inputs()) - 1; len(s.in) != want || want < 0 {
			return p.fault(weft.ErrArgument, "the map has inputs %v, with %s given; the first input is the product, want a tensor for each of the others", s.m.Inputs(), fault.Count(len(s.in), "tensor"))
		}
		for _, in := range s.in {
			if err := p.checkTensor(in); err != nil {
				return err
			}
			if _, err := in.tensor.Layout().Broadcast(p.shape...); err != nil {
				return p.fault(weft.ErrShape, "shape %v does not broadcast to the result's %v", in.tensor.Shape(), p.shape).For(in.name)
			}
			n++
		}
	}
	if len(p.steps) > kernels.MaxSteps || n > kernels.MaxInputs {
		return p.fault(weft.ErrLimit, "%s with %s after a product, want at most %d with %d",
			fault.Count(len(p.steps), "step"), fault.Count(n, "tensor"), kernels.MaxSteps, kernels.MaxInputs)
	}
	return nil
}

// checkScalars refuses scalars that the result's type does not hold.
func (p *product) checkScalars() error {
	for _, x := range []struct {
		name  string
		value float64
	}{{"alpha", p.alpha}, {"beta", p.beta}} {
		if p.result == weft.I32 && (x.value != math.Trunc(x.value) || math.Abs(x.value) > math.MaxInt32) {
			return p.fault(weft.ErrArgument, "%v for a result of i32, want an integer of its range", x.value).For(x.name)
		}
	}
	return nil
}

// checkTensor checks a tensor beside the operands.
func (p *product) checkTensor(o operand) error {
	switch {
	case o.tensor == nil:
		return p.fault(weft.ErrArgument, "the tensor is nil").For(o.name)
	case o.tensor.Device() != p.a.Device():
		return o.tensor.CheckDevice(p.op, o.name, p.a, p.operands[0].name)
	case !p.isResult(o.tensor.DType()):
		return p.fault(weft.ErrUnsupported, "the tensor holds %v, want %s with operands of %v", o.tensor.DType(), dtype.OneOf(p.isResult), p.a.DType()).For(o.name)
	}
	return checkOpen(p.op, o)
}

// new returns the product as a new tensor.
func (p *product) new(launch func(out *weft.Tensor) error) (*weft.Tensor, error) {
	if p.beta != 0 {
		return nil, p.fault(weft.ErrArgument, "there is no result to add to, want the form with Into, which takes one").For("beta")
	}
	if err := p.checkScalars(); err != nil {
		return nil, err
	}
	return into(p.a.Device(), p.result, p.shape, launch)
}

// launch writes the product into a tensor.
func (p *product) launch(out *weft.Tensor) error {
	if err := p.checkTensor(operand{"out", out}); err != nil {
		return err
	}
	to := operand{"out", out}
	if err := cmp.Or(checkShape(p.op, to, p.shape), checkWritable(p.op, to)); err != nil {
		return err
	}
	inputs := slices.Clone(p.operands)
	for _, s := range p.steps {
		inputs = append(inputs, s.in...)
	}
	if err := checkApart(p.op, out, inputs...); err != nil {
		return err
	}
	if p.typed && p.result != out.DType() {
		return p.fault(weft.ErrArgument, "the tensor holds %v, want the ResultType, %v", out.DType(), p.result).For("out")
	}
	p.result = out.DType()
	if err := p.checkScalars(); err != nil {
		return err
	}
	tensors := make([]*weft.Tensor, 0, len(inputs)+1)
	for _, in := range inputs {
		tensors = append(tensors, in.tensor)
	}
	tensors = append(tensors, out)
	if p.weights != nil {
		return p.launchQuantized(tensors)
	}
	layouts, err := matrices(tensors)
	if err != nil {
		return err
	}
	return p.launchBatch(tensors, layouts)
}

// launchBatch starts the kernels; batch dimensions beyond those that a kernel can have are walked here.
func (p *product) launchBatch(tensors []*weft.Tensor, layouts []layout.Layout) error {
	if layouts[0].Rank() > kernels.MaxBatch+2 {
		for i := range layouts[0].Size(0) {
			part := make([]layout.Layout, len(layouts))
			for j, l := range layouts {
				part[j], _ = l.Select(0, i)
			}
			if err := p.launchBatch(tensors, part); err != nil {
				return err
			}
		}
		return nil
	}
	views := make([]weft.TensorView, len(tensors))
	for i, t := range tensors {
		views[i] = weft.TensorView{Tensor: t, Layout: layouts[i]}
	}
	workspace, err := p.packOperands(views)
	if err != nil {
		return err
	}
	defer workspace.close()
	problem := matMulProblem{Elem: p.a.DType(), A: viewOf(views[0].Layout), B: viewOf(views[1].Layout)}
	if problem.Elem == weft.F32 {
		problem.Precision = p.precision
	}
	if p.swap || len(p.tiles) == 0 && problem.swaps(p.a.Device().Caps()) {
		views = swapped(views)
		problem.A, problem.B = viewOf(views[0].Layout), viewOf(views[1].Layout)
	}
	return p.start(views, pick(matMulTune, p.a.Device(), problem))
}

// start starts the kernels of a config, but for what the options change, for views of the operands, the tensors of
// the steps, and the result.
func (p *product) start(views []weft.TensorView, cfg kernels.MatMulConfig) error {
	factors, views := views[:len(p.operands)], views[len(p.operands):]
	p.complete(&cfg, views)
	var scalars weft.Scalars
	for _, x := range []struct {
		used  bool
		value float64
	}{{cfg.Epilogue.Alpha, p.alpha}, {cfg.Epilogue.Beta, p.beta}} {
		switch {
		case x.used && p.result == weft.I32:
			scalars = append(scalars, int(x.value))
		case x.used:
			scalars = append(scalars, x.value)
		}
	}
	if cfg.SplitK > 1 && cfg.Atomic && cfg.Epilogue != (kernels.Epilogue{}) {
		return p.fault(weft.ErrUnsupported, "atomic sums have no epilogue, which needs the whole sum; store partial sums instead")
	}
	if !cfg.Partial() {
		return kernels.MatMul.LaunchViews(cfg, scalars, slices.Concat(factors, views)...)
	}
	return launchParts(cfg, scalars, factors, views)
}

// launchParts computes partial sums in a workspace and adds them.
func launchParts(cfg kernels.MatMulConfig, scalars weft.Scalars, factors, views []weft.TensorView) error {
	out := views[len(views)-1]
	shape := out.Layout.Shape()
	first := cfg
	first.Epilogue, first.Out = kernels.Epilogue{}, cfg.SumType()
	second := kernels.SumPartsConfigFor(out.Tensor.Device().Caps(), cfg.Out, shape[cfg.Batch], shape[cfg.Batch+1])
	second.Sum, second.Batch, second.Epilogue = cfg.SumType(), cfg.Batch, cfg.Epilogue
	if _, err := kernels.SumParts.Build(second); err != nil { // before anything is launched
		return err
	}
	parts, err := weft.Empty(out.Tensor.Device(), cfg.SumType(), append([]int{cfg.SplitK}, shape...)...)
	if err != nil {
		return err
	}
	defer parts.Close()
	part := weft.TensorView{Tensor: parts, Layout: parts.Layout()}
	if err := kernels.MatMul.LaunchViews(first, nil, slices.Concat(factors, []weft.TensorView{part})...); err != nil {
		return err
	}
	return kernels.SumParts.LaunchViews(second, scalars, append([]weft.TensorView{part}, views...)...)
}

// complete sets in a config what the options ask for, given the views of the steps' tensors and the result. The
// layouts of those tensors lose the rows and columns that they repeat.
func (p *product) complete(cfg *kernels.MatMulConfig, views []weft.TensorView) {
	cfg.Out = p.result
	if p.a.DType() == weft.F32 {
		cfg.Precision = p.precision
	}
	for _, t := range p.tiles {
		cfg.Merge(t)
	}
	if cfg.Batch == kernels.MaxBatch { // the workspace of partial sums would have too many dimensions
		cfg.SplitK = 0
	}
	e := &cfg.Epilogue
	e.Alpha, e.Beta = p.alpha != 1, p.beta != 0
	for i, s := range p.steps {
		e.Steps[i] = s.m
	}
	for i := range views[:len(views)-1] {
		e.Inputs[i], views[i].Layout = kernels.TensorBeside(views[i].Tensor.DType(), views[i].Layout)
	}
}
