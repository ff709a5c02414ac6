package assign

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// maxCandidates bounds the distributions that are weighed for one site: those that
// matter most come first.
const maxCandidates = 6

// proposal is a distribution that a site would like, and how much it moves there.
type proposal struct {
	site   *Site
	dist   layout.Linear
	weight int
}

// propose collects the sites' candidates and propagates them through the kernel, in the order in
// which ties are decided: a Dot's accumulator, its operands, blocks of memory by the
// bytes that they move, then the rest. A site without candidates gets rows.
func (a *Assignment) propose() {
	var dots, blocks, rest []proposal
	for _, s := range a.Sites {
		switch kind, m := s.op.Kind, a.MatrixOf(s); {
		case m != nil:
			for _, l := range a.matrixTiles(s, m) {
				dots = append(dots, proposal{s, l, 0})
			}
		case kind == tile.OpDot && s.operand < 0:
			s.accumulator = distribution.Accumulator(s.shape, a.Costs.Threads)
			dots = append(dots, proposal{s, s.accumulator, 0})
		case kind == tile.OpDot:
			for _, l := range a.operandTiles(s) {
				dots = append(dots, proposal{s, l, 0})
			}
		case kind == tile.OpLoad || kind == tile.OpStore:
			for _, l := range a.blockTiles(s) {
				n := s.op.AccessType()
				blocks = append(blocks, proposal{s, l, n.Len() * s.weight})
			}
		case kind == tile.OpRank:
			if l, ok := a.Costs.RankTile(s.op); ok {
				rest = append(rest, proposal{s, l, 0})
			}
		case kind == tile.OpScan:
			rest = append(rest, proposal{s, distribution.ScanTile(s.shape, s.op.Axis, a.Costs.Threads), 0})
		case s.op.Kind.Fact().Class == tile.Memory:
			along, width := len(s.shape)-1, 1
			if s.op.Run > 1 {
				along, width = s.op.Axis, min(s.op.Run, memory.MaxVector(s.op.View.Elem))
			}
			rest = append(rest, proposal{s, distribution.Blocked(s.shape, a.Costs.Threads, along, width), 0})
		case reduces(kind):
			rest = append(rest, proposal{s, distribution.Blocked(s.shape, a.Costs.Threads, s.op.Axis, distribution.RegisterLanes), 0})
		}
	}
	slices.SortStableFunc(blocks, func(p, q proposal) int { return q.weight - p.weight })
	for _, p := range slices.Concat(dots, blocks, rest) {
		n := a.Costs.Number(p.dist)
		for _, s := range a.Sites { // tiles of one shape may have to meet
			if s == p.site || slices.Equal(s.shape, p.site.shape) && len(s.Candidates) < maxCandidates {
				a.offer(s, n, p.site)
			}
		}
		if i := slices.Index(p.site.Candidates, n); i >= 0 {
			p.site.Origins[i] = p.site // even if another proposed it before
		}
	}
	a.spread()
	for _, s := range a.Sites {
		if len(s.Candidates) == 0 {
			a.offer(s, a.Costs.Number(distribution.Blocked(s.shape, a.Costs.Threads, len(s.shape)-1, distribution.RegisterLanes)), s)
			a.spread()
		}
	}
}

// blockTiles are distributions of a block of memory: with the longest vectors along the
// contiguous dimension and, where the facts allow only shorter ones, with those, so that
// neighbouring threads still have neighbouring elements. What a Dot takes is left to operandTiles,
// which weigh the stores to shared memory as well.
func (a *Assignment) blockTiles(s *Site) []layout.Linear {
	v := a.Costs.Facts.Views[s.op.View.Index]
	long := distribution.Blocked(s.shape, a.Costs.Threads, memory.ContiguousDim(v), memory.MaxVector(s.op.View.Elem))
	_, width, _ := memory.BlockVector(v, s.op.View, long, s.op.Inside)
	if r, _ := a.Costs.RotationOf(s.op); r != nil {
		width = r.Width
	}
	for _, value := range s.values {
		for _, u := range a.Uses[value] {
			if u.Site.operand >= 0 {
				return []layout.Linear{long}
			}
		}
	}
	list := []layout.Linear{long}
	if short := distribution.Blocked(s.shape, a.Costs.Threads, memory.ContiguousDim(v), width); !short.Equal(long) {
		list = append(list, short)
	}
	if s.weight > 1 || !a.reduces(s.shape, memory.ContiguousDim(v)) {
		return list // lines that a loop walks are long, and read fastest by as many threads as there are
	}
	if _, covered := a.Costs.UnalignedOf(s.op, long); covered || a.Costs.RowStoreOf(s.op) != nil {
		width = memory.MaxVector(s.op.View.Elem)
	}
	if l, ok := distribution.Lengthwise(s.shape, a.Costs.Threads, memory.ContiguousDim(v), width, shortestRun/s.op.View.Elem.Size()); ok {
		list = append(list, l)
	}
	return list
}

// shortestRun is the least number of bytes that neighbouring threads access together so that fewer of them meet in reductions.
const shortestRun = 64

// reduces reports whether the kernel reduces tiles of a shape along a dimension.
func (a *Assignment) reduces(shape []int, dim int) bool {
	return slices.ContainsFunc(a.Sites, func(s *Site) bool {
		kind := s.op.Kind
		return reduces(kind) && s.op.Axis == dim && slices.Equal(s.shape, shape)
	})
}

// operandTiles are distributions of an operand of a Dot between global and shared memory:
// for memory that is contiguous along the one dimension or the other, as it seems to be first.
func (a *Assignment) operandTiles(s *Site) (out []layout.Linear) {
	if len(s.shape) > 2 {
		return nil
	}
	first := a.contiguous(s.Uses[0].Value)
	for _, dim := range []int{first, 1 - first} {
		out = append(out, distribution.Operand(s.shape, a.Costs.Threads, 1-s.operand, dim))
	}
	if a.copied(s, out[0]) {
		return out
	}
	vec := []int{1, 1}
	single := layout.Blocked(s.shape, a.Costs.Threads, []int{first, 1 - first}, vec)
	vec[1-s.operand] = distribution.RegisterLanes
	vectors := layout.Blocked(s.shape, a.Costs.Threads, []int{first, 1 - first}, vec)
	if _, kMajor := a.copies(s, vectors); kMajor {
		return append([]layout.Linear{vectors}, out...)
	}
	if a.copied(s, single) {
		return append([]layout.Linear{single}, out...)
	}
	return out
}

// copied reports whether asynchronous copies bring an operand to shared memory in a distribution, see schedule.copyAhead.
func (a *Assignment) copied(s *Site, l layout.Linear) bool {
	ok, _ := a.copies(s, l)
	return ok
}

// KMajor reports whether an operand of a Dot is K-major in shared memory, as it is in global memory: see tile.Schedule.
func (a *Assignment) KMajor(s *Site) bool {
	_, kMajor := a.copies(s, a.In(s))
	return kMajor
}

// copies reports whether asynchronous copies bring an operand to shared memory in a distribution: of words that are stored in
// runs as they are loaded. Runs are along K if the schedule asks for that.
func (a *Assignment) copies(s *Site, l layout.Linear) (ok, kMajor bool) {
	v := s.Uses[0].Value
	op := v.Op()
	if !a.Costs.Async || op == nil || op.Kind != tile.OpLoad || op.Number != 0 || len(a.Uses[v]) != 1 || l.FreeBits(layout.Thread) != 0 || l.Rank() > 2 {
		return false, false
	}
	f := a.Costs.Facts.Views[op.View.Index]
	dim, width, _ := memory.BlockVector(f, op.View, l, op.Inside)
	if simt.PerWord(op.View.Elem) != 0 || op.View.Elem.Size() != distribution.RegisterBytes || a.Costs.Written[f.Buffer] {
		return false, false
	}
	run := 1 << len(distribution.RunBits(l, s.operand, distribution.RegisterLanes))
	kMajor = a.kMajor && dim != s.operand && width == distribution.RegisterLanes && run == 1
	return kMajor || width == run && (width == 1 || dim == s.operand), kMajor
}

// contiguous is the dimension of a tile along which the memory is contiguous that it was
// loaded from, the last one if it was not.
func (a *Assignment) contiguous(v *tile.Value) int {
	op := v.Op()
	switch {
	case op == nil:
	case op.Kind == tile.OpLoad:
		return memory.ContiguousDim(a.Costs.Facts.Views[op.View.Index])
	case op.Kind == tile.OpReshape:
		return sameDim(op.Args[0].Type().Shape, a.contiguous(op.Args[0]), v.Type().Shape)
	case op.Kind == tile.OpPermute:
		return slices.Index(op.Perm, a.contiguous(op.Args[0]))
	case op.Kind.Fact().Class == tile.Unary:
		return a.contiguous(op.Args[0])
	}
	return len(v.Type().Shape) - 1
}

// sameDim is the dimension of a reshaped tile that a dimension of the tile before is, the last one if none is.
func sameDim(from []int, dim int, to []int) int {
	after := func(shape []int, d int) (n int) {
		n = 1
		for _, size := range shape[d+1:] {
			n *= size
		}
		return n
	}
	for d, size := range to {
		if size == from[dim] && after(to, d) == after(from, dim) && size > 1 {
			return d
		}
	}
	return len(to) - 1
}

// takes reports whether a site can work in a distribution.
func (a *Assignment) takes(s *Site, l layout.Linear) bool {
	switch m := a.MatrixOf(s); {
	case s.op.Kind == tile.OpRank:
		needed, ok := a.Costs.RankTile(s.op)
		return !ok || l.Equal(needed)
	case s.op.Kind == tile.OpScan:
		_, ok := distribution.ScanOf(l, s.op.Axis)
		return ok
	case m != nil && s.operand < 0:
		return slices.ContainsFunc(m.accumulators, l.Equal)
	case s.op.Kind == tile.OpDot && s.operand < 0:
		return l.Equal(s.accumulator)
	}
	return true
}

// offer makes a distribution that origin proposed a candidate of a site, if it takes it.
func (a *Assignment) offer(s *Site, number int, origin *Site) {
	if slices.Contains(s.Candidates, number) || !a.takes(s, a.Costs.Layouts[number]) {
		return
	}
	s.Candidates, s.Origins = append(s.Candidates, number), append(s.Origins, origin)
	a.fresh = append(a.fresh, candidate{s, number, origin})
	a.lengthen(s, number, origin)
}

// lengthen offers an access to memory of the tiles of matrix instructions, whose threads have single elements of 8 or 16 bits or a few, a distribution in which they
// have longer runs: words are then exchanged. Of bytes, these are loads of operands in registers, whose runs are as long as can be, and of 16 bits loads and
// stores of what is added to sums, or made of them.
func (a *Assignment) lengthen(s *Site, number int, origin *Site) {
	m := a.MatrixOf(origin)
	if a.Costs.Lanes == 1 || m == nil || m.Cooperative {
		return
	}
	run := 0
	switch s.op.Kind {
	case tile.OpLoad:
		run = a.runOf(s, origin)
	case tile.OpStore: // which otherwise costs registers for what shared memory has room for
		if a.Costs.AvoidShared {
			run = a.runOf(s, origin)
		}
	}
	if run == 0 {
		return
	}
	dim := memory.ContiguousDim(a.Costs.Facts.Views[s.op.View.Index])
	longer := a.Costs.Number(distribution.Lengthened(a.Costs.Layouts[number], dim, a.Costs.Lanes, run))
	if !slices.Contains(s.Candidates, longer) {
		s.Candidates, s.Origins = append(s.Candidates, longer), append(s.Origins, origin)
	}
}

// runOf is how long runs of a site's elements should be, 0 where they stay as the tiles of matrix instructions at another site have them.
func (a *Assignment) runOf(s, origin *Site) int {
	switch elem := s.op.View.Elem; {
	case elem.Size() == 1 && s.op.Kind == tile.OpLoad:
		return maxRun
	case elem.Size() == 2 && simt.PerWord(elem) > 0 && origin.operand < 0:
		return memory.MaxVector(elem)
	}
	return 0
}

// maxRun is longer than any run.
const maxRun = 1 << 20

// candidate is one that has yet to spread.
type candidate struct {
	site   *Site
	number int
	origin *Site
}

// spread carries new candidates to the sites that they reach, the nearest ones first.
func (a *Assignment) spread() {
	for len(a.fresh) > 0 {
		c := a.fresh[0]
		a.fresh = a.fresh[1:]
		a.reaches(a.Costs.Layouts[c.number], c.site, func(s *Site, l layout.Linear) {
			// A site takes it that has candidates to spare, or makes the operand of a Dot that proposed it, of which there are a few.
			if len(s.Candidates) < maxCandidates || a.makesOperand(s, c.origin) {
				a.offer(s, a.Costs.Number(l), c.origin)
			}
		})
	}
}

// reaches visits the sites that make what a site uses, or use what it makes, with the distributions in which no conversion is needed.
func (a *Assignment) reaches(l layout.Linear, s *Site, visit func(*Site, layout.Linear)) {
	for _, u := range s.Uses {
		if def := a.Made[u.Source]; def != nil {
			_, made := Source(u.Value, u.Required(l))
			if at, ok := def.fromMade(made); ok {
				visit(def, at)
			}
		}
	}
	for _, v := range s.values {
		for _, u := range a.Uses[v] {
			if required, ok := seen(u.Value, s.madeIn(l)); ok {
				if at, ok := u.FromRequired(required); ok {
					visit(u.Site, at)
				}
			}
		}
	}
}

// makesOperand reports whether the operand of a Dot is what a site makes, or follows from that element by element. Of operands and accumulators of one size, any
// may have proposed first what matrix instructions take.
func (a *Assignment) makesOperand(s, origin *Site) bool {
	if origin.operand < 0 && a.MatrixOf(origin) == nil {
		return false
	}
	return slices.ContainsFunc(a.Sites, func(o *Site) bool {
		same := o == origin || slices.Equal(o.shape, origin.shape) && a.MatrixOf(o) != nil
		return o.operand >= 0 && same && a.follows(o.Uses[0].Value, s, map[*tile.Value]bool{})
	})
}

// follows reports whether a value is what a site makes, or follows from that by ops on single elements and views; seen are values that do not.
func (a *Assignment) follows(v *tile.Value, s *Site, seen map[*tile.Value]bool) bool {
	if a.Made[v] == s {
		return true
	}
	op := v.Op()
	if op == nil || seen[v] {
		return false
	}
	seen[v] = true
	switch class := op.Kind.Fact().Class; {
	case op.Kind == tile.OpJoin, class == tile.Unary, class == tile.Binary, class == tile.Compare, class == tile.Ternary, Propagations[op.Kind].View: // a scale or a zero point is a second operand
		return slices.ContainsFunc(op.Args, func(x *tile.Value) bool { return a.follows(x, s, seen) })
	}
	return false
}
