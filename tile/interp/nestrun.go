package interp

import "unsafe"

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

// extent is what a run of a nest computes: rows of elements of a region, and where they are in registers.
type extent struct {
	region
	rows, columns int
	row, step     int // of a register, the first row and the distance of rows
	whole         bool
	one           bool // rows follow each other everywhere, so that they are one
}

// run is the step of a nest.
func (n *nest) run(w *worker) {
	s := w.loop(n)
	e := n.extent(w, s)
	if e.empty {
		return
	}
	for i := range n.accesses {
		n.locate(w, s, &e, i)
	}
	if n.boxed || !n.inPlace(s) {
		n.runBoxes(w, s)
		return
	}
	n.separate(w, s, &e)
	n.stage(w, s, &e)
	for _, sum := range n.sums {
		fill(w.f[sum.reg.index], sum.start)
	}
	if e.one {
		e.rows, e.columns = 1, e.rows*e.columns
	}
	for row := 0; row < e.rows; {
		past := n.until(s, &e, row)
		n.bind(w, s, &e, row)
		n.bindGathers(w, s)
		s.frame.Run(past-row, e.columns)
		row = past
	}
	for i := range n.accesses {
		if a, p := &n.accesses[i], &s.places[i]; a.store && !p.direct && !p.empty {
			w.move(a, p, n.shape, s.staged[i])
		}
	}
}

// extent is what all accesses have in common, if its rows are at one distance in registers, else the whole tile.
func (n *nest) extent(w *worker, s *loopState) (e extent) {
	rank, dense, ok := len(n.shape), denseStrides(n.shape), false
	e.region, e.whole = n.places(w, s)
	if e.step, ok = rowDistance(e.n[:rank], dense[:rank]); !ok {
		e.region, e.whole, e.step = n.wholeRegion(), true, n.columns
	}
	e.columns = e.n[rank-1]
	e.row, e.rows = rowsOf(&e.region, n.shape)
	e.step /= n.columns
	e.one = n.flat && (e.rows == 1 || e.step == 1 && e.columns == n.columns)
	return e
}

// rowsOf is the number of a region's first row in a tile, and how many it has.
func rowsOf(r *region, shape []int) (first, rows int) {
	rows = 1
	for d, n := range shape[:len(shape)-1] {
		first, rows = first*n+r.lo[d], rows*r.n[d]
	}
	return first, rows
}

// locate finds where an access goes to memory directly, if it does: its rows follow each other in the extent, and begin with the first column.
func (n *nest) locate(w *worker, s *loopState, e *extent, i int) {
	rank := len(n.shape)
	a, p := &n.accesses[i], &s.places[i]
	v, size := &w.views[a.view], a.elem.Size()
	if p.from, p.past, p.width, p.direct = 0, 0, 0, p.empty; p.empty {
		e.one = false
		return
	}
	if p.step, p.direct = rowDistance(p.n[:rank], v.stride[:rank]); !p.direct {
		return
	}
	rows := e.rows
	if e.whole {
		dense := denseStrides(n.shape)
		step, ok := rowDistance(p.n[:rank], dense[:rank])
		p.from, rows = rowsOf(&p.region, n.shape)
		if p.direct = p.lo[rank-1] == 0 && ok && (rows == 1 || step == n.columns); !p.direct {
			return
		}
	}
	p.past, p.width = p.from+rows, p.n[rank-1]
	e.one = e.one && rows == e.rows && p.width == e.columns && (rows == 1 || p.step == e.columns)
	p.step *= size
	p.at = unsafe.Pointer(&v.data[p.region.at*size])
}

// inPlace reports whether all accesses go to memory directly.
func (n *nest) inPlace(s *loopState) bool {
	for i := range n.accesses {
		if !s.places[i].direct {
			return false
		}
	}
	return true
}

// stage gives the other accesses tiles of their own, and fetches what is loaded.
func (n *nest) stage(w *worker, s *loopState, e *extent) {
	for i := range n.accesses {
		a, p := &n.accesses[i], &s.places[i]
		if p.direct {
			continue
		}
		size := a.elem.Size()
		b := s.stage(i, n.rows*n.columns*size)
		if !a.store {
			w.fetch(a, p, n.shape, b)
		}
		p.from, p.past, p.width = 0, e.rows, e.columns
		p.at, p.step = unsafe.Pointer(&b[(e.row*n.columns+e.lo[len(n.shape)-1])*size]), e.step*n.columns*size
	}
}

// until is the first row after one from which on an access begins to have rows, or has none any more.
func (n *nest) until(s *loopState, e *extent, row int) int {
	past := e.rows
	for i := range n.accesses {
		for _, at := range []int{s.places[i].from, s.places[i].past} {
			if at > row {
				past = min(past, at)
			}
		}
	}
	return past
}

// bind gives the loop its streams, which begin with a row.
func (n *nest) bind(w *worker, s *loopState, e *extent, row int) {
	for i := range n.accesses {
		switch p := &s.places[i]; {
		case e.one:
			s.frame.Bind(n.accesses[i].stream, p.at, 0)
		case p.from <= row && row < p.past:
			s.frame.BindPart(n.accesses[i].stream, unsafe.Add(p.at, (row-p.from)*p.step), p.step, p.width)
		default:
			s.frame.BindPart(n.accesses[i].stream, nil, 0, 0)
		}
	}
	first, column := e.row+row*e.step, e.lo[len(n.shape)-1]
	for _, r := range n.registers {
		p := w.pointer(r.reg)
		switch r.by {
		case rowForEach:
			s.frame.Bind(r.stream, unsafe.Add(p, (first*n.columns+column)*r.size), e.step*n.columns*r.size)
		case oneForRow:
			s.frame.Bind(r.stream, unsafe.Add(p, first*r.size), e.step*r.size)
		case rowForAll:
			s.frame.Bind(r.stream, unsafe.Add(p, column*r.size), 0)
		default:
			s.frame.Bind(r.stream, p, 0)
		}
	}
	for _, t := range n.needs {
		s.frame.Bind(t.stream, unsafe.Pointer(&n.tables[t.table][first]), 4*e.step)
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

func (a *access) region(w *worker, shape []int) region {
	return w.regionOf(&w.views[a.view], shape, a.coords, a.byElement)
}

// places finds the regions of all accesses, and the one that is to be computed: that of all of them, if they agree and nothing else needs
// more, or the whole tile.
func (n *nest) places(w *worker, s *loopState) (common region, whole bool) {
	same := n.partial
	for i := range n.accesses {
		p := &s.places[i]
		p.region = n.accesses[i].region(w, n.shape)
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
func (n *nest) separate(w *worker, s *loopState, e *extent) {
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
			size := n.accesses[i].elem.Size()
			apart := p.rows() == 1 && q.rows() == 1 || max(p.step, -p.step) >= max(p.width, q.width)*size // rows, from each other
			if i == j || !q.direct || p.empty || q.empty || apart && p.at == q.at && p.step == q.step && p.from == q.from && size == n.accesses[j].elem.Size() {
				continue
			}
			a, b := p.memory(size), q.memory(n.accesses[j].elem.Size())
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

func (p *place) rows() int { return p.past - p.from }

// memory is the first byte of a place, and the one after its last.
func (p *place) memory(size int) [2]uintptr {
	first, past := uintptr(p.at), uintptr(p.at)+uintptr(p.width*size)
	if p.step < 0 {
		return [2]uintptr{first - uintptr(-p.step*(p.rows()-1)), past}
	}
	return [2]uintptr{first, past + uintptr(p.step*(p.rows()-1))}
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
		a.clear(buffer)
	}
	if !p.empty {
		w.move(a, p, shape, buffer)
	}
}

// clear writes fill values.
func (a *access) clear(buffer []byte) {
	if a.fill == nil {
		clear(buffer)
		return
	}
	for i := 0; i < len(buffer); i += len(a.fill) {
		copy(buffer[i:], a.fill)
	}
}

// move copies the elements of a region between memory and a tile, to memory for a store.
func (w *worker) move(a *access, p *place, shape []int, buffer []byte) {
	v, rank := &w.views[a.view], len(shape)
	memory, tile := block{v.data, p.region.at, v.stride}, block{data: buffer, stride: denseStrides(shape)}
	for d := range rank {
		tile.at += p.lo[d] * tile.stride[d]
	}
	if a.store {
		copyBlock(memory, tile, p.n[:rank], a.elem.Size())
	} else {
		copyBlock(tile, memory, p.n[:rank], a.elem.Size())
	}
}
