package ops

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// Matrix instructions are as fast as their operands come to shared memory: in copies of 16 bytes, by threads or by tensor maps, which an operand
// allows where its elements are contiguous along one of its dimensions, and begin at multiples of 16 bytes along the others; threads
// copy whole rows of them alone, tensor maps any. An operand that
// does not is packed before a product that is large enough: copied to a workspace whose rows have such a length. Elements of 8 bits are
// packed also where they are MN-major, as matrix instructions need them K-major; elements of 16 bits for cooperative matrices where they are
// K-major, see packProblem.prefersMN.

// packing says which operands are packed.
type packing string

const (
	packNone packing = "none"
	packA    packing = "a"
	packB    packing = "b"
	packBoth packing = "a and b"
)

// packingOf is the packing of the operands given.
func packingOf(a, b bool) packing {
	switch {
	case a && b:
		return packBoth
	case a:
		return packA
	case b:
		return packB
	}
	return packNone
}

// of says which they are.
func (c packing) of() (a, b bool) { return c == packA || c == packBoth, c == packB || c == packBoth }

// packProblem is what that depends on: a product of [M,K] and [K,N], Batch times.
type packProblem struct {
	Elem      weft.DType
	Precision tile.Precision `json:",omitempty"` // of F32, 0 for other types
	M, N, K   int
	Batch     int
	A, B      packOperand
}

// packOperand is the layout of an operand, as far as packing asks.
type packOperand struct {
	Bytes  int // of its elements, those that it repeats once
	Access access16
	Run    int `json:",omitempty"` // bytes at multiples of which its rows begin, where access is narrow
}

// access16 is how an operand comes to shared memory.
type access16 string

const (
	fits    access16 = "fits"    // as it should
	crossed access16 = "crossed" // in copies of 16 bytes, along the other dimension than the one summed over
	narrow  access16 = "narrow"  // by single elements
	single  access16 = "single"  // by single elements, of which none are contiguous
)

const (
	// copyBytes is what a copy by 16 bytes moves; offsets and strides must be multiples of it.
	copyBytes = 16
	// narrowSlowdown and crossedSlowdown are how much slower products are than those of operands that fit. (4096³ on one H200: F16 about
	// 100 TFLOP/s of rows of 8186 bytes, 650 of rows of 8192; TF32 200 and 398, I8 423 and 1300.)
	narrowSlowdown, crossedSlowdown = 5, 2
	// loadedSlowdown and bytesSlowdown are the same where threads load what cooperative matrices multiply: elements that begin anywhere are shifted out of
	// two vectors, and bytes that are not contiguous along the sums are transposed. (F16 4095×4097×4093 through Vulkan on an H200: 71 to
	// 105 TFLOP/s, 212 packed; I8 4096³: 367 and 490.)
	loadedSlowdown, bytesSlowdown = 2, 1.3
	// splitSlowdown is what products in parts of TF32 lose where warpgroups cannot compute them. (4096³ on an H200: 62 and 99 TFLOP/s.)
	splitSlowdown = 1.6
	// copyShare is the share of the memory's bandwidth that copies reach, those of rows that begin anywhere among them, singleShare that of copies
	// element by element. (F16 on an H200: 3.9 TB/s of rows of 8186 bytes, 1.1 TB/s of single elements.)
	copyShare, singleShare = 0.8, 0.25
	// worthPacking is the part of a product's time that it takes at most with copies before it.
	worthPacking = 0.93
)

// kMajorSlowdown is the same for the left and the right operand of 16 bits that is K-major, see packProblem.prefersMN; tiles are wider than high, and
// load more of the right one. (F16 4096³ through Vulkan on an H200: 369 TFLOP/s where neither is, 313 where the left one is, 225 where both are, and
// no more where the right one alone is.)
var kMajorSlowdown = [2]float64{1.18, 1.6}

// packTune chooses. What it refuses are packings that gain nothing, with the reason.
var packTune = &tune.Space[packProblem, packing]{
	Op: "matmul packing",
	List: func(target.Caps, packProblem) iter.Seq[packing] {
		return slices.Values([]packing{packNone, packA, packB, packBoth})
	},
	Legal: func(caps target.Caps, p packProblem, c packing) error { return p.Legal(caps, c) },
	Rule: func(caps target.Caps, p packProblem) packing {
		best, least := packNone, worthPacking*p.seconds(caps, packNone)
		for _, c := range []packing{packA, packB, packBoth} {
			if s := p.seconds(caps, c); s < least && p.Legal(caps, c) == nil {
				best, least = c, s
			}
		}
		return best
	},
}

// Legal says why a packing gains nothing.
func (p packProblem) Legal(caps target.Caps, c packing) error {
	a, b := c.of()
	switch {
	case c == packNone:
		return nil
	case !p.config().IsMatrix(caps) || !caps.AsyncCopy && !p.config().IsCooperative(caps) || p.M <= kernels.MaxRowByRow:
		return fmt.Errorf("the product is not computed by matrix instructions")
	case a && p.slowdown(caps, 0, p.A) == 1 || b && p.slowdown(caps, 1, p.B) == 1:
		return fmt.Errorf("the operand needs no packing")
	}
	if with, without := p.seconds(caps, c), p.seconds(caps, packNone); with >= without {
		return fmt.Errorf("%v expected with it, %v without", duration(with), duration(without))
	}
	return nil
}

func duration(seconds float64) time.Duration {
	return time.Duration(1e9 * seconds).Round(100 * time.Nanosecond)
}

// config is a config of the product, without tiles.
func (p packProblem) config() MatMulConfig {
	return kernels.MatMulOf(p.Elem, p.Precision, 0)
}

// prefersMN reports whether MN-major operands are faster than K-major ones: where threads load 16-bit elements that cooperative matrices multiply. A step
// along K is 32 bytes of each row of a K-major operand, a quarter of a cache line, and whole lines of an MN-major one.
func (p packProblem) prefersMN(caps target.Caps) bool {
	return p.Elem.Size() == 2 && p.config().IsCooperative(caps)
}

// best is the layout that packed operands have.
func (p packProblem) best(caps target.Caps) access16 {
	if p.prefersMN(caps) {
		return crossed
	}
	return fits
}

// slowdown is what an operand, the left one 0 or the right one 1, costs a product with the layout it has, whatever the other one is.
func (p packProblem) slowdown(caps target.Caps, which int, o packOperand) float64 {
	cooperative := p.config().IsCooperative(caps)
	switch {
	case o.Access == fits && p.prefersMN(caps):
		return kMajorSlowdown[which]
	case cooperative && (o.Access == narrow || o.Access == single):
		return loadedSlowdown
	case cooperative && o.Access == crossed && p.Elem.IsInt():
		return bytesSlowdown
	case o.Access == narrow || o.Access == single:
		return narrowSlowdown
	case o.Access == crossed && (p.Elem.IsInt() || p.Precision == tile.TF32): // warpgroups multiply 16-bit elements alone in both orders
		return crossedSlowdown
	case o.Access == crossed && p.config().SplitsInGroups(caps):
		return splitSlowdown
	}
	return 1
}

// slowdowns is what both operands cost a product with the layouts they have.
func (p packProblem) slowdowns(caps target.Caps, a, b packOperand) float64 {
	if cfg := p.config(); cfg.LoadsWords() && cfg.TakesProducers(caps) && p.K*p.Elem.Size() >= kernels.ProducerStep {
		direct := a.Access == crossed && b.Access == fits
		transposed := a.Access == fits && b.Access == crossed && kernels.Transposes(p.Elem, p.M, p.N, p.K)
		if direct || transposed { // a left operand may be MN-major, see kernels.MatMulProblem.Swaps
			return 1
		}
	}
	return max(p.slowdown(caps, 0, a), p.slowdown(caps, 1, b))
}

// share is the share of the memory's bandwidth that a copy of an operand reaches.
func (o packOperand) share() float64 {
	if o.Access == single {
		return singleShare
	}
	return copyShare
}

// seconds is what the product takes, with the copies before it, on the tuner's machine.
func (p packProblem) seconds(caps target.Caps, c packing) float64 {
	m := tune.ModelFor(caps)
	a, b := c.of()
	copies, operands := 0.0, [2]packOperand{p.A, p.B}
	for i, packed := range []bool{a, b} {
		if o := &operands[i]; packed {
			copies += 2*float64(o.Bytes)/(o.share()*m.Memory) + m.Machine.Launch + 2*m.Machine.Latency // of the first load and the last store
			o.Access, o.Run = p.best(caps), 0
		}
	}
	slowdown := p.slowdowns(caps, operands[0], operands[1])
	rate := m.Matrix
	if !caps.WarpGroups {
		rate *= m.Machine.Matrix.WarpShare()
	}
	if p.Precision == tile.TF32 || p.Precision == tile.TF32x3 {
		rate /= kernels.MatrixCost(caps, p.Elem, p.Precision)
	}
	flops := 2 * float64(p.Batch) * float64(p.M) * float64(p.N) * float64(p.K)
	memory := float64(p.A.Bytes+p.B.Bytes) / m.Memory
	return max(flops/rate*slowdown, memory, p.loading(caps, operands)) + copies
}

// loading is what threads take for the copies or loads of 16-bit operands whose rows begin anywhere, in the tiles of the rule: small tiles need each
// element more often.
func (p packProblem) loading(caps target.Caps, operands [2]packOperand) float64 {
	none := operands[0].Access != narrow && operands[1].Access != narrow
	if none || p.Elem.Size() != 2 || !caps.AsyncCopy || p.config().IsCooperative(caps) {
		return 0
	}
	var runs [2]int
	for i, o := range operands {
		if runs[i] = copyBytes; o.Access == narrow {
			runs[i] = o.Run
		}
	}
	caps.TensorMaps = false
	cfg := kernels.MatMulConfigFor(caps, p.Elem, p.M, p.N, p.K, p.Batch)
	return kernels.LoadSeconds(caps, cfg, p.M, p.N, p.K, p.Batch, runs)
}

// newPackProblem is the problem for layouts […,M,K] and […,K,N].
func newPackProblem(caps target.Caps, elem weft.DType, precision tile.Precision, a, b layout.Layout) packProblem {
	r := a.Rank()
	p := packProblem{Elem: elem, M: a.Size(r - 2), N: b.Size(r - 1), K: a.Size(r - 1), Batch: 1}
	if elem == weft.F32 {
		p.Precision = precision
	}
	for d := range r - 2 {
		p.Batch *= max(a.Size(d), b.Size(d))
	}
	anyLength := p.config().TakesProducers(caps)
	p.A, p.B = packOperandOf(elem, a, r-1, anyLength), packOperandOf(elem, b, r-2, anyLength)
	return p
}

// packOperandOf is the layout of an operand whose dimension k is summed over; anyLength says that tensor maps copy it, whose rows may end anywhere.
func packOperandOf(elem weft.DType, l layout.Layout, k int, anyLength bool) packOperand {
	o := packOperand{Bytes: elem.Size(), Access: single}
	for d := range l.Rank() {
		if !repeats(l, d) {
			o.Bytes *= l.Size(d)
		}
	}
	multiple := copyBytes / elem.Size()
	switch inner := innerOf(l, k); {
	case inner < 0:
	case !copiesFit(l, inner, multiple) || !anyLength && l.Size(inner)%multiple != 0:
		o.Access, o.Run = narrow, elem.Size()
		for 2*o.Run < copyBytes && copiesFit(l, inner, 2*o.Run/elem.Size()) {
			o.Run *= 2
		}
	case inner == k:
		o.Access = fits
	default:
		o.Access = crossed
	}
	return o
}

// repeats reports whether a layout repeats its matrices along a dimension.
func repeats(l layout.Layout, d int) bool { return d < l.Rank()-2 && l.Size(d) > 1 && l.Stride(d) == 0 }

// innerOf is the dimension of the matrices along which elements are contiguous, k if there are both, -1 if there is none.
func innerOf(l layout.Layout, k int) int {
	other := 2*l.Rank() - 3 - k
	for _, d := range []int{k, other} {
		if l.Stride(d) == 1 || l.Size(d) == 1 {
			return d
		}
	}
	return -1
}

// copiesFit reports whether all runs along a dimension begin at multiples of some elements.
func copiesFit(l layout.Layout, inner, multiple int) bool {
	if l.Offset()%multiple != 0 {
		return false
	}
	for d := range l.Rank() {
		if d != inner && l.Size(d) > 1 && (l.Stride(d)%multiple != 0 || l.Stride(d) < 0) {
			return false
		}
	}
	return true
}

// packed is the layout of a packed operand, whose dimension k is summed over, and how many elements it has room for. Its elements
// are in the order of l, or K-major, or MN-major if mnMajor, and rows of them have so many more that they are whole copies. An MN-major operand has as many
// rows as a multiple of depth. Longer rows begin at multiples of 128 bytes: copies of
// lines that begin elsewhere take two requests each. (The product of F16 4095×4097×4093 on an H200, by rows of 4104 elements and of 4160: 286 and 244 µs in
// tiles of 128×128, 213 and 199 in tiles of 256×128.)
func packed(elem weft.DType, l layout.Layout, k int, mnMajor bool, depth int) (to layout.Layout, room int, err error) {
	shape, inner := l.Shape(), innerOf(l, k)
	switch {
	case mnMajor:
		inner, shape[k] = 2*l.Rank()-3-k, up(shape[k], depth)
	case inner < 0 || elem.Size() != 2:
		inner = k
	}
	strides := make([]int, l.Rank())
	strides[inner], room = 1, up(shape[inner], copyBytes/elem.Size())
	shape[inner] = room
	if line := kernels.ProducerStep / elem.Size(); room > line {
		room = up(room, line)
	}
	for d := l.Rank() - 1; d >= 0; d-- {
		if d != inner && !repeats(l, d) {
			strides[d] = room
			room *= shape[d]
		}
	}
	to, err = layout.Strided(shape, strides, 0)
	return to, room, err
}

// up is the least multiple of step that is at least n.
func up(n, step int) int { return kernels.CeilDiv(n, step) * step }

// packMode says whether packing is a choice.
type packMode uint8

const (
	packByRule packMode = iota
	packAlways          // what does not fit
	packNever
)

// Pack says whether operands that do not suit matrix instructions are packed before a product, see MatMul, instead of leaving
// it to the rule: false spares the workspace, true takes it on every device. Of QuantizedMatMul it says the same of the weights,
// which are dequantised, except where one scale is for several whole columns or sums are atomic.
func Pack(yes bool) MatMulOption {
	return matMulOption(func(c *productCall) {
		if c.packs = packNever; yes {
			c.packs = packAlways
		}
	})
}

// choosePacking says which operands to pack: none if tiles are given, which say what is to be launched.
func (o *productOptions) choosePacking(caps target.Caps, problem packProblem) packing {
	switch {
	case o.packs == packNever || o.packs == packByRule && o.tiled || problem.M*problem.N*problem.K*problem.Batch == 0:
		return packNone
	case o.packs == packAlways:
		best := problem.best(caps)
		return packingOf(problem.A.Access != best, problem.B.Access != best)
	}
	return packTune.Pick(caps, problem)
}

// packOperands replaces the views of the operands that are worth packing by packed ones, in a workspace that is the caller's to close. Where
// there is no room for it they stay as they are.
func (o *productOptions) packOperands(views []weft.TensorView) (workspace scratch, err error) {
	caps := views[0].Tensor.Device().Caps()
	problem := newPackProblem(caps, views[0].Tensor.DType(), o.precision, views[0].Layout, views[1].Layout)
	a, b := o.choosePacking(caps, problem).of()
	rank, depth := views[0].Layout.Rank(), 1
	if a && b && problem.M > kernels.MaxRowByRow && problem.prefersMN(caps) { // whole steps
		depth = kernels.ProducerStep / problem.Elem.Size()
	}
	for i, packs := range []bool{a, b} {
		if !packs {
			continue
		}
		v, err := packedCopy(&workspace, views[i], rank-1-i, problem.prefersMN(caps), depth)
		switch {
		case errors.Is(err, weft.ErrOutOfMemory) || errors.Is(err, weft.ErrLimit):
		case err != nil:
			workspace.close()
			return scratch{}, err
		default:
			views[i] = v
		}
	}
	return workspace, nil
}

// copyKernel is the kernel of copies, for a config of its own.
var copyKernel = weft.NewKernel("copy", elementwise.DescribeCopy)

// packConfig is the config of a copy of rows to longer ones. Of large matrices whose rows stay rows, a thread of a GPU copies two vectors, pieces of 1 KiB of
// several rows go to a program: of the one vector, and the rows of whole programs, that maps have otherwise, too little is outstanding (each
// vector is shifted out of two), and where rows are a little longer than a program, every second or third program has next to nothing to copy.
func packConfig(caps target.Caps, elem weft.DType, from, to layout.Layout) elementwise.Config {
	cfg, last := elementwise.ConfigFor(caps, elem, elem, from, to), to.Rank()-1
	const run, vectors = 1024, 2 // bytes in a row, of a thread
	columns, rows := run/elem.Size(), vectors*copyBytes*cfg.Threads/run
	if !caps.AsyncCopy || last < 1 || from.Stride(last) != 1 || to.Size(last) < 2*columns || to.Size(last-1) < rows || to.Len() < 4*caps.Facts().Units*rows*columns {
		return cfg
	}
	for d := range last - 1 {
		cfg.Block[d] = 1
	}
	cfg.Block[last-1], cfg.Block[last] = rows, columns
	return cfg
}

// packedCopy copies an operand whose dimension k is summed over. What it has more are zeros, which add nothing to sums.
func packedCopy(workspace *scratch, v weft.TensorView, k int, mnMajor bool, depth int) (weft.TensorView, error) {
	elem := v.Tensor.DType()
	to, room, err := packed(elem, v.Layout, k, mnMajor, depth)
	if err != nil {
		return v, err
	}
	w, err := workspace.try(weft.Empty(v.Tensor.Device(), elem, room))
	if err != nil {
		return v, err
	}
	from, once := v.Layout, to
	if once.Stride(once.Rank()-1) != 1 { // the dimension of the rows goes last
		from, once = from.Transpose(), once.Transpose()
	}
	for d := once.Rank() - 3; d >= 0; d-- {
		if !repeats(from, d) {
			continue
		}
		if from, err = from.Select(d, 0); err != nil {
			return v, err
		}
		if once, err = once.Select(d, 0); err != nil {
			return v, err
		}
	}
	result := weft.TensorView{Tensor: w, Layout: to}
	if !slices.Equal(from.Shape(), once.Shape()) { // a block's elements outside of the operand are zeros
		cfg := packConfig(v.Tensor.Device().Caps(), elem, from, once)
		return result, copyKernel.LaunchViews(cfg, nil, weft.TensorView{Tensor: v.Tensor, Layout: from}, weft.TensorView{Tensor: w, Layout: once})
	}
	in, err := v.Tensor.AsStrided(from)
	if err != nil {
		return v, err
	}
	defer in.Close()
	out, err := w.AsStrided(once)
	if err != nil {
		return v, err
	}
	defer out.Close()
	return result, copyInto(out, in)
}
