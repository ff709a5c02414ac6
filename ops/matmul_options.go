package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// MatMulOption changes what a product is, or how it is computed.
type MatMulOption func(*product)

// ResultType sets the element type of a new result: F32, F16 or BF16, and I32 for operands of I8 and U8. With the forms
// that write into a tensor, the tensor's type decides, and another one is refused with ErrShape.
func ResultType(elem weft.DType) MatMulOption { return func(p *product) { p.result = elem } }

// Alpha multiplies the product by a number, before anything is added to it. For a result of I32 it must be an I32, too.
func Alpha(x float64) MatMulOption { return func(p *product) { p.alpha = x } }

// Beta adds to the product the elements that the result had before, times a number; if that is 0 they are not
// read. It is for MatMulInto. For a result of I32 it must be an I32, too.
func Beta(x float64) MatMulOption { return func(p *product) { p.beta = x } }

// Bias adds a tensor that broadcasts to the result: a vector [N] to each row, [M,1] to each column, [B,1,1] to the
// matrices of a batch, or a whole residual. Its element type may be any that a result has.
func Bias(x *weft.Tensor) MatMulOption {
	return func(p *product) { p.steps = append(p.steps, step{AddMap, []operand{{"bias", x}}, true}) }
}

// Fuse applies a map to the product before it is stored: its first input is the product, and the others are tensors
// that broadcast to the result. ReLUMap, GELUMap and their like are such maps, and weft.NewMap makes one of a
// Go function:
//
//	var gate = weft.NewMap("gate", []string{"x", "g"}, func(in []*tile.Value) *tile.Value {
//		return in[0].Mul(in[1].Sigmoid())
//	})
//	y, err := ops.MatMul(a, w, ops.Bias(b), ops.Fuse(gate, g))
//
// Maps get values of F32, or of I32 for such a result, and are rounded to the result's type once, behind the last.
// Up to 4 steps with 4 tensors, Bias among them, are done in the order of the options.
func Fuse(m *weft.Map, in ...*weft.Tensor) MatMulOption {
	return func(p *product) {
		s := step{m: m}
		for i, x := range in {
			name := "input"
			if m != nil && i+1 < len(m.Inputs()) {
				name = m.Inputs()[i+1]
			}
			s.in = append(s.in, operand{name, x})
		}
		p.steps = append(p.steps, s)
	}
}

// Precision sets the least precision of the products of F32 operands: tile.IEEE,
// which is the default, tile.TF32x3 or tile.TF32, for which devices with matrix instructions use those; MatMulBound
// says how large errors are. Products of F16 and BF16 are always exact,
// with sums in F32.
func Precision(x tile.Precision) MatMulOption { return func(p *product) { p.precision = x } }

// Tiles replaces the config that was chosen for the shape; zero fields stay, and so does what follows from
// the operands. RowByRow, and producers with what goes with them, are those of t if that has a BM; groups of consumers that were chosen go if t has a BN or a
// SplitK. A product with fewer columns than rows, and few of them, is
// computed as the product of the transposed operands: rows are columns in its config. No operand is packed before it but
// with Pack.
func Tiles(t MatMulConfig) MatMulOption {
	return func(p *product) { p.tiles = append(p.tiles, t) }
}

// merge takes over the fields of t that are set.
func (cfg *MatMulConfig) merge(t MatMulConfig) {
	for _, f := range []struct{ to, from *int }{
		{&cfg.BM, &t.BM}, {&cfg.BN, &t.BN}, {&cfg.BK, &t.BK}, {&cfg.Persistent, &t.Persistent},
		{&cfg.SplitK, &t.SplitK}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages},
		{&cfg.Producers, &t.Producers}, {&cfg.Consumers, &t.Consumers}, {&cfg.InFlight, &t.InFlight}, {&cfg.Cluster, &t.Cluster},
	} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	if t.BM != 0 {
		cfg.RowByRow, cfg.Producers, cfg.Consumers, cfg.InFlight, cfg.Cluster = t.RowByRow, t.Producers, t.Consumers, t.InFlight, t.Cluster
	}
	if t.BM != 0 || t.SplitK > 1 { // neither goes with programs that were chosen for other tiles
		cfg.Persistent = t.Persistent
	}
	if (cfg.Persistent == 0 || t.BN != 0) && cfg.Consumers > 1 && t.Consumers == 0 { // groups that were chosen have no such tiles to take turns with
		if cfg.Consumers = 0; t.Threads == 0 {
			cfg.Threads = min(2*cfg.BM, 256)
		}
	}
	if t.Order != (tile.Order{}) {
		cfg.Order = t.Order
	}
	cfg.Atomic = cfg.Atomic || t.Atomic
}
