package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ResizeProblem is what the sizes of Resize and ResizeGrad depend on.
type ResizeProblem struct {
	Elem  weft.DType
	Grad  bool
	Taps  [MaxRank]int8
	Wide  [MaxRank]bool
	Reach [MaxRank]int32 // of a gradient
	From  [MaxRank]int   // the sizes of what is read
	Out   tune.View
}

// ResizeKernels are the kernels of the op and of its gradient.
var ResizeKernels = map[bool]*weft.Kernel[ResizeConfig]{false: Resize, true: ResizeGrad}

// SetLines sets what depends on the lines of a result's dimensions, after merging, and returns how many results the gradient adds up along each.
func (p *ResizeProblem) SetLines(lines []ResizeLine) (reach []int) {
	reach = make([]int, len(lines))
	unrolled := 1
	for d := len(lines) - 1; d >= 0; d-- {
		taps := int(p.Taps[d])
		if taps == 0 {
			continue
		}
		if !p.Grad {
			p.Wide[d] = lines[d].forward(taps).wide(p.Out.Size[d])
			continue
		}
		p.Wide[d] = lines[d].backward(taps).wide(p.Out.Size[d])
		reach[d] = lines[d].reach(taps, p.Out.Size[d], p.From[d])
		if unrolled *= reach[d]; unrolled <= unrolledPlaces { // loops are around what is described one by one
			p.Reach[d] = int32(reach[d])
		}
	}
	return reach
}

// weighted is how many elements are added up for one of the result, as far as the problem says.
func (p ResizeProblem) weighted() int {
	n := 1
	for d, taps := range p.Taps {
		switch {
		case taps == 0:
		case p.Grad:
			n *= max(int(p.Reach[d]), 1)
		default:
			n *= int(taps)
		}
	}
	return n
}

// moves reports whether elements stay as they are.
func (p ResizeProblem) moves() bool { return !p.Grad && p.weighted() == 1 }

// Results of one place in several images share what takes most instructions: (F16 2×64×48×48×48 to 96×96×96, linear, on an H200: 924 µs with 4 results of a thread
// one below another, 367 with 16 in as many planes.)
const (
	resizeEach   = 4   // results of a thread
	resizeShared = 16  // those that share places and weights
	resizeNarrow = 32  // neighbours of a tile along a long last dimension, at least
	resizeWide   = 128 // and at most, or as many vectors
)

// Rule is the launch rule. A thread has several results, each of which takes several loads; elements that only move are a copy's.
func (p ResizeProblem) Rule(caps target.Caps) MoveSizes {
	switch {
	case p.moves():
		return moveSizesFor(caps, p.Elem, p.Out)
	case caps.WholeTiles:
		return p.sized(1<<12, 0)
	}
	threads := caps.FitThreads(128)
	if scarce(caps) {
		return p.sized(caps.FitThreads(64), caps.FitThreads(64))
	}
	if p.Grad && p.run() == 1 { // threads side by side share what depends on the other dimensions: which results there are, and their weights
		threads = min(threads, max(p.width(threads), caps.FitThreads(64)))
	}
	each, most := 1, p.most()
	for each < most && p.Out.Elements() >= 2*each*threads*caps.Facts().Room(threads) {
		each *= 2
	}
	if p.few() {
		return p.sized(each*threads, threads)
	}
	return p.shared(each, threads)
}

// few reports whether results are of so few elements that sharing places and weights is worth less than long runs. (F32 64×128×1000 to 3333, linear, on an H200: 58 µs with
// runs of 512, 75 with 128 results of 16 rows.)
func (p ResizeProblem) few() bool { return !p.Grad && p.weighted() <= 2 }

// run is how many elements next to each other are read as a vector.
func (p ResizeProblem) run() int {
	if p.Taps[p.Out.Rank-1] != 0 {
		return 1
	}
	return max(loadBytes/p.Elem.Size(), 1)
}

// most is how many results a thread has at most: more where they share their places and weights, as those of one place in several images do.
func (p ResizeProblem) most() int {
	each := resizeEach
	if slices.Contains(p.Taps[:p.Out.Rank-1], 0) && !p.few() {
		each = resizeShared
	}
	if p.weighted() > 16 {
		each /= 2
	}
	return each * min(p.run(), 2)
}

// sized are sizes whose tile has neighbours along the last dimension first.
func (p ResizeProblem) sized(area, threads int) MoveSizes {
	s := MoveSizes{Threads: threads}
	for d := int(p.Out.Rank) - 1; d >= 0; d-- {
		s.Block[d] = min(pow2.Ceil(max(p.Out.Size[d], 1)), area)
		area /= s.Block[d]
	}
	s.Block[0] *= area // the area is that of a workgroup at least
	return s
}

// shared are sizes whose tile has the results of a thread along dimensions that stay as they are, as far as that wastes none: places and weights are
// computed once for them. The others are neighbours along the last dimension first.
func (p ResizeProblem) shared(each, threads int) MoveSizes {
	s := MoveSizes{Threads: threads}
	last, area := int(p.Out.Rank)-1, each*threads
	s.Block[last] = p.width(area)
	area /= s.Block[last]
	each = min(max(each/p.run(), 1), area)
	for d := range last {
		s.Block[d] = 1
		for p.Taps[d] == 0 && each > 1 && p.Out.Size[d] > 0 && p.Out.Size[d]%(2*s.Block[d]) == 0 {
			s.Block[d], each, area = 2*s.Block[d], each/2, area/2
		}
	}
	for d := last - 1; d >= 0; d-- {
		n := min(pow2.Ceil(max(CeilDiv(p.Out.Size[d], s.Block[d]), 1)), area)
		s.Block[d], area = s.Block[d]*n, area/n
	}
	s.Block[0] *= area // the area is that of a workgroup at least
	return s
}

// width is how many neighbours along the last dimension a tile has: the most, but for fewer with which far fewer elements are beyond the end.
func (p ResizeProblem) width(area int) int {
	n := max(p.Out.Size[p.Out.Rank-1], 1)
	best := min(pow2.Ceil(n), area, resizeWide*p.run())
	for w := best / 2; w >= resizeNarrow; w /= 2 {
		if padded := CeilDiv(n, best) * best; padded-CeilDiv(n, w)*w > padded/16 {
			best = w
		}
	}
	return best
}

func (p ResizeProblem) List(caps target.Caps) []MoveSizes {
	if p.moves() {
		return moveSizes(caps, p.Elem, p.Out)
	}
	list := []MoveSizes{p.Rule(caps)}
	for c := range combinations([]int{64, 128, 256}, []int{1, 2, 4, 8, 16}) {
		if caps.WholeTiles {
			list = appendNew(list, p.sized(c[0]*c[1]*16, 0))
			continue
		}
		list = appendNew(list, p.shared(c[1], c[0]))
		if c[1] < 16 {
			list = appendNew(list, p.sized(c[0]*c[1], c[0]))
		}
	}
	return list
}

func (p ResizeProblem) Legal(caps target.Caps, s MoveSizes) error {
	if area := s.area(int(p.Out.Rank)); !p.moves() && area < s.Threads {
		return fmt.Errorf("a tile of %d for %d threads", area, s.Threads)
	}
	return s.legal(caps, p.Out)
}

// Config is the config by sizes.
func (p ResizeProblem) Config(s MoveSizes) ResizeConfig {
	return ResizeConfig{Elem: p.Elem, Rank: int(p.Out.Rank), Taps: p.Taps, Wide: p.Wide, Reach: p.Reach, MoveSizes: s}
}

func (p ResizeProblem) Work(_ target.Caps, s MoveSizes) tune.Work {
	w := s.work(p.Elem, p.Out)
	places, elements := float64(p.weighted()), float64(p.Out.Elements())
	w.Flops, w.Cache = 8*places*elements, places*w.Cache
	return w
}

func (p ResizeProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Written: bytesOf(p.Elem, p.Out)}
	if !p.moves() { // of elements that move some may not be read
		n.Read = float64(p.Elem.Size()) * float64(countOf(p.From[:p.Out.Rank]))
	}
	return n
}

func (p ResizeProblem) Bucket() ResizeProblem {
	p.Out = p.Out.Bucket()
	for d := range int(p.Out.Rank) {
		p.From[d] = tune.Bucket(p.From[d])
	}
	return p
}

func (p ResizeProblem) Kernel(s MoveSizes) (*tile.Func, error) {
	return ResizeKernels[p.Grad].Build(p.Config(s))
}
