package ops

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// productInputs are the places of a product's operands among its inputs: of the left one, and of what makes up the right one, which
// is a matrix or the three tensors of a quantised one. The tensors of the steps come after them.
const productInputs = 4

// productOptions are a product's options without their tensors.
type productOptions struct {
	given
	weights     quantKey   // the right operand, if it is quantised
	result      weft.DType // element type of the result; as an option gave it, 0 for none, until check
	typed       bool       // result is given by ResultType
	alpha, beta float64
	steps       [kernels.MaxSteps]step
	count       int  // of the steps, or too many
	inputs      int  // of all steps, or too many
	layerBias   bool // the first step is the bias of Linear
	precision   tile.Precision
	tiles       MatMulConfig
	tiled       bool // tiles are given
	swap        bool // computed as its transpose on every device
	scaled      bool // the first tensor of the epilogue is scales of the sums
	packs       packMode
	wrong       wrongTiles
}

// step is a map of the epilogue without its tensors.
type step struct {
	m      *weft.Map
	inputs int
	bias   bool // made by Bias
}

// productCall is a call's options with the tensors of the steps.
type productCall struct {
	productOptions
	tensors [kernels.MaxInputs]*weft.Tensor
}

// newProduct is what options ask for. Without weights that are quantised, and without the bias of a layer, these are nil.
func newProduct(op string, weights *Quantized, bias *weft.Tensor, options []MatMulOption) productCall {
	c := productCall{productOptions: productOptions{given: given{op: op}, weights: weights.key(), alpha: 1}}
	if bias != nil {
		c.layerBias = true
		c.step(AddMap, true, bias)
	}
	return applied(&productPool, c, options, MatMulOption.setProduct)
}

var productPool sync.Pool

// step adds a step with its tensors.
func (c *productCall) step(m *weft.Map, bias bool, in ...*weft.Tensor) {
	if c.count < kernels.MaxSteps {
		c.steps[c.count] = step{m, len(in), bias}
	}
	c.count++
	for _, t := range in {
		if c.inputs < kernels.MaxInputs {
			c.tensors[c.inputs] = t
		}
		c.inputs++
	}
}

// all are all inputs.
func (c *productCall) all(factors []*weft.Tensor) (in [productInputs + kernels.MaxInputs]*weft.Tensor) {
	copy(in[:], factors)
	copy(in[productInputs:], c.tensors[:])
	return in
}

func (c *productCall) new(factors ...*weft.Tensor) (*weft.Tensor, error) {
	if c.beta != 0 {
		return nil, c.fault(weft.ErrArgument, "there is no result to add to, want the form with Into, which takes one").For("beta")
	}
	in := c.all(factors)
	return products.new(c.productOptions, in[:]...)
}

func (c *productCall) into(out *weft.Tensor, factors ...*weft.Tensor) error {
	in := c.all(factors)
	return products.into(c.productOptions, out, in[:]...)
}

var products = declare(declaration[productOptions]{
	operands: productOptions.operands, check: (*productOptions).check, launch: (*productOptions).launch,
	result: func(o productOptions, _ weft.DType) weft.DType { return o.result }, accepts: productOptions.accepts,
})

// operands are the operands and the tensors of the steps.
func (o productOptions) operands(in []*weft.Tensor) []operand {
	list, tensors := o.factors(in), in[productInputs:]
	for _, s := range o.steps[:min(o.count, kernels.MaxSteps)] {
		for i := range min(s.inputs, len(tensors)) {
			name := "input"
			switch {
			case s.bias:
				name = "bias"
			case s.m != nil && i+1 < len(s.m.Inputs()):
				name = s.m.Inputs()[i+1]
			}
			list = append(list, operand{name, tensors[i]})
		}
		tensors = tensors[min(s.inputs, len(tensors)):]
	}
	return list
}

// factors are the operands alone.
func (o productOptions) factors(in []*weft.Tensor) []operand {
	switch {
	case o.weights.given:
		return append([]operand{{"a", in[0]}}, o.weights.matrix(in[1:]).operands()...)
	case o.op == "linear":
		return []operand{{"x", in[0]}, {"w", in[1]}}
	}
	return []operand{{"a", in[0]}, {"b", in[1]}}
}

// check checks the operands and the options.
func (o *productOptions) check(in []*weft.Tensor) ([]int, error) {
	shape, err := o.checkFactors(in)
	if err != nil {
		return nil, err
	}
	elem := in[0].DType()
	if err := cmp.Or(o.wrong.check(o.op), checkPrecision(o.op, "precision", o.precision, elem)); err != nil {
		return nil, err
	}
	o.typed = o.result != dtype.Invalid
	switch {
	case o.typed:
	case elem.IsInt():
		o.result = weft.I32
	default:
		o.result = elem
	}
	if allowed := resultsOf(elem); !allowed(o.result) {
		return nil, o.fault(weft.ErrUnsupported, "a result of %v from operands of %v, want %s", o.result, elem, dtype.OneOf(allowed))
	}
	return shape, o.checkSteps(o.operands(in), shape)
}

// checkFactors checks the operands and gives the shape of the result.
func (o *productOptions) checkFactors(in []*weft.Tensor) ([]int, error) {
	if o.weights.given {
		return checkQuantizedProduct(o.op, in[0], o.weights.matrix(in[1:]))
	}
	factors := o.factors(in)
	if o.op == "linear" {
		if err := checkLayer(in[0], in[1], in[productInputs], o.layerBias); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(checkOperands(o.op, isFactor, factors...), checkOpen(o.op, factors...)); err != nil {
		return nil, err
	}
	b := in[1].Shape()
	if o.op == "linear" {
		slices.Reverse(b)
	}
	return o.productShape(factors, in[0].Shape(), b)
}

func isFactor(t weft.DType) bool { return t.IsFloat() || t == weft.I8 || t == weft.U8 }

// resultsOf are the element types that results, and the tensors of an epilogue, may have for operands of one.
func resultsOf(elem weft.DType) func(weft.DType) bool {
	return func(t weft.DType) bool {
		return (t == weft.F64) == (elem == weft.F64) && (t.IsFloat() || t == weft.I32 && elem.IsInt())
	}
}

// fault is an error of the op.
func (o *productOptions) fault(kind error, format string, args ...any) *fault.Error {
	return fault.New(kind, o.op, format, args...)
}

// productShape is the shape of the product of operands of two shapes by NumPy's rules.
func (o *productOptions) productShape(factors []operand, a, b []int) ([]int, error) {
	for i, s := range [][]int{a, b} {
		if len(s) == 0 {
			return nil, o.fault(weft.ErrShape, "a scalar, want a vector, a matrix or a batch of matrices").For(factors[i].name)
		}
	}
	left, right := factors[0].name, factors[1].name
	unfit := func(format string, args ...any) error {
		args = append([]any{b, left, a}, args...)
		return o.fault(weft.ErrShape, "shape %v does not fit %s's %v: "+format, args...).For(right)
	}
	columns := b[max(0, len(b)-2):]
	if k := a[len(a)-1]; k != columns[0] {
		return nil, unfit("%s has %s, %s has %s", left, fault.Count(k, "column"), right, fault.Count(columns[0], "row"))
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

// checkSteps checks the epilogue, whose tensors are the last ones of the inputs, for a result of a shape.
func (o *productOptions) checkSteps(in []operand, shape []int) error {
	if o.count > kernels.MaxSteps || o.inputs > kernels.MaxInputs {
		return o.fault(weft.ErrLimit, "%s with %s after a product, want at most %d with %d",
			fault.Count(o.count, "step"), fault.Count(o.inputs, "tensor"), kernels.MaxSteps, kernels.MaxInputs)
	}
	for _, s := range o.steps[:o.count] {
		if s.m == nil {
			return o.fault(weft.ErrArgument, "the map to fuse is nil")
		}
		if want := len(s.m.Inputs()) - 1; s.inputs != want || want < 0 {
			return o.fault(weft.ErrArgument, "the map has inputs %v, with %s given; the first input is the product, want a tensor for each of the others", s.m.Inputs(), fault.Count(s.inputs, "tensor"))
		}
	}
	for _, t := range in[len(in)-o.inputs:] {
		if err := o.checkTensor(t, in[0]); err != nil {
			return err
		}
		if _, err := t.tensor.Layout().Broadcast(shape...); err != nil {
			return o.fault(weft.ErrShape, "shape %v does not broadcast to the result's %v", t.tensor.Shape(), shape).For(t.name)
		}
	}
	return nil
}

// checkTensor checks a tensor other than the operands, of which left is the left one.
func (o *productOptions) checkTensor(t, left operand) error {
	allowed := resultsOf(left.tensor.DType())
	switch {
	case t.tensor == nil:
		return o.fault(weft.ErrArgument, "the tensor is nil").For(t.name)
	case t.tensor.Device() != left.tensor.Device():
		return t.tensor.CheckDevice(o.op, t.name, left.tensor, left.name)
	case !allowed(t.tensor.DType()):
		return o.fault(weft.ErrUnsupported, "the tensor holds %v, want %s with operands of %v", t.tensor.DType(), dtype.OneOf(allowed), left.tensor.DType()).For(t.name)
	}
	return nil
}

// accepts checks the result, and that its type holds the scalars.
func (o productOptions) accepts(out operand, in []*weft.Tensor) error {
	if err := o.checkTensor(out, o.factors(in)[0]); err != nil {
		return err
	}
	elem := out.tensor.DType()
	if o.typed && o.result != elem {
		return o.fault(weft.ErrArgument, "the tensor holds %v, want the ResultType, %v", elem, o.result).For("out")
	}
	for _, x := range []struct {
		name  string
		value float64
	}{{"alpha", o.alpha}, {"beta", o.beta}} {
		if elem == weft.I32 && (x.value != math.Trunc(x.value) || math.Abs(x.value) > math.MaxInt32) {
			return o.fault(weft.ErrArgument, "%v for a result of i32, want an integer of its range", x.value).For(x.name)
		}
	}
	return nil
}

// launch writes the product into a tensor.
func (o *productOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	o.result = out.DType()
	if o.weights.given {
		return o.launchQuantized(out, in)
	}
	a, b := in[0], in[1]
	if o.op == "linear" {
		b = b.T()
		defer b.Close()
	}
	tensors := slices.Concat([]*weft.Tensor{a, b}, in[productInputs:productInputs+o.inputs], []*weft.Tensor{out})
	layouts, err := matrices(tensors)
	if err != nil {
		return err
	}
	return o.launchBatch(tensors, layouts)
}

// launchBatch starts the kernels; batch dimensions beyond those that a kernel can have are walked here.
func (o *productOptions) launchBatch(tensors []*weft.Tensor, layouts []layout.Layout) error {
	if layouts[0].Rank() > kernels.MaxBatch+2 {
		for i := range layouts[0].Size(0) {
			part := make([]layout.Layout, len(layouts))
			for j, l := range layouts {
				part[j], _ = l.Select(0, i)
			}
			if err := o.launchBatch(tensors, part); err != nil {
				return err
			}
		}
		return nil
	}
	views := make([]weft.TensorView, len(tensors))
	for i, t := range tensors {
		views[i] = weft.TensorView{Tensor: t, Layout: layouts[i]}
	}
	workspace, err := o.packOperands(views)
	if err != nil {
		return err
	}
	defer workspace.close()
	dev := tensors[0].Device()
	problem := o.problem(views)
	if o.swap || !o.tiled && problem.Swaps(dev.Caps()) {
		views = swapped(views)
		problem = o.problem(views)
	}
	if !o.tiled {
		switch cut := cutTune.Pick(dev.Caps(), problem); {
		case cut.At > 0:
			return launchCut(views[:2], views[2:], cut, o.startPlain)
		case cut.Even > 0:
			return o.launchEven(views, cut)
		}
	}
	return o.startPlain(views[:2], views[2:])
}

// startPlain starts the kernels of a product of views of two matrices.
func (o *productOptions) startPlain(factors, views []weft.TensorView) error {
	problem := o.problem(slices.Concat(factors, views))
	return o.start(factors, views, pick(matMulTune, factors[0].Tensor.Device(), problem))
}

// problem is what the config of a product depends on.
func (o *productOptions) problem(views []weft.TensorView) kernels.MatMulProblem {
	elem := views[0].Tensor.DType()
	p := kernels.MatMulProblem{Elem: elem, A: viewOf(views[0].Layout), B: viewOf(views[1].Layout)}
	if elem == weft.F32 {
		p.Precision = o.precision
	}
	p.Out, p.Result = tune.StridesOf(views[len(views)-1].Layout), kernels.Unusual(elem, o.result)
	return p
}

// start starts the kernels of a config, but for what the options change, for views of the operands, and of the tensors of
// the steps and the result.
func (o *productOptions) start(factors, views []weft.TensorView, cfg MatMulConfig) error {
	o.complete(&cfg, views)
	if o.weights != (quantKey{}) && cfg.Weights.Bits == 0 {
		cfg.Interleave, cfg.SliceK, cfg.Strips, cfg.RowPitch, cfg.InOrder, cfg.ScaleFirst = 0, 0, 0, 0, false, false // weights that were dequantised are as any matrix
	}
	cfg.ClusterK = cfg.ClusterK && factors[0].Tensor.Device().Caps().Clusters
	if err := cfg.Consistent(); err != nil && o.tiled {
		return o.fault(weft.ErrUnsupported, "%v", err).For("Tiles")
	}
	if field, err := cfg.CheckBytes(); err != nil {
		return o.fault(weft.ErrArgument, "%v", err).For("Tiles." + field)
	}
	if err := cfg.CheckInterleave(factors[0].Layout.Size(factors[0].Layout.Rank() - 1)); err != nil {
		return o.fault(weft.ErrArgument, "%v", err).For("Tiles.Interleave")
	}
	rows, err := orderedRows(factors[0], cfg)
	if err != nil {
		return err
	}
	if rows != nil {
		defer rows.Close()
		factors = slices.Concat([]weft.TensorView{view(rows)}, factors[1:])
	}
	cfg.MostRows = cfg.FitRows(factors[0].Layout.Size(factors[0].Layout.Rank() - 2))
	right, out := factors[1].Layout, views[len(views)-1].Layout
	cfg.MostColumns = cfg.FitColumns(max(right.Size(right.Rank()-1), out.Size(out.Rank()-1)))
	cfg.Together = cfg.Producers > 0 && kernels.SharesLeft(factors[0].Layout, right)
	cfg.Padded = cfg.Weights == (kernels.QuantView{}) && padded(factors[0].Layout, right, out)
	var scalars weft.Scalars
	for _, x := range []struct {
		used  bool
		value float64
	}{{cfg.Epilogue.Alpha, o.alpha}, {cfg.Epilogue.Beta, o.beta}} {
		if x.used {
			scalars = append(scalars, kernels.SumScalars(o.result, x.value)...)
		}
	}
	if cfg.SplitK > 1 && cfg.Atomic && o.result != weft.F32 && o.result != weft.I32 {
		return o.fault(weft.ErrUnsupported, "there are no atomic sums of %v; store partial sums instead", o.result).For("Tiles.Atomic")
	}
	if cfg.SplitK > 1 && cfg.Atomic && cfg.Epilogue != (kernels.Epilogue{}) {
		return o.fault(weft.ErrUnsupported, "atomic sums have no epilogue, which needs the whole sum; store partial sums instead")
	}
	if !cfg.Partial() {
		return kernels.MatMul.LaunchViews(cfg, scalars, slices.Concat(factors, views)...)
	}
	return launchParts(o.op, cfg, scalars, factors, views)
}

// padded reports whether operands of a product have more elements along a dimension than each other or the result.
func padded(a, b, out layout.Layout) bool {
	row := out.Rank() - 2
	col := row + 1
	return a.Size(row) != out.Size(row) || b.Size(col) != out.Size(col) || a.Size(col) != b.Size(row)
}

// isColumnMajor reports whether elements of a column of matrices are contiguous and those of a row are not.
func isColumnMajor(l layout.Layout) bool {
	row, column := l.Rank()-2, l.Rank()-1
	return l.Stride(row) == 1 && l.Size(row) > 1 && l.Stride(column) != 1
}

// launchParts computes partial sums in a workspace and adds them. Where columns of the result are contiguous, as of a product that is computed as its transpose, those of the sums are, too, and the second
// kernel has the transposes of its views.
func launchParts(op string, cfg MatMulConfig, scalars weft.Scalars, factors, views []weft.TensorView) error {
	transposed := isColumnMajor(views[len(views)-1].Layout)
	if transposed {
		views, cfg.Epilogue = transposes(views), cfg.Epilogue.Transposed()
	}
	out := views[len(views)-1]
	shape := out.Layout.Shape()
	first := cfg
	first.Epilogue, first.Out = kernels.Epilogue{}, cfg.SumType()
	sums, batch := shape, cfg.Batch // the second kernel's result
	row, err := out.Layout.Reshape(1, out.Layout.Len())
	if err == nil && len(views) == 1 && row.Len() <= math.MaxInt32-tile.MaxTileElements { // one kernel for all shapes
		sums, batch, views = row.Shape(), 0, []weft.TensorView{{Tensor: out.Tensor, Layout: row}}
	}
	second := kernels.SumPartsConfigFor(out.Tensor.Device().Caps(), cfg.Out, sums[batch], sums[batch+1], cfg.SplitK)
	second.Sum, second.Batch, second.Epilogue = cfg.SumType(), batch, cfg.Epilogue
	if _, err := kernels.SumParts.Build(second); err != nil { // before anything is launched
		return err
	}
	all := append([]int{cfg.SplitK}, shape...)
	parts, err := weft.Empty(out.Tensor.Device(), cfg.SumType(), all...)
	if err != nil {
		return noRoom(op, cfg.SumType(), all, err).For("out")
	}
	defer parts.Close()
	part := weft.TensorView{Tensor: parts, Layout: parts.Layout()}
	product := []weft.TensorView{part}
	if transposed {
		product = transposes(product)
	}
	if err := kernels.MatMul.LaunchViews(first, nil, slices.Concat(factors, product)...); err != nil {
		return err
	}
	if part.Layout, err = part.Layout.Reshape(append([]int{cfg.SplitK}, sums...)...); err != nil {
		return err
	}
	return kernels.SumParts.LaunchViews(second, scalars, append([]weft.TensorView{part}, views...)...)
}

// complete sets in a config what the options ask for, given the views of the steps' tensors and the result. The
// layouts of those tensors lose the rows and columns that they repeat.
func (o *productOptions) complete(cfg *MatMulConfig, views []weft.TensorView) {
	cfg.Out = o.result
	if cfg.Elem == weft.F32 {
		cfg.Precision = o.precision
	}
	if o.tiled {
		cfg.Merge(o.tiles)
	}
	if cfg.Batch == kernels.MaxBatch { // the workspace of partial sums would have too many dimensions
		cfg.SplitK = 0
	}
	e := &cfg.Epilogue
	e.Alpha, e.Beta, e.Scaled = o.alpha != 1, o.beta != 0, o.scaled
	for i, s := range o.steps {
		e.Steps[i] = s.m
	}
	for i := range views[:len(views)-1] {
		e.Inputs[i], views[i].Layout = kernels.BroadcastOf(views[i].Tensor.DType(), views[i].Layout)
	}
}
