package interp

import (
	"unsafe"
)

// region is the part of a tile that is within its view.
type region struct {
	lo, n [5]int // of each dimension
	at    int    // the first element in memory
	empty bool
}

// regionOf is where a tile at the coordinates in registers is, as window is, without merging dimensions.
func (w *worker) regionOf(a *access, shape []int) (r region) {
	v := &w.views[a.view]
	r.at = v.offset
	for d := range shape {
		start := int64(w.i[a.coords[d]][0])
		if !a.byElement {
			start *= int64(shape[d])
		}
		lo, hi := max(0, -start), min(int64(shape[d]), int64(v.size[d])-start)
		if lo >= hi {
			r.empty = true
			return r
		}
		r.lo[d], r.n[d] = int(lo), int(hi-lo)
		r.at += int(start+lo) * v.stride[d]
	}
	return r
}

// whole reports whether a region is all of a tile.
func (r *region) whole(shape []int) bool {
	for d, n := range shape {
		if r.n[d] != n {
			return false
		}
	}
	return !r.empty
}

// rowDistance is the distance of rows along the last dimension of n elements in each dimension, by strides, if rows follow each other at one
// distance and their elements side by side.
func rowDistance(n []int, stride []int) (step int, ok bool) {
	last := len(n) - 1
	if n[last] > 1 && stride[last] != 1 {
		return 0, false
	}
	length, found := 1, false
	for d := last - 1; d >= 0; d-- {
		switch {
		case n[d] == 1:
		case !found:
			step, length, found = stride[d], n[d], true
		case stride[d] != step*length:
			return 0, false
		default:
			length *= n[d]
		}
	}
	return step, true
}

// run is the step of a nest.
func (n *nest) run(w *worker) {
	s := w.loop(n)
	common, whole := n.places(w, s)
	rank := len(n.shape)
	var dense [5]int // strides of registers
	for d, stride := rank-1, 1; d >= 0; d-- {
		dense[d] = stride
		stride *= n.shape[d]
	}
	registerStep, ok := rowDistance(common.n[:rank], dense[:rank])
	if !ok {
		common, whole = n.wholeRegion(), true
		registerStep = n.columns
	}
	if common.empty {
		return
	}
	rows, columns := 1, common.n[rank-1]
	for _, m := range common.n[:rank-1] {
		rows *= m
	}
	if rows == 1 {
		registerStep = columns
	}
	one := n.flat && registerStep == columns // all rows are one
	for i := range n.accesses {
		a, p := &n.accesses[i], &s.places[i]
		v := &w.views[a.view]
		size := a.elem.Size()
		p.direct = !p.empty && (whole && p.region.whole(n.shape) || !whole)
		if p.direct {
			p.step, p.direct = rowDistance(p.n[:rank], v.stride[:rank])
		}
		if p.direct {
			if rows == 1 {
				p.step = columns
			}
			one = one && p.step == columns
			p.step *= size
			p.at = unsafe.Pointer(&v.data[p.region.at*size])
		}
	}
	n.separate(w, s, rows, columns)
	first := 0
	for d := range rank {
		first += common.lo[d] * dense[d]
	}
	for i := range n.accesses {
		a, p := &n.accesses[i], &s.places[i]
		size := a.elem.Size()
		if !p.direct {
			p.at, p.step = unsafe.Pointer(&s.stage(i, n.rows*n.columns*size)[first*size]), registerStep*size
			if !a.store {
				w.fetch(a, p, n.shape, s.staged[i])
			}
		}
		s.frame.Bind(a.stream, p.at, p.step)
	}
	for _, r := range n.registers {
		p := w.pointer(r.reg)
		switch r.by {
		case rowForEach:
			s.frame.Bind(r.stream, unsafe.Add(p, first*r.size), registerStep*r.size)
		case oneForRow:
			s.frame.Bind(r.stream, p, r.size)
		default:
			s.frame.Bind(r.stream, p, 0)
		}
	}
	for _, t := range n.needs {
		s.frame.Bind(t.stream, unsafe.Pointer(unsafe.SliceData(n.tables[t.table])), 4)
	}
	n.bindGathers(w, s)
	for _, sum := range n.sums {
		fill(w.f[sum.reg.index], sum.start)
	}
	if one {
		rows, columns = 1, rows*columns
	}
	s.frame.Run(rows, columns)
	for i := range n.accesses {
		if a, p := &n.accesses[i], &s.places[i]; a.store && !p.direct && !p.empty {
			w.move(a, p, n.shape, s.staged[i])
		}
	}
}

// bindGathers gives the gathers what they need of their views.
func (n *nest) bindGathers(w *worker, s *loopState) {
	if len(n.gathers) == 0 {
		return
	}
	if s.words == nil {
		s.words = make([]int32, 11*len(n.gathers)) // an offset, and of five dimensions a size and a stride
	}
	next := s.words
	word := func(stream, x int) {
		next[0] = int32(x)
		s.frame.Bind(stream, unsafe.Pointer(&next[0]), 0)
		next = next[1:]
	}
	for _, g := range n.gathers {
		v := &w.views[g.view]
		word(g.offset, v.offset)
		for d := range g.sizes {
			word(g.sizes[d], v.size[d])
			word(g.strides[d], v.stride[d])
		}
		s.frame.Bind(g.stream, unsafe.Pointer(unsafe.SliceData(v.data)), 0)
	}
}

// places finds the regions of all accesses, and the one that is to be computed: that of all of them, if they agree and nothing else needs
// more, or the whole tile.
func (n *nest) places(w *worker, s *loopState) (common region, whole bool) {
	same := n.partial
	for i := range n.accesses {
		p := &s.places[i]
		p.region = w.regionOf(&n.accesses[i], n.shape)
		first := &s.places[0]
		same = same && p.lo == first.lo && p.n == first.n && p.empty == first.empty
	}
	if same && len(n.accesses) > 0 {
		r := s.places[0].region
		return r, r.whole(n.shape)
	}
	return n.wholeRegion(), true
}

func (n *nest) wholeRegion() (r region) {
	copy(r.n[:], n.shape)
	return r
}

// separate makes stores go to memory of their own that write where another access of the loop is, unless both are to the same elements in the
// same order: the loop does not keep the order of the ops.
func (n *nest) separate(w *worker, s *loopState, rows, columns int) {
	clash := false
	for i := range n.accesses {
		if !n.accesses[i].store || !s.places[i].direct {
			continue
		}
		for _, g := range n.gathers {
			clash = clash || unsafe.SliceData(w.views[g.view].data) == unsafe.SliceData(w.views[n.accesses[i].view].data)
		}
		for j := range n.accesses {
			p, q := &s.places[i], &s.places[j]
			if i == j || !q.direct || p.at == q.at && p.step == q.step && n.accesses[i].elem.Size() == n.accesses[j].elem.Size() {
				continue
			}
			a, b := n.extent(p, i, rows, columns), n.extent(q, j, rows, columns)
			clash = clash || a[0] < b[1] && b[0] < a[1]
		}
	}
	if clash {
		for i := range n.accesses {
			if n.accesses[i].store {
				s.places[i].direct = false
			}
		}
	}
}

// extent is the memory of an access.
func (n *nest) extent(p *place, i, rows, columns int) [2]uintptr {
	first, past := uintptr(p.at), uintptr(p.at)+uintptr(columns*n.accesses[i].elem.Size())
	if p.step < 0 {
		return [2]uintptr{first - uintptr(-p.step*(rows-1)), past}
	}
	return [2]uintptr{first, past + uintptr(p.step*(rows-1))}
}

// loop is what the worker keeps for a nest.
func (w *worker) loop(n *nest) *loopState {
	for len(w.loops) <= n.number {
		w.loops = append(w.loops, nil)
	}
	s := w.loops[n.number]
	if s == nil {
		s = &loopState{places: make([]place, len(n.accesses)), staged: make([][]byte, len(n.accesses))}
		if n.code != nil {
			s.frame = n.code.NewFrame()
		}
		w.loops[n.number] = s
	}
	return s
}

// stage is memory for an access.
func (s *loopState) stage(i, bytes int) []byte {
	if s.staged[i] == nil {
		s.staged[i] = make([]byte, bytes)
	}
	return s.staged[i]
}

// fetch copies what a load reads to a tile.
func (w *worker) fetch(a *access, p *place, shape []int, buffer []byte) {
	if p.empty || !p.region.whole(shape) {
		if a.fill == nil {
			clear(buffer)
		} else {
			for i := 0; i < len(buffer); i += len(a.fill) {
				copy(buffer[i:], a.fill)
			}
		}
	}
	if !p.empty {
		w.move(a, p, shape, buffer)
	}
}

// move copies the elements of a region between memory and a tile, to memory for a store.
func (w *worker) move(a *access, p *place, shape []int, buffer []byte) {
	v, rank := &w.views[a.view], len(shape)
	memory, tile := block{v.data, p.region.at, v.stride}, block{data: buffer}
	for d, stride := rank-1, 1; d >= 0; d-- {
		tile.stride[d] = stride
		tile.at += p.lo[d] * stride
		stride *= shape[d]
	}
	if a.store {
		copyBlock(memory, tile, p.n[:rank], a.elem.Size())
	} else {
		copyBlock(tile, memory, p.n[:rank], a.elem.Size())
	}
}
