package kernels

import (
	"math/bits"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// RotaryConfig is what Rotary is built for.
type RotaryConfig struct {
	Elem        weft.DType
	Interleaved bool // pairs are neighbours, not in the halves of a row
	Positions   bool // of batches are given
	Tables      bool // of cosines and sines are given
	Bits        int  // of a pair's number
	RotarySizes
}

// RotarySizes are what is chosen for a device: the tile of a program, whose sides are powers of
// two. Its heads share the angles.
type RotarySizes struct{ Heads, Rows, Pairs, Threads int }

// RotaryProblem is what the sizes of a rotation depend on.
type RotaryProblem struct {
	Elem        weft.DType
	Interleaved bool
	Tables      bool
	X           tune.View    // in pairs: [B,H,S,2,R/2] or [B,H,S,R/2,2]
	Out         tune.Strides `json:",omitzero"` // where they are not those of X
}

// Pairs is how many pairs a row has.
func (p RotaryProblem) Pairs() int {
	if p.Interleaved {
		return p.X.Size[3]
	}
	return p.X.Size[4]
}

// Rule is the launch rule: a thread of a GPU has a vector of pairs of a row of each of a few heads,
// and computes their angles once.
func (p RotaryProblem) Rule(caps target.Caps) RotarySizes {
	heads, rows := pow2.Ceil(max(p.X.Size[1], 1)), pow2.Ceil(max(p.X.Size[2], 1))
	s := RotarySizes{Pairs: pow2.Ceil(max(p.Pairs(), 1))}
	if caps.WholeTiles {
		s.Pairs = min(s.Pairs, 1<<12)
		s.Rows = min(rows, max(1<<12/s.Pairs, 1))
		s.Heads = min(heads, max(1<<14/(s.Pairs*s.Rows), 1))
		return s
	}
	vector, each := loadBytes/max(p.Elem.Size(), 1), 4
	if scarce(caps) {
		each = 1
	}
	s.Threads = caps.FitThreads(128)
	s.Pairs = min(s.Pairs, vector*s.Threads)
	room := vector * s.Threads / s.Pairs // for rows, one vector of a thread
	s.Rows = min(rows, room)
	least := min(heads, room/s.Rows)
	s.Heads = min(heads, each*room/s.Rows)
	for s.Heads > least && p.programs(s) < caps.Facts().Room(s.Threads) {
		s.Heads /= 2
	}
	return s
}

func (p RotaryProblem) programs(s RotarySizes) int {
	return p.X.Size[0] * CeilDiv(p.X.Size[1], s.Heads) * CeilDiv(p.X.Size[2], s.Rows) * CeilDiv(p.Pairs(), s.Pairs)
}

func (p RotaryProblem) List(caps target.Caps) []RotarySizes {
	chosen := p.Rule(caps)
	list := []RotarySizes{chosen}
	for c := range combinations([]int{chosen.Threads / 2, chosen.Threads, 2 * chosen.Threads}, []int{chosen.Rows / 2, chosen.Rows, 2 * chosen.Rows},
		[]int{chosen.Heads / 4, chosen.Heads / 2, chosen.Heads, 2 * chosen.Heads, 4 * chosen.Heads}) {
		list = appendNew(list, RotarySizes{Heads: c[2], Rows: c[1], Pairs: chosen.Pairs, Threads: c[0]})
	}
	return list
}

func (p RotaryProblem) Legal(caps target.Caps, s RotarySizes) error {
	area := 2 * s.Heads * s.Rows * s.Pairs
	if err := checkTile(caps, s.Threads, s.Heads, s.Rows, s.Pairs); err != nil {
		return err
	}
	return checkArea(caps, area, s.Threads)
}

// Work counts a product of 64 bits for each bit of a pair's number as 16 operations of integers,
// and the rest of an angle as 32 operations.
func (p RotaryProblem) Work(_ target.Caps, s RotarySizes) tune.Work {
	programs, area := p.programs(s), 2*s.Heads*s.Rows*s.Pairs
	w := streamWork(p.X, p.Elem, float64(programs*area), 2, programs, area, s.Pairs, s.Threads)
	if angles := float64(programs * s.Rows * s.Pairs); !p.Tables {
		w.Extra = integerCost * 32 * angles
		perRow := float64(programs * max(s.Threads, 1) * min(loadBytes/max(p.Elem.Size(), 1), s.Pairs)) // frequencies that threads compute
		w.Extra += integerCost * 16 * float64(p.bits()) * min(perRow, angles)
	}
	return w
}

func (p RotaryProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.X), Written: float64(p.Elem.Size()) * float64(countOf(p.X.Shape()))}
}

func (p RotaryProblem) Bucket() RotaryProblem {
	p.X = p.X.Bucket()
	return p
}

func (p RotaryProblem) Kernel(s RotarySizes) (*tile.Func, error) { return Rotary.Build(p.Config(s)) }

// bits is how many bits a pair's number has.
func (p RotaryProblem) bits() int { return bits.Len(uint(max(p.Pairs(), 1) - 1)) }

// Config is the config by sizes, without positions.
func (p RotaryProblem) Config(s RotarySizes) RotaryConfig {
	cfg := RotaryConfig{Elem: p.Elem, Interleaved: p.Interleaved, Tables: p.Tables, RotarySizes: s}
	if !p.Tables {
		cfg.Bits = p.bits()
	}
	return cfg
}
