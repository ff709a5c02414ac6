package interp

import (
	"unsafe"
)

// A nest whose loads reach beyond their views, or whose rows are not at one distance, runs in boxes: parts of its tile in each of which every load is
// within its view or outside of it. What is outside reads a row of the fill value. So kernels that move over the edges of images read memory in
// place.

// flow is where the elements of a stream are: bytes from a base to the first element of the tile, which may be outside of memory, and from one
// element to the next along each dimension.
type flow struct {
	stream int
	base   unsafe.Pointer
	at     int
	step   [5]int
	region *region        // what of the tile is in memory, nil if all is
	fill   unsafe.Pointer // a row of what is outside
	size   int

	now   unsafe.Pointer // where the run at hand begins
	moves bool           // which is not a row of what is outside
}

// broadcastSteps are the distances in bytes of the elements of a tile that is broadcast to a shape.
func broadcastSteps(from, to []int, size int) (steps [5]int) {
	steps = denseStrides(from)
	for d := range steps {
		if steps[d] *= size; d >= len(from) || from[d] != to[d] {
			steps[d] = 0
		}
	}
	return steps
}

// rowSteps are those of a tile that has an element for each row of a shape.
func rowSteps(shape []int, size int) (steps [5]int) {
	rows := shape[:len(shape)-1]
	return broadcastSteps(rows, rows, size)
}

// columnSteps are those of one row for all.
func columnSteps(shape []int, size int) (steps [5]int) {
	steps[len(shape)-1] = size
	return steps
}

// runBoxes is the step of a nest for accesses of any kind.
func (n *nest) runBoxes(w *worker, s *loopState) {
	whole := n.wholeRegion()
	r, stored := whole, false
	for i := range n.accesses {
		if p := &s.places[i]; n.partial && n.accesses[i].store { // what no store takes need not be computed
			if stored && (p.lo != r.lo || p.n != r.n || p.empty != r.empty) {
				r = whole
				break
			}
			r, stored = p.region, true
		}
	}
	if r.empty {
		return
	}
	s.flows = s.flows[:0]
	for i := range n.accesses {
		s.flows = append(s.flows, n.flowOf(w, s, i, &r))
	}
	n.keepApart(w, s, &r)
	for _, x := range n.registers {
		s.flows = append(s.flows, flow{stream: x.stream, base: w.pointer(x.reg), step: x.steps})
	}
	for _, t := range n.needs {
		s.flows = append(s.flows, flow{stream: t.stream, base: unsafe.Pointer(unsafe.SliceData(n.tables[t.table])), step: rowSteps(n.shape, 4)})
	}
	n.bindGathers(w, s)
	for _, sum := range n.sums {
		fill(w.f[sum.reg.index], sum.start)
	}
	n.cut(s, 0, r)
	for i := range n.accesses {
		if a, p := &n.accesses[i], &s.places[i]; a.store && !p.direct && !p.empty {
			w.move(a, p, n.shape, s.staged[i])
		}
	}
}

// flowOf is where the elements of an access are: in memory, or in a tile if they are no neighbours there or if loads must not be cut.
func (n *nest) flowOf(w *worker, s *loopState, i int, r *region) flow {
	a, p, last := &n.accesses[i], &s.places[i], len(n.shape)-1
	v, size := &w.views[a.view], a.elem.Size()
	f := flow{stream: a.stream, size: size}
	inside := !p.empty && p.covers(r, last)
	p.direct = (v.stride[last] == 1 || r.n[last] == 1 && !(n.flat && r.strided(v, last))) && (inside || n.cuttable && !a.store)
	if !p.direct {
		return n.stagedFlow(w, s, i)
	}
	if !inside {
		f.region, f.fill = &p.region, s.fillRow(n, i)
	}
	if p.empty {
		return f
	}
	f.base, f.at = unsafe.Pointer(unsafe.SliceData(v.data)), p.region.at*size
	for d := range n.shape {
		f.step[d] = v.stride[d] * size
		f.at -= p.lo[d] * f.step[d]
	}
	f.at += r.lo[last] * (f.step[last] - size) // one column has no distance
	f.step[last] = size
	return f
}

// strided reports whether the elements of a region are no neighbours along the last dimension with more than one of them.
func (r *region) strided(v *view, last int) bool {
	for d := last; d >= 0; d-- {
		if r.n[d] > 1 {
			return v.stride[d] != 1
		}
	}
	return false
}

// covers reports whether all of another region, of dimensions up to the last, is in a region.
func (r *region) covers(x *region, last int) bool {
	for d := range last + 1 {
		if x.lo[d] < r.lo[d] || x.lo[d]+x.n[d] > r.lo[d]+r.n[d] {
			return false
		}
	}
	return true
}

// stagedFlow has the elements of an access in a tile.
func (n *nest) stagedFlow(w *worker, s *loopState, i int) flow {
	a, p := &n.accesses[i], &s.places[i]
	p.direct = false
	tile := s.stage(i, n.rows*n.columns*a.elem.Size())
	if !a.store {
		w.fetch(a, p, n.shape, tile)
	}
	return flow{stream: a.stream, base: unsafe.Pointer(unsafe.SliceData(tile)), step: broadcastSteps(n.shape, n.shape, a.elem.Size())}
}

// fillRow is a row of what a load gives outside of its view.
func (s *loopState) fillRow(n *nest, i int) unsafe.Pointer {
	if s.fills == nil {
		s.fills = make([][]byte, len(n.accesses))
	}
	if s.fills[i] == nil {
		a := &n.accesses[i]
		s.fills[i] = make([]byte, n.columns*a.elem.Size())
		a.clear(s.fills[i])
	}
	return unsafe.Pointer(unsafe.SliceData(s.fills[i]))
}

// keepApart makes stores go to memory of their own that write where another access of the loop is, or after a store that does.
func (n *nest) keepApart(w *worker, s *loopState, r *region) {
	for i := range n.accesses {
		p := &s.places[i]
		p.clashes = n.accesses[i].store && p.direct && n.clash(s, r, i)
	}
	for i := range n.accesses {
		if p := &s.places[i]; p.clashes || n.accesses[i].store && p.direct && n.followsStaged(w, s, i) {
			n.stageStore(s, i)
		}
	}
}

// clash reports whether a store writes where another access of the loop is.
func (n *nest) clash(s *loopState, r *region, i int) bool {
	if len(n.gathers) > 0 {
		return true
	}
	first, past := s.flows[i].bounds(r, len(n.shape))
	for j := range n.accesses {
		if j != i && s.places[j].direct {
			if f, p := s.flows[j].bounds(r, len(n.shape)); first < p && f < past {
				return true
			}
		}
	}
	return false
}

// followsStaged reports whether a store comes after one to the same memory whose elements go there after the loop, as then its own have to.
func (n *nest) followsStaged(w *worker, s *loopState, i int) bool {
	data := unsafe.SliceData(w.views[n.accesses[i].view].data)
	for j := range i {
		if p := &s.places[j]; n.accesses[j].store && !p.direct && !p.empty && unsafe.SliceData(w.views[n.accesses[j].view].data) == data {
			return true
		}
	}
	return false
}

func (n *nest) stageStore(s *loopState, i int) {
	s.places[i].direct = false
	size := n.accesses[i].elem.Size()
	tile := s.stage(i, n.rows*n.columns*size)
	s.flows[i] = flow{stream: n.accesses[i].stream, base: unsafe.Pointer(unsafe.SliceData(tile)), step: broadcastSteps(n.shape, n.shape, size)}
}

// bounds are the first byte of a region that is in memory, and the one after its last.
func (f *flow) bounds(r *region, rank int) (first, past uintptr) {
	if f.region != nil {
		r = f.region
	}
	if r.empty {
		return 0, 0
	}
	lo := f.at
	hi := lo + f.size
	for d := range rank {
		begin, extent := r.lo[d]*f.step[d], (r.n[d]-1)*f.step[d]
		lo, hi = lo+begin+min(extent, 0), hi+begin+max(extent, 0)
	}
	return uintptr(f.base) + uintptr(lo), uintptr(f.base) + uintptr(hi)
}

// cut divides a box along a dimension and those after it where loads begin and end, and runs the parts.
func (n *nest) cut(s *loopState, d int, box region) {
	for ; d < len(n.shape); d++ {
		at, end := box.lo[d], box.lo[d]+box.n[d]
		next := end
		for i := range s.flows {
			if r := s.flows[i].region; r != nil && !r.empty {
				next = after(at, next, r.lo[d])
				next = after(at, next, r.lo[d]+r.n[d])
			}
		}
		if next == end {
			continue
		}
		first := box
		first.n[d] = next - at
		n.cut(s, d+1, first)
		box.lo[d], box.n[d] = next, end-next
		d--
	}
	n.runBox(s, &box)
}

// after is x if it is between two numbers, else the second.
func after(at, next, x int) int {
	if at < x && x < next {
		return x
	}
	return next
}

// runBox runs the loop on a box. Dimensions that follow each other in all streams are one.
func (n *nest) runBox(s *loopState, box *region) {
	last := len(n.shape) - 1
	var at, dims, lengths [5]int
	dims[0], lengths[0] = last, box.n[last]
	count := 1
	for d := last - 1; d >= 0; d-- {
		switch k := count - 1; {
		case box.n[d] == 1:
		case (k > 0 || n.flat) && s.follow(box, d, dims[k], lengths[k], last):
			lengths[k] *= box.n[d]
		default:
			dims[count], lengths[count] = d, box.n[d]
			count++
		}
	}
	for k := count; k < 5; k++ {
		lengths[k] = 1
	}
	for i := range s.flows {
		f := &s.flows[i]
		if f.now, f.moves = f.fill, !f.outside(box, last); f.moves {
			start := f.at
			for d := range last + 1 {
				start += box.lo[d] * f.step[d]
			}
			f.now = unsafe.Add(f.base, start)
		}
	}
	for {
		for i := range s.flows {
			f, step := &s.flows[i], 0
			if f.moves && count > 1 {
				step = f.step[dims[1]]
			}
			s.frame.Bind(f.stream, f.now, step)
		}
		s.frame.Run(lengths[1], lengths[0])
		k := 2
		for ; k < count; k++ {
			if at[k]++; at[k] < lengths[k] {
				s.advance(dims[k], 1)
				break
			}
			at[k] = 0
			s.advance(dims[k], 1-lengths[k])
		}
		if k >= count {
			return
		}
	}
}

// advance moves all streams that are in memory along a dimension.
func (s *loopState) advance(d, by int) {
	for i := range s.flows {
		if f := &s.flows[i]; f.moves {
			f.now = unsafe.Add(f.now, by*f.step[d])
		}
	}
}

// outside reports whether a box is outside of what a load has in memory; the box is within it otherwise.
func (f *flow) outside(box *region, last int) bool {
	if f.region == nil {
		return false
	}
	if f.region.empty {
		return true
	}
	for d := range last + 1 {
		if at := box.lo[d] - f.region.lo[d]; at < 0 || at >= f.region.n[d] {
			return true
		}
	}
	return false
}

// follow reports whether a dimension continues, in all streams, a number of elements along a later one.
func (s *loopState) follow(box *region, d, later, length, last int) bool {
	for i := range s.flows {
		if f := &s.flows[i]; f.step[d] != f.step[later]*length || f.outside(box, last) {
			return false
		}
	}
	return true
}
