package tilepass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// splitEdges separates the inside of views from their edges where masks that differ from element to
// element cost: in loops, and where they keep a whole program from vectors.
//
//   - A loop becomes two or three. The first runs the iterations whose blocks are within their views,
//     without masks; it runs none if a block's place that all iterations share is at an edge. Then the second
//     runs those iterations, with the masks of that edge alone, which are the same in all of them: loads whose
//     masks are computed anew one by one are not outstanding together. The last
//     runs the rest as before. Loops with products have no second part, and on CUDA stay as they are: see hasDot.
//   - A kernel without loops, reductions and products tests once whether all its blocks are
//     within their views, and has one body for either case.
//
// Code grows; the limits below bound by how much. Devices that run on the host get none of this:
// their compilers take long, and masks cost them little.
func splitEdges(k *Kernel) {
	if k.Caps.Registers == target.SoftwareRegisters {
		return
	}
	s := &splitter{Kernel: k, axes: axis.Analyse(k.Func, k.Facts)}
	s.region(k.Func.Body)
	if !s.split {
		s.program()
	}
}

// Limits of what is copied, in elements that one thread computes. Loops without products of matrices may be twice as long but on CUDA, where a load takes its mask as a predicate, not an
// index and a select for each word. (Eight rows times weights of 4 bits, about 3000 elements: 8×4096×14336 by WebGPU on an H200 52.5 µs with one loop and 49.4 with two; four rows 36.2, 32.0.)
const (
	loopLimit    = 2048 // of one loop's body
	kernelLimit  = 4096 // of all loops' bodies
	programLimit = 512  // of a program without loops
)

type splitter struct {
	*Kernel
	axes  *axis.Analysis
	size  int // copied so far
	split bool
}

// edge is a test whether blocks of n elements at a tile coordinate are within a view.
type edge struct {
	axis.Dimension
	n     int
	coord *tile.Value
}

// region splits the loops of a body, the inner ones first.
func (s *splitter) region(r *tile.Region) {
	var out []*tile.Op
	for _, op := range r.Ops {
		for _, body := range op.Regions() {
			s.region(body)
		}
		if op.Kind == tile.OpFor {
			out = append(out, s.loop(op)...)
		}
		out = append(out, op)
	}
	r.Ops = out
}

// blocks lists a body's own loads and stores.
func blocks(ops []*tile.Op) (list []*tile.Op) {
	for _, op := range ops {
		if op.Kind == tile.OpLoad || op.Kind == tile.OpStore {
			list = append(list, op)
		}
	}
	return list
}

// edges lists the tests that blocks need, each once, and which dimensions they prove for each
// block. usable gives what is to be tested in place of a coordinate, of blocks that are so many times as long; nil if it cannot be tested.
func (s *splitter) edges(list []*tile.Op, usable func(op *tile.Op, d int, c *tile.Value) (coord *tile.Value, times int)) (tests []edge, proves map[*tile.Op]uint8) {
	seen := map[edge]bool{}
	proves = map[*tile.Op]uint8{}
	for _, op := range list {
		shape := op.AccessType().Shape
		for d, c := range op.Args[len(op.Args)-op.View.Rank:] {
			if op.Inside>>d&1 != 0 {
				continue
			}
			coord, times := usable(op, d, c)
			if coord == nil {
				continue
			}
			e := edge{axis.Dimension{View: op.View, Dim: d}, times * shape[d], coord}
			if !seen[e] {
				tests = append(tests, e)
			}
			seen[e] = true
			proves[op] |= 1 << d
		}
	}
	return tests, proves
}

// uneven reports whether a block's mask along a dimension differs between its elements.
func (s *splitter) uneven(op *tile.Op, d int) bool {
	return op.Inside>>d&1 == 0 && s.Facts.Views[op.View.Index].Dims[d].Size%op.AccessType().Shape[d] != 0
}

// pays reports whether tests spare masks that differ from element to element.
func (s *splitter) pays(proves map[*tile.Op]uint8) bool {
	for op, dims := range proves {
		for d := range op.View.Rank {
			if dims>>d&1 != 0 && s.uneven(op, d) {
				return true
			}
		}
	}
	return false
}

// cost is about how many elements a thread computes in some ops.
func (s *splitter) cost(ops []*tile.Op) (n int) {
	for _, op := range ops {
		elements := 1
		for _, v := range op.Out {
			elements = max(elements, v.Type().Len()/s.Threads)
		}
		if op.Kind == tile.OpDot {
			elements *= 4 // steps that are spelled out
		}
		n += elements
		for _, body := range op.Regions() {
			n += s.cost(body.Ops)
		}
	}
	return n
}

// hasDot reports whether a body has a product. On CUDA its loads are outstanding while the product is
// computed, and the registers of a second loop cost more than the masks: an f32 product of
// 4095 x 4097 x 4093 ran at 40.4 TFLOP/s with one loop and 36.9 with two on an H200, whereas two
// gained on Vulkan (30.9, not 25.7) and WebGPU (29.3, not 24.1).
func hasDot(r *tile.Region) bool {
	return slices.ContainsFunc(r.Ops, func(op *tile.Op) bool {
		return op.Kind == tile.OpDot || slices.ContainsFunc(op.Regions(), hasDot)
	})
}

// hasBatches reports whether a body has a product of a batch. Such are of few rows, which seldom fill a tile: a loop without masks along rows would not run.
func hasBatches(r *tile.Region) bool {
	return slices.ContainsFunc(r.Ops, func(op *tile.Op) bool {
		return op.Kind == tile.OpDot && len(op.Result().Type().Shape) == 3 || slices.ContainsFunc(op.Regions(), hasBatches)
	})
}

// loop splits one loop and returns the ops that go before it, the first loop among them.
func (s *splitter) loop(op *tile.Op) []*tile.Op {
	index, list := op.Body.Args[0], blocks(op.Body.Ops)
	inner := map[*tile.Value]bool{}
	definedIn(op.Body, inner)
	step, known := s.axes.Of(op.Args[2]).Constant()
	byOne := known && step == 1 && s.axes.Of(index).NonNegative()
	batches := hasBatches(op.Body)
	counted := func(_ *tile.Op, _ int, c *tile.Value) (*tile.Value, int) { // blocks along the dimensions that the loop counts
		if times := s.counts(c, index); byOne && (times == 1 || times > 1 && batches) {
			return index, times
		}
		return nil, 0
	}
	tests, proves := s.edges(list, func(b *tile.Op, d int, c *tile.Value) (*tile.Value, int) {
		if !inner[c] && !(batches && s.uneven(b, d)) {
			return c, 1
		}
		return counted(b, d, c)
	})
	if !s.pays(proves) {
		return nil
	}
	if s.Caps.Language == target.CUDA && hasDot(op.Body) {
		s.tell(list, nil, "the loop is not split: a product hides what its masks cost")
		return nil
	}
	size, longer := s.cost(op.Body.Ops), 1
	if s.Caps.Language != target.CUDA && (!hasDot(op.Body) || batches) {
		longer = 2
	}
	if size > longer*loopLimit || s.size+size > longer*kernelLimit {
		s.tell(list, nil, fmt.Sprintf("the loop is not split: a thread's part of it, about %d elements, would be emitted twice", size))
		return nil
	}
	s.split = true

	_, along := s.edges(list, counted) // what whole blocks prove
	var clear, whole *tile.Value       // where the first loop ends, and the second
	ops, err := s.Describe(op.Pos, func(k *tile.Builder) {
		lo, hi := op.Args[0], op.Args[1]
		whole = hi
		for _, e := range tests {
			if e.coord == index { // whole blocks along the dimension
				whole = whole.Minimum(s.whole(e))
			}
		}
		whole = whole.Maximum(lo) // a range that starts after the whole blocks, or an empty one
		clear = whole
		if inside := s.inside(tests, index); inside != nil {
			clear = k.Where(inside, whole, lo)
		}
	})
	if err != nil {
		s.err = err
		return nil
	}
	ops = append(ops, s.part(op, clear, proves))
	s.size += size
	how := "the loop is split: whole blocks first, without masks, then the edge"
	if clear != whole && s.pays(along) && s.size+size <= longer*kernelLimit && !hasDot(op.Body) {
		ops = append(ops, s.part(op, whole, along))
		s.size += size
		how = "the loop is split: whole blocks first, without masks, or with those along other dimensions alone, then the edge"
	}
	s.tell(list, proves, how)
	return ops
}

// counts is how many blocks each iteration of a loop counts, where a coordinate is one of them: the loop's index times that number, and a number below it; 0 where it is not.
func (s *splitter) counts(c, index *tile.Value) int {
	constant := func(kind tile.Kind, without int64) int64 {
		if op := c.Op(); op != nil && op.Kind == kind {
			if n, ok := s.axes.Of(op.Args[1]).Constant(); ok {
				c = op.Args[0]
				return n
			}
		}
		return without
	}
	rest := constant(tile.OpAdd, 0)
	times := constant(tile.OpMul, 1)
	if c != index || rest < 0 || rest >= times || times > mostTimes {
		return 0
	}
	return int(times)
}

// mostTimes is a bound on blocks of an iteration.
const mostTimes = 1 << 10

// part copies a loop for its iterations up to some, whose blocks are proved to be within their views along dimensions, and leaves it the rest.
func (s *splitter) part(op *tile.Op, end *tile.Value, proves map[*tile.Op]uint8) *tile.Op {
	list := blocks(op.Body.Ops)
	first := s.CopyOp(op, map[*tile.Value]*tile.Value{})
	s.pair(first, op)
	first.Args[1], op.Args[0] = end, end
	copy(op.Args[3:], first.Out)
	for i, b := range blocks(first.Body.Ops) {
		b.Inside |= proves[list[i]]
	}
	return first
}

// whole is how many whole blocks a view has.
func (s *splitter) whole(e edge) *tile.Value { return s.Dim(e.View, e.Dim).Div(e.n) }

// inside holds if the blocks at all coordinates but one are within their views; nil if there are none.
func (s *splitter) inside(tests []edge, except *tile.Value) (all *tile.Value) {
	and := func(cond *tile.Value) {
		if all != nil {
			cond = all.And(cond)
		}
		all = cond
	}
	for _, e := range tests {
		if e.coord == except {
			continue
		}
		and(e.coord.Lt(s.whole(e)))
		if !s.axes.Of(e.coord).NonNegative() {
			and(e.coord.Ge(0))
		}
	}
	return all
}

// pair passes what is known of masks on to a copy.
func (s *splitter) pair(c, op *tile.Op) {
	if why := s.Told[op]; why != "" {
		s.Told[c] = why
	}
	for i, body := range c.Regions() {
		for j, inner := range body.Ops {
			s.pair(inner, op.Regions()[i].Ops[j])
		}
	}
}

// tell explains what was decided of blocks' masks; nil proves means all that differ between elements.
func (s *splitter) tell(list []*tile.Op, proves map[*tile.Op]uint8, why string) {
	for _, op := range list {
		for d := range op.View.Rank {
			if proves[op]>>d&1 != 0 || proves == nil && s.uneven(op, d) {
				s.explain(op, why)
				break
			}
		}
	}
}

func definedIn(r *tile.Region, values map[*tile.Value]bool) {
	for _, a := range r.Args {
		values[a] = true
	}
	for _, op := range r.Ops {
		for _, v := range op.Out {
			values[v] = true
		}
		for _, body := range op.Regions() {
			definedIn(body, values)
		}
	}
}

// program splits a kernel without loops where masks stand against vectors.
func (s *splitter) program() {
	ops := s.Func.Body.Ops
	scalars, rest := s.scalarsFirst(ops)
	list := blocks(rest)
	ready := map[*tile.Value]bool{}
	for _, op := range scalars {
		for _, v := range op.Out {
			ready[v] = true
		}
	}
	tests, proves := s.edges(list, func(_ *tile.Op, _ int, c *tile.Value) (*tile.Value, int) {
		if ready[c] {
			return c, 1
		}
		return nil, 0
	})
	if !s.widens(proves) {
		return
	}
	for _, op := range ops {
		switch op.Kind.Fact().Class {
		case tile.Control, tile.Reduction, tile.Combine, tile.Matrix:
			s.tell(list, nil, "the program is not split: its masks cost little compared with its loops, reductions and products")
			return
		}
	}
	if size := s.cost(rest); size > programLimit {
		s.tell(list, nil, fmt.Sprintf("the program is not split: a thread's part of it, about %d elements, would be emitted twice", size))
		return
	}
	var cond *tile.Value
	test, err := s.Describe(list[0].Pos, func(*tile.Builder) { cond = s.inside(tests, nil) })
	if err != nil {
		s.err = err
		return
	}
	end := func() *tile.Op { return &tile.Op{Kind: tile.OpYield, Pos: list[0].Pos} }
	branch := &tile.Op{Kind: tile.OpIf, Args: []*tile.Value{cond}, Else: &tile.Region{Ops: append(rest, end())}, Pos: list[0].Pos}
	branch.Body = s.Copy(branch.Else, map[*tile.Value]*tile.Value{})
	for i, op := range branch.Else.Ops {
		s.pair(branch.Body.Ops[i], op)
		branch.Body.Ops[i].Inside |= proves[op]
	}
	s.tell(list, proves, "the program is split: without masks where all blocks are inside")
	s.Func.Body.Ops = append(append(scalars, test...), branch)
}

// scalarsFirst takes the scalars that depend on nothing but scalars out of a list of ops.
func (s *splitter) scalarsFirst(ops []*tile.Op) (scalars, rest []*tile.Op) {
	late := map[*tile.Value]bool{}
	for _, op := range ops {
		movable := op.Kind == tile.OpAssume || op.Kind == tile.OpRequire
		switch op.Kind.Fact().Class {
		case tile.Leaf, tile.Unary, tile.Binary, tile.Compare, tile.Ternary, tile.Hint:
			movable = len(op.Out) == 0 || op.Result().Type().IsScalar()
		}
		for _, a := range op.Args {
			movable = movable && !late[a]
		}
		if movable {
			scalars = append(scalars, op)
			continue
		}
		rest = append(rest, op)
		for _, v := range op.Out {
			late[v] = true
		}
	}
	return scalars, rest
}

// widens reports whether tests allow wider vectors for a block.
func (s *splitter) widens(proves map[*tile.Op]uint8) bool {
	for op, dims := range proves {
		t := op.AccessType()
		v := s.Facts.Views[op.View.Index]
		_, now, _ := memory.VectorWidth(v, t, op.Inside)
		_, then, _ := memory.VectorWidth(v, t, op.Inside|dims)
		if then > now {
			return true
		}
	}
	return false
}
