package mesh

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// sumConfig is a config of sumRanks.
type sumConfig struct {
	Elem   weft.DType
	World  int
	Block  int // elements of a tile
	Slices int // of tiles, the same number in all launches, so that all count the same rounds
	Whole  bool
	Direct bool // sums are stored where they are to be on the other ranks, not in their stages
}

// programs is the number of programs: one of each slice for each other rank, so that each has one word to release. All must be able to run at the same time.
func (c sumConfig) programs() int { return c.Slices * (c.World - 1) }

// sumRanks sums x of all ranks on each of them, by stores to the others' memory. Whole has each rank send all of x to all, and add; out is then no part of x's memory.
// Otherwise a rank sends each other one a part, adds its own part, and sends that to all; out may be x. Sums are in the order of the ranks, rounded once.
//
// A rank's stage has two halves, which alternate from launch to launch: who has had words of all others in a launch knows that these have done the launch before, whose half
// the next one writes. stage0, words0 and rounds are the rank's own; stage1, words1 and out1 are those of the next rank, and so on.
var sumRanks = weft.NewKernel("sum of ranks", func(k *tile.Builder, c sumConfig) {
	s := newRankSum(k, c)
	if c.Whole {
		s.sendWhole()
		s.wait(c.World - 1)
		for i := range k.RangeStep(s.slice.Add(s.lane.Mul(c.Slices)), s.tiles, c.programs()) { // shared by a slice's programs
			s.out[0].Block(c.Block).Store(s.add(i, s.x.Block(c.Block).Load(i)), i)
		}
	} else {
		s.sendParts()
		s.wait(c.World)
		s.sendSums()
		s.receive()
	}
	s.rounds.At(0, s.program).Scatter(s.round)
})

// rankSum is what the steps of sumRanks share.
type rankSum struct {
	k            *tile.Builder
	c            sumConfig
	x            *tile.View
	out          []*tile.View // the rank's own, and those of others where sums are stored in them
	stage, words []*tile.View
	rounds       *tile.View
	me           *tile.Value // the rank

	program, slice, lane *tile.Value // the lane's step is one more than the lane: to whose memory the program stores
	round, half          *tile.Value
	tiles                *tile.Value // of a part
}

func newRankSum(k *tile.Builder, c sumConfig) *rankSum {
	s := &rankSum{k: k, c: c, me: k.Scalar("rank", weft.I32), x: k.In("x", c.Elem, 1), out: []*tile.View{k.Out("out", c.Elem, 1)}}
	for i := range c.World {
		view := k.Out
		if i == 0 {
			view = k.InOut
		}
		s.stage = append(s.stage, view(fmt.Sprint("stage", i), c.Elem, 2))
		s.words = append(s.words, k.InOut(fmt.Sprint("words", i), weft.I32, 3))
	}
	s.rounds = k.InOut("rounds", weft.I32, 2)
	for i := 1; c.Direct && i < c.World; i++ {
		s.out = append(s.out, k.Out(fmt.Sprint("out", i), c.Elem, 1))
	}
	k.Grid(c.programs())
	s.program = k.ProgramID(0)
	s.slice, s.lane = s.program.Div(c.World-1), s.program.Rem(c.World-1)
	s.round = s.rounds.At(0, s.program).Gather().Add(1)
	s.half = s.round.And(1)
	parts := c.World
	if c.Whole {
		parts = 1
	}
	s.tiles = k.CDiv(k.CDiv(s.x.Dim(0), c.Block), parts)
	return s
}

// slot is a tile of one of the parts that a stage has room for in a half.
func (s *rankSum) slot(stage int, part *tile.Value, i *tile.Value) (tile.Block, []tile.Operand) {
	return s.stage[stage].Block(1, s.c.Block).Squeeze(0), []tile.Operand{s.half, part.Mul(s.tiles).Add(i)}
}

func (s *rankSum) load(part, i *tile.Value) *tile.Value {
	b, at := s.slot(0, part, i)
	return b.Load(at...)
}

func (s *rankSum) store(stage int, value, part, i *tile.Value) {
	b, at := s.slot(stage, part, i)
	b.Store(value, at...)
}

// each describes a loop over the tiles of the program's slice.
func (s *rankSum) each(f func(i *tile.Value)) {
	for i := range s.k.RangeStep(s.slice, s.tiles, s.c.Slices) {
		f(i)
	}
}

// byStep describes, for each other rank, what the programs do that store to its memory.
func (s *rankSum) byStep(f func(step int)) {
	for step := 1; step < s.c.World; step++ {
		s.k.If(s.lane.Eq(step-1), func() { f(step) })
	}
}

// active describes what a program does whose slice has tiles.
func (s *rankSum) active(f func()) { s.k.If(s.slice.Lt(s.tiles), f) }

// sent counts, with another rank or this one, that it has what it adds up.
func (s *rankSum) sent(step int) {
	s.active(func() { s.words[step].At(0, s.slice, s.half).Release().AtomicAdd(1) })
}

// wait waits until all have counted. There is a count for each half: a rank may be one launch ahead of another.
func (s *rankSum) wait(ranks int) {
	s.active(func() {
		counted := s.rounds.At(s.half.Add(1), s.program)
		all := counted.Gather().Add(ranks)
		for range s.k.While(func() *tile.Value { return s.words[0].At(0, s.slice, s.half).Acquire().AtomicOr(0).Sub(all).Lt(0) }) {
		}
		counted.Scatter(all)
	})
}

// sendWhole stores all of x in another rank's memory.
func (s *rankSum) sendWhole() {
	s.byStep(func(step int) {
		s.each(func(i *tile.Value) { s.store(step, s.x.Block(s.c.Block).Load(i), s.me, i) })
		s.sent(step)
	})
}

// sendParts stores the part of x that another rank adds in its memory, and the own part in this one's.
func (s *rankSum) sendParts() {
	send := func(step int) {
		part := s.me.Add(step).Rem(s.c.World)
		s.each(func(i *tile.Value) { s.store(step, s.x.Block(s.c.Block).Load(part.Mul(s.tiles).Add(i)), s.me, i) })
		s.sent(step)
	}
	s.k.If(s.lane.Eq(0), func() { send(0) })
	s.byStep(send)
}

// add sums a tile of what all ranks have stored. own is what this one has not.
func (s *rankSum) add(i, own *tile.Value) *tile.Value {
	var sum *tile.Value
	for rank := range s.c.World {
		v := s.load(s.k.Int(rank), i)
		if own != nil {
			v = s.k.Where(s.me.Eq(rank), own, v)
		}
		if v = v.Cast(dtype.F32); sum == nil {
			sum = v
		} else {
			sum = sum.Add(v)
		}
	}
	return sum.Cast(s.c.Elem)
}

// sendSums adds the own part and stores the sums in another rank's memory.
func (s *rankSum) sendSums() {
	s.byStep(func(step int) {
		s.each(func(i *tile.Value) {
			sum := s.add(i, nil)
			at := s.me.Mul(s.tiles).Add(i)
			if s.c.Direct {
				s.out[step].Block(s.c.Block).Store(sum, at)
			} else {
				s.store(step, sum, s.me.Add(s.c.World), i)
			}
			if step == 1 {
				s.out[0].Block(s.c.Block).Store(sum, at)
			}
		})
		s.active(func() { s.words[step].At(1, s.slice, s.me).Release().AtomicExchange(s.round) })
	})
}

// receive waits for the sums of one other rank, which stored them by its programs of the same lane, and copies them from the stage.
func (s *rankSum) receive() {
	from := s.me.Add(s.c.World - 1).Sub(s.lane).Rem(s.c.World)
	s.active(func() {
		for range s.k.While(func() *tile.Value { return s.words[0].At(1, s.slice, from).Acquire().AtomicOr(0).Sub(s.round).Lt(0) }) {
		}
	})
	if s.c.Direct {
		return
	}
	s.each(func(i *tile.Value) {
		s.out[0].Block(s.c.Block).Store(s.load(from.Add(s.c.World), i), from.Mul(s.tiles).Add(i))
	})
}
