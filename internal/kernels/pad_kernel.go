package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// PadMode says which elements stand outside of a tensor.
type PadMode uint8

// The modes. Of the elements 0 1 2 they make, with 3 more on either side:
const (
	PadConstant  PadMode = iota // v v v 0 1 2 v v v
	PadEdge                     // 0 0 0 0 1 2 2 2 2
	PadReflect                  // 1 2 1 0 1 2 1 0 1
	PadSymmetric                // 2 1 0 0 1 2 2 1 0
	PadWrap                     // 0 1 2 0 1 2 0 1 2
	numPadModes
)

// Valid reports whether there is such a mode.
func (m PadMode) Valid() bool { return m < numPadModes }

// String is the mode's name.
func (m PadMode) String() string {
	if !m.Valid() {
		return "invalid"
	}
	return [numPadModes]string{"constant", "edge", "reflect", "symmetric", "wrap"}[m]
}

// Period is after how many elements a dimension of size n repeats itself, 0 if it does not.
func (m PadMode) Period(n int) int {
	switch m {
	case PadReflect:
		return max(2*n-2, 1)
	case PadSymmetric:
		return 2 * n
	case PadWrap:
		return n
	}
	return 0
}

// PadConfig is what Pad is built for.
type PadConfig struct {
	Elem     weft.DType
	Mode     PadMode
	Rank     int           // dimensions after merging
	Padded   [MaxRank]bool // which of them differ from those of x
	Interior [MaxRank]bool // which of them have elements between those of x
	Tensor   bool          // the value is a tensor, and else a number
	Halves   bool          // the last dimension are the two words of an element
	MoveSizes
}

// PadProblem is what the sizes of a padding depend on.
type PadProblem struct {
	Elem     weft.DType
	Mode     PadMode
	Padded   [MaxRank]bool
	Interior [MaxRank]bool
	Tensor   bool
	Halves   bool
	Out      tune.View
}

func (p PadProblem) Rule(caps target.Caps) MoveSizes { return moveSizesFor(caps, p.Elem, p.Out) }

func (p PadProblem) List(caps target.Caps) []MoveSizes { return moveSizes(caps, p.Elem, p.Out) }

func (p PadProblem) Legal(caps target.Caps, s MoveSizes) error {
	if !p.Mode.Valid() || p.Mode != PadConstant && (p.Tensor || p.Interior != [MaxRank]bool{}) {
		return fmt.Errorf("mode %v has no value and nothing between elements", p.Mode)
	}
	return s.legal(caps, p.Out)
}

func (p PadProblem) Work(_ target.Caps, s MoveSizes) tune.Work { return s.work(p.Elem, p.Out) }

func (p PadProblem) Needs(target.Caps) tune.Needs { return tune.Needs{Written: bytesOf(p.Elem, p.Out)} } // x may be cut away

func (p PadProblem) Bucket() PadProblem {
	p.Out = p.Out.Bucket()
	return p
}

func (p PadProblem) Kernel(s MoveSizes) (*tile.Func, error) { return Pad.Build(p.Config(s)) }

// Config is the config by sizes.
func (p PadProblem) Config(s MoveSizes) PadConfig {
	return PadConfig{Elem: p.Elem, Mode: p.Mode, Rank: int(p.Out.Rank), Padded: p.Padded, Interior: p.Interior, Tensor: p.Tensor, Halves: p.Halves, MoveSizes: s}
}

// valueType is the type of the scalar that a value of an element type is given as.
func valueType(elem weft.DType) weft.DType {
	switch {
	case elem.IsFloat():
		return dtype.F32
	case elem.IsSigned():
		return dtype.I32
	}
	return dtype.U32
}

// Pad is the kernel of Pad and Roll. Its views are x, with cfg.Tensor the value [1], or with cfg.Halves [2], and out. Its scalars are the value, if it is a number, of two words with cfg.Halves, and for each padded dimension where x starts in out, negative if elements of x are left out, and of a dimension with
// elements between those of x how far these are apart. In modes that repeat x the start is that of a period, not above 0.
//
// Each element of out is one of x, which its index gives, along each dimension by itself.
var Pad = weft.NewKernel("pad", describePad)

func describePad(k *tile.Builder, cfg PadConfig) {
	x := k.In("x", cfg.Elem, cfg.Rank)
	var given *tile.View
	if cfg.Tensor {
		given = k.In("value", cfg.Elem, 1)
	}
	out := k.Out("out", cfg.Elem, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	var value *tile.Value
	words := make([]*tile.Value, 2)
	if cfg.Mode == PadConstant && !cfg.Tensor {
		value = k.Scalar("value", valueType(cfg.Elem)).Cast(cfg.Elem)
		if words[0] = value; cfg.Halves {
			words[1] = k.Scalar("high", cfg.Elem)
		}
	}
	block := cfg.Block[:cfg.Rank]
	at := k.ProgramTile(out, block...)
	switch last := cfg.Rank - 1; {
	case cfg.Halves && value != nil:
		value = k.Where(out.Block(block...).Indices(last, at[last]).Eq(0), words[0], words[1])
	case cfg.Halves && cfg.Tensor:
		value = given.At(out.Block(block...).Indices(last, at[last])).Gather()
	case cfg.Tensor:
		value = given.At(0).Gather()
	}
	indices := make([]tile.Operand, cfg.Rank)
	var inside *tile.Value
	both := func(holds *tile.Value) {
		if inside != nil {
			holds = inside.And(holds)
		}
		inside = holds
	}
	for d := range cfg.Rank {
		index := out.Block(block...).Indices(d, at[d])
		if cfg.Padded[d] {
			index = index.Sub(k.Scalar(fmt.Sprintf("start%d", d), dtype.I32))
			index = cfg.source(k, index, x.Dim(d), d, both)
			if cfg.Mode == PadConstant {
				both(index.Ge(0).And(index.Lt(x.Dim(d))))
			}
		}
		indices[d] = index
	}
	points := x.At(indices...)
	if inside == nil {
		out.Block(block...).Store(points.Gather(), at...)
		return
	}
	inside = inside.Broadcast(block...)
	out.Block(block...).Store(k.Where(inside, points.Mask(inside).Gather(), value), at...)
}

// source is the index in x, of size n along dimension d, of elements that are so far from where x starts; for those that are none of x both is told.
func (cfg PadConfig) source(k *tile.Builder, index, n *tile.Value, d int, both func(holds *tile.Value)) *tile.Value {
	switch cfg.Mode {
	case PadConstant:
		if cfg.Interior[d] {
			step := k.Scalar(fmt.Sprintf("step%d", d), dtype.I32)
			both(index.Rem(step).Eq(0))
			index = k.Where(index.Lt(0), index, index.Div(step)) // which truncates
		}
		return index
	case PadEdge:
		return index.Clamp(0, n.Sub(1))
	case PadWrap:
		return index.Rem(n)
	}
	period, last := n.Mul(2), n.Mul(2).Sub(1)
	if cfg.Mode == PadReflect {
		period = period.Sub(2).Maximum(1)
		last = period
	}
	index = index.Rem(period)
	return k.Where(index.Lt(n), index, last.Sub(index))
}

// Scalars are the kernel's scalars for where x, of a shape, starts in out, and how far its elements are apart.
func (p PadProblem) Scalars(value weft.Scalars, shape, starts, steps []int) weft.Scalars {
	var list weft.Scalars
	if p.Mode == PadConstant && !p.Tensor {
		list = append(list, value...)
	}
	for d := range shape {
		if !p.Padded[d] {
			continue
		}
		start := starts[d]
		if n := p.Mode.Period(shape[d]); n > 0 {
			start = -((n - start%n) % n) // so that indices less the start are not below 0
		}
		if list = append(list, start); p.Interior[d] {
			list = append(list, steps[d])
		}
	}
	return list
}
