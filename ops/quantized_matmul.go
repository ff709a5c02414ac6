package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// factor is the second operand of a product within a kernel.
type factor interface {
	// load loads the tile [rows,cols] at coordinates in the batch and of tiles.
	load(at []tile.Operand, rows, cols int) *tile.Value
	// finish does to sums of products [rows,cols], in tile column col, what can wait until then.
	finish(sums *tile.Value, col tile.Operand) *tile.Value
}

// declareB declares the views of b.
func (cfg MatMulConfig) declareB(k *tile.Builder) factor {
	if cfg.Weights.Bits != 0 {
		return cfg.Weights.declare(k)
	}
	return plain{k.In("b", cfg.Elem, cfg.Batch+2)}
}

// plain is a factor whose elements are in memory as they are.
type plain struct{ *tile.View }

func (p plain) load(at []tile.Operand, rows, cols int) *tile.Value {
	return matrixBlock(p.View, at, rows, cols)
}

func (p plain) finish(sums *tile.Value, _ tile.Operand) *tile.Value { return sums }

// load is a tile of the real numbers in F32, or, where a column has one scale, of the integers less their zero points.
func (w *quantTiles) load(at []tile.Operand, rows, cols int) *tile.Value {
	at, size := at[len(at)-2:], [2]int{rows, cols}
	x := w.numbers(size, at)
	if w.Block[0] != 0 {
		x = x.Mul(w.scale(size, at))
	}
	return x
}

// finish multiplies by what is the scale of whole columns.
func (w *quantTiles) finish(sums *tile.Value, col tile.Operand) *tile.Value {
	if w.Block[0] != 0 {
		return sums
	}
	shape := sums.Type().Shape
	return sums.Mul(w.scale([2]int{1, shape[1]}, []tile.Operand{0, col}))
}

// QuantizedMatMul returns the product of a [M,K], of F32, F16 or BF16, and a quantised matrix w [K,N] as a new tensor [M,N] of
// a's type. The weights of a layer x @ w.T, quantised as [N,K] with Block {1, G} for groups of G or {1, 0} per channel, go in as w.T(). They
// travel as they are stored and become real numbers in registers; sums are in F32. Options are those of MatMul: Bias, Fuse, Alpha, ResultType
// and the others. a may be any view.
//
// Integers less zero points are exact in every type of a. Where groups share scales, their product with the scale is
// rounded to the type of a, beyond whose largest number it is infinite; scales of whole columns multiply the sums.
//
// Errors: as for MatMul and NewQuantized.
func QuantizedMatMul(a *weft.Tensor, w *Quantized, options ...MatMulOption) (*weft.Tensor, error) {
	p, err := newQuantizedProduct(a, w, options)
	if err != nil {
		return nil, err
	}
	return p.new(func(out *weft.Tensor) error { return QuantizedMatMulInto(out, a, w, options...) })
}

// QuantizedMatMulInto writes the product that QuantizedMatMul returns into out, whose element type may be any float type.
//
// Errors: as for QuantizedMatMul, and ErrUnsupported if out repeats elements or overlaps a, a tensor of w, or one of Bias or Fuse.
func QuantizedMatMulInto(out, a *weft.Tensor, w *Quantized, options ...MatMulOption) error {
	if w == nil {
		return w.check("quantized_matmul")
	}
	var all [5]*weft.Tensor
	return productKey{weights: w.key()}.run(options, w.appendTo(append(all[:0], out, a))...)
}

func quantizedMatMulInto(out, a *weft.Tensor, w *Quantized, options []MatMulOption) error {
	p, err := newQuantizedProduct(a, w, options)
	if err != nil {
		return err
	}
	return p.launch(out)
}

func newQuantizedProduct(a *weft.Tensor, w *Quantized, options []MatMulOption) (*product, error) {
	const op = "quantized_matmul"
	if err := w.check(op); err != nil {
		return nil, err
	}
	left := operand{"a", a}
	if err := checkOperands(op, dtype.Type.IsFloat, left); err != nil {
		return nil, err
	}
	if err := w.checkDevice(op, left); err != nil {
		return nil, err
	}
	if a.Rank() != 2 || a.Dim(1) != w.Shape[0] {
		return nil, fault.New(weft.ErrShape, op, "shape %v, want [M %d] for weights %v", a.Shape(), w.Shape[0], w.Shape).For("a")
	}
	p := &product{op: op, a: a, weights: w, operands: append([]operand{left}, w.operands()...), shape: []int{a.Dim(0), w.Shape[1]}}
	if err := checkOpen(op, p.operands...); err != nil {
		return nil, err
	}
	return p, p.apply(options)
}

// launchQuantized starts the kernels for the operands, the tensors of the steps, and the result.
func (p *product) launchQuantized(tensors []*weft.Tensor) error {
	m, n := p.shape[0], p.shape[1]
	if m == 0 || n == 0 {
		return nil
	}
	views := make([]weft.TensorView, len(tensors))
	for i, t := range tensors {
		views[i] = weft.TensorView{Tensor: t, Layout: t.Layout()}
		if i >= len(p.operands) {
			var err error
			if views[i].Layout, err = t.Layout().Broadcast(p.shape...); err != nil {
				return err
			}
		}
	}
	problem := quantizedProblem{p.a.DType(), viewOf(views[0].Layout), n, p.weights.view(), p.weights.fastest()}
	return p.start(views, pick(quantizedTune, p.a.Device(), problem))
}

// fastest is the dimension along which the integers lie in runs.
func (q *Quantized) fastest() int { return fastest(q.Data.Layout()) }

// fastest is the dimension of a matrix along which its elements lie in runs.
func fastest(l layout.Layout) int {
	if l.Size(1) <= 1 || l.Size(0) > 1 && l.Stride(0) < l.Stride(1) {
		return 0
	}
	return 1
}

// QuantizedMatMulConfigFor chooses the config for a product of [m,k] and quantised [k,n] whose integers lie in
// runs along dimension fastest. Tiles are those of MatMul but for one: a few rows are limited by the memory that the weights come from, so
// that programs read these in runs of 128 bytes at least.
func QuantizedMatMulConfigFor(caps target.Caps, elem weft.DType, weights QuantView, fastest, m, n, k int) MatMulConfig {
	caps.TensorMaps = false // weights are no numbers before threads have computed them
	cfg := matMulConfig(elem, 0)
	cfg.Weights = weights
	cfg = matMulConfigFor(caps, cfg, m, n, k)
	if cfg.RowByRow {
		cfg.SplitK, cfg.Stages = 0, 0
		cfg.fitWeights(caps, fastest, m, n, k)
	}
	cfg.fitBlocks()
	return cfg
}

// fitWeights chooses blocks of weights for products of a few rows. Along a run that is the reduction they are long: their columns are then so many
// programs that few have to share one.
func (cfg *MatMulConfig) fitWeights(caps target.Caps, fastest, m, n, k int) {
	area := min(1<<13, 1<<14/cfg.BM)  // at most 64 sums in each of 256 threads
	run := 128 * 8 / cfg.Weights.Bits // 128 bytes
	if fastest == 0 {
		run *= 8 // all threads, 4 bytes each
	}
	each := 16 // weights of a thread
	switch {
	case scarce(caps): // at most 32 sums in each thread
		area, each = min(1<<10, 1<<13/cfg.BM), max(min(16, 32/cfg.BM), 1)
		run = min(run, area/2) // which leaves two, whole bytes, across
	case cfg.BM == 1:
		// 16 weights and as many sums in a thread take 60 registers, twice as many 98: four workgroups share a multiprocessor, not
		// two, and one row is all waiting for memory.
		area, run = 1<<12, min(run, 1<<9)
	}
	run = min(run, area)
	along, across := &cfg.BK, &cfg.BN
	sizes := [2]int{k, n}
	if fastest == 1 {
		along, across, sizes = across, along, [2]int{n, k}
	}
	*along = min(pow2.Ceil(max(sizes[0], 2)), run) // 2: whole bytes
	*across = min(pow2.Ceil(max(sizes[1], 2)), area / *along)
	cfg.Threads = min(max(cfg.BK*cfg.BN/each, 32), 256)
	cfg.limitThreads(caps)
	cfg.split(4*multiprocessors, 4*cfg.BK, 1, m, n, k)
}

// fitBlocks makes steps along the reduction hold whole groups, or groups whole steps, unless they would become too short, and tiles
// whole bytes.
func (cfg *MatMulConfig) fitBlocks() {
	w := cfg.Weights
	if group := w.Block[0]; group > 0 && group%cfg.BK != 0 && cfg.BK%group != 0 {
		if part := group & -group; part >= 8 {
			cfg.BK = min(cfg.BK, part)
		}
	}
	if w.Bits == 4 && w.Packed == 0 {
		cfg.BK = max(cfg.BK, 2)
	} else if w.Bits == 4 {
		cfg.BN = max(cfg.BN, 2)
	}
}

// QuantizedMatMulConfigs lists the configs that are worth trying; QuantizedMatMulConfigFor's choice comes first.
func QuantizedMatMulConfigs(caps target.Caps, elem weft.DType, weights QuantView, fastest, m, n, k int) []MatMulConfig {
	list := []MatMulConfig{QuantizedMatMulConfigFor(caps, elem, weights, fastest, m, n, k)}
	seen := map[MatMulConfig]bool{list[0]: true}
	caps.TensorMaps = false
	for _, cfg := range MatMulConfigs(caps, elem, m, n, k) {
		cfg.Weights = weights
		if cfg.fitBlocks(); !seen[cfg] {
			seen[cfg] = true
			list = append(list, cfg)
		}
	}
	return list
}

// QuantizedMatMulBound is the largest error of one element of a product over k terms with weights (q - zero) · scale, given the exact element
// of rounded activations and real weights, the sum of its terms' magnitudes, and that of the activations alone. To MatMulBound's
// error it adds that of the weights: a rounding of F32 and one to the activations' type, in which small ones may be subnormal.
func QuantizedMatMulBound(elem weft.DType, k int, element, magnitudes, activations float64) float64 {
	weights := (dtype.F32.Epsilon()+elem.Epsilon())*magnitudes + (smallest(elem)+smallest(dtype.F32))*activations
	return weights*(1+elem.Epsilon()) + MatMulBound(elem, tile.IEEE, k, element, magnitudes*(1+2*elem.Epsilon()))
}
