package ops

import (
	"math"
	"runtime"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// MatMulConfig is what the kernel of MatMul is built for. Sizes are in elements
// and powers of two.
type MatMulConfig struct {
	Elem      weft.DType     // of the operands and the result; sums are F32
	BM, BN    int            // tile of the result that one program computes
	BK        int            // step along the reduction
	Order     tile.Order     // in which programs take the tiles of the result
	SplitK    int            // programs that share the reduction of a tile; 0 and 1 are one
	Atomic    bool           // those add to the result by atomic ops, which F32 alone has, instead of storing partial sums for SumPartsKernel
	Threads   int            // of a workgroup; 0 lets the compiler choose
	Stages    int            // steps in flight: 2 loads one while the one before computes; 0 lets the compiler choose
	Precision tile.Precision // least precision of the products
}

// MatMulKernel is the kernel of MatMul; its views are a [M,K], b [K,N] and out [M,N], or
// out [SplitK,M,N] of F32 where cfg.Partial says so.
var MatMulKernel = weft.NewKernel("matmul", describeMatMul)

func describeMatMul(k *tile.Builder, cfg MatMulConfig) {
	a, b := k.In("a", cfg.Elem, 2), k.In("b", cfg.Elem, 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads, Stages: cfg.Stages, Order: cfg.Order, SplitK: cfg.SplitK})
	var out *tile.View
	if cfg.Partial() {
		out = k.Out("out", dtype.F32, 3)
	} else {
		out = k.Out("out", cfg.Elem, 2)
	}
	row, col := k.TileID(k.CDiv(out.Dim(out.Rank-2), cfg.BM), k.CDiv(out.Dim(out.Rank-1), cfg.BN))

	as, bs := a.Block(cfg.BM, cfg.BK), b.Block(cfg.BK, cfg.BN)
	sum := k.Var(k.Zeros(dtype.F32, cfg.BM, cfg.BN))
	for i := range k.SplitRange(k.CDiv(a.Dim(1), cfg.BK)) {
		sum.Set(tile.Dot(as.Load(row, i), bs.Load(i, col), sum.Get(), cfg.Precision))
	}
	if cfg.Partial() {
		out.Block(1, cfg.BM, cfg.BN).Store(sum.Get().Expand(0), k.SplitID(), row, col)
	} else {
		out.Block(cfg.BM, cfg.BN).Accumulate(sum.Get().Cast(cfg.Elem), row, col)
	}
}

// Partial reports whether programs store partial sums.
func (cfg MatMulConfig) Partial() bool { return cfg.SplitK > 1 && !cfg.Atomic }

// MatMulOption changes how a product is computed.
type MatMulOption func(*MatMulConfig)

// Precision sets the least precision of the products of F32 operands: tile.IEEE,
// which is the default, or tile.TF32. Products of F16 and BF16 are always exact,
// with sums in F32.
func Precision(p tile.Precision) MatMulOption {
	return func(cfg *MatMulConfig) {
		if cfg.Elem == weft.F32 {
			cfg.Precision = p
		}
	}
}

// Tiles replaces the config that was chosen for the shape; zero fields stay.
func Tiles(t MatMulConfig) MatMulOption {
	return func(cfg *MatMulConfig) {
		for _, f := range []struct{ to, from *int }{
			{&cfg.BM, &t.BM}, {&cfg.BN, &t.BN}, {&cfg.BK, &t.BK}, {&cfg.SplitK, &t.SplitK}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages},
		} {
			if *f.from != 0 {
				*f.to = *f.from
			}
		}
		if t.Order != (tile.Order{}) {
			cfg.Order = t.Order
		}
		cfg.Atomic = cfg.Atomic || t.Atomic
	}
}

// MatMul returns the matrix product of a [M,K] and b [K,N], both F32, F16 or BF16,
// as a new tensor [M,N] of the same type. Any views will do, transposed ones
// included; K = 0 gives zeros. On one device every run gives the same bits, but
// with Tiles of an Atomic config.
//
// Errors: ErrShape for shapes or element types that do not fit, ErrUnsupported
// for other element types, ErrDevice, ErrClosed.
func MatMul(a, b *weft.Tensor, options ...MatMulOption) (*weft.Tensor, error) {
	if err := checkMatMul(a, b); err != nil {
		return nil, err
	}
	shape := []int{a.Dim(0), b.Dim(1)}
	return into(a.Device(), a.DType(), shape, func(out *weft.Tensor) error {
		return MatMulInto(out, a, b, options...)
	})
}

// MatMulInto writes the matrix product of a [M,K] and b [K,N] into out [M,N].
//
// Errors: as for MatMul, and ErrUnsupported if out repeats elements or overlaps a or b.
func MatMulInto(out, a, b *weft.Tensor, options ...MatMulOption) error {
	if err := checkMatMul(a, b); err != nil {
		return err
	}
	if err := checkOperands("matmul", dtype.Type.IsFloat, operand{"a", a}, operand{"out", out}); err != nil {
		return err
	}
	m, n := a.Dim(0), b.Dim(1)
	if out.Rank() != 2 || out.Dim(0) != m || out.Dim(1) != n {
		return fault.New(weft.ErrShape, "matmul", "shape %v, want [%d %d]", out.Shape(), m, n).For("out")
	}
	if err := checkApart("matmul", out, operand{"a", a}, operand{"b", b}); err != nil {
		return err
	}
	cfg := MatMulConfigFor(a.Device().Caps(), a.DType(), m, n, a.Dim(1))
	for _, option := range options {
		option(&cfg)
	}
	if !cfg.Partial() {
		return MatMulKernel.Launch(cfg, a, b, out)
	}
	parts, err := weft.Empty(out.Device(), weft.F32, cfg.SplitK, m, n)
	if err != nil {
		return err
	}
	defer parts.Close()
	if err := MatMulKernel.Launch(cfg, a, b, parts); err != nil {
		return err
	}
	return SumPartsKernel.Launch(SumPartsConfigFor(out.Device().Caps(), out.DType(), m, n), parts, out)
}

func checkMatMul(a, b *weft.Tensor) error {
	if err := checkOperands("matmul", dtype.Type.IsFloat, operand{"a", a}, operand{"b", b}); err != nil {
		return err
	}
	for _, o := range []operand{{"a", a}, {"b", b}} {
		if o.tensor.Rank() != 2 {
			return fault.New(weft.ErrShape, "matmul", "shape %v has %d dimensions, want 2", o.tensor.Shape(), o.tensor.Rank()).For(o.name)
		}
	}
	if a.Dim(1) != b.Dim(0) {
		return fault.New(weft.ErrShape, "matmul", "shape %v does not fit a's %v: %d columns, %d rows",
			b.Shape(), a.Shape(), a.Dim(1), b.Dim(0)).For("b")
	}
	return nil
}

// MatMulConfigFor chooses the config for a product of [m,k] and [k,n].
func MatMulConfigFor(caps target.Caps, elem weft.DType, m, n, k int) MatMulConfig {
	cfg := MatMulConfig{Elem: elem, Precision: tile.IEEE}
	if elem != weft.F32 {
		cfg.Precision = tile.Float32Accumulate
	}
	if caps.Language == target.TileIR {
		largest := MatMulConfig{BM: 256, BN: 256, BK: 256, Order: tile.Order{Kind: tile.GroupedRows, Group: 4}}
		programs := 2 * runtime.GOMAXPROCS(0)
		cfg.fit(largest, 1, 64*64, programs, m, n, k)
		cfg.split(programs, 1<<13, m, n, k)
		return cfg
	}
	largest := MatMulConfig{BM: 128, BN: 128, BK: 16, Order: tile.Order{Kind: tile.GroupedRows, Group: 8}}
	if caps.Registers > 0 && caps.Registers < 64 {
		largest.BM, largest.BN = 64, 64 // 16 sums in each of 256 threads
	}
	cfg.fit(largest, 16, 32*32, 132, m, n, k)
	cfg.split(132, 512, m, n, k)
	for caps.SharedBytes > 0 && (cfg.BM+cfg.BN)*cfg.BK*4 > caps.SharedBytes && cfg.BK > 4 {
		cfg.BK /= 2
	}
	cfg.Threads = min(max(cfg.BM*cfg.BN/16, 32), 256)
	if cfg.BM*cfg.BN == 128*128 && caps.Registers >= 255 {
		cfg.Threads = 128 // 8 × 16 sums a thread: more of them for each element read from shared memory
	}
	if caps.MaxThreads > 0 {
		cfg.Threads = min(cfg.Threads, pow2.Floor(caps.MaxThreads))
	}
	return cfg
}

// fit takes the largest tiles, cut down to the matrices (but to least at most), and
// halves them while they are fewer than the programs that fill the machine and
// have more than area elements.
func (cfg *MatMulConfig) fit(largest MatMulConfig, least, area, programs, m, n, k int) {
	size := func(have, largest int) int { return max(min(pow2.Ceil(have), largest), least) }
	cfg.BM, cfg.BN, cfg.BK = size(m, largest.BM), size(n, largest.BN), size(k, largest.BK)
	cfg.Order = largest.Order
	for cfg.BM*cfg.BN > area && ceilDiv(m, cfg.BM)*ceilDiv(n, cfg.BN) < programs {
		if cfg.BM >= cfg.BN {
			cfg.BM /= 2
		} else {
			cfg.BN /= 2
		}
	}
}

// split shares the reductions among the programs that fill the machine where the
// tiles of the result are at most half as many, in parts of least terms at least: beside
// so many, the partial sums cost little to write and to add.
func (cfg *MatMulConfig) split(programs, least, m, n, k int) {
	tiles := ceilDiv(m, cfg.BM) * ceilDiv(n, cfg.BN)
	if parts := min(programs/max(tiles, 1), k/least); tiles > 0 && parts > 1 {
		cfg.SplitK = parts
	}
}

func ceilDiv(x, y int) int { return (x + y - 1) / y }

// MatMulBound is the largest error of one element of a product over k terms,
// given the exact element of the rounded operands and the sum of its terms'
// magnitudes: sums in F32 in any order, then one rounding to the element type.
// TF32 products add 2^-10 of the magnitudes.
func MatMulBound(elem weft.DType, precision tile.Precision, k int, element, magnitudes float64) float64 {
	sums := sumBound(k) * magnitudes
	if precision == tile.TF32 {
		sums += 0x1p-10 * magnitudes
	}
	return sums + elem.Epsilon()*(math.Abs(element)+sums) + smallest(elem)
}

// sumBound is the error of an F32 sum of n terms, relative to the sum of their
// magnitudes: n roundings at worst. For many terms it takes the roundings to be
// independent, as they are for data without structure; then the error stays below
// 8 sqrt(n) units with a probability that leaves no practical doubt (Higham and
// Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019).
func sumBound(n int) float64 {
	x := float64(n + 1)
	return min(x, 8*math.Sqrt(x)) * dtype.F32.Epsilon()
}
