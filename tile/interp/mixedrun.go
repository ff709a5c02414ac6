package interp

import (
	"slices"
	"unsafe"
)

// rowList is where the rows of an access are, from each one to the next, by the distances of elements in its view.
type rowList struct {
	stride [5]int
	steps  []int
}

// run is the step of a mixed nest.
func (n *mixedNest) run(w *worker) {
	s := w.loop(&n.nest)
	if s.lists == nil {
		s.lists = make([]rowList, len(n.accesses))
	}
	needed := n.results
	for i := range n.accesses {
		a, p := &n.accesses[i], &s.places[i]
		p.region = a.region(w, n.ways[i].shape)
		p.direct = p.region.whole(n.ways[i].shape) && n.ways[i].contiguous(&w.views[a.view])
		needed = needed || a.store && !p.empty
	}
	if !needed {
		return
	}
	n.locate(w, s)
	n.separate(w, s)
	n.bind(w, s)
	s.frame.Run(n.rows, n.columns)
	for i := range n.accesses {
		if a, p := &n.accesses[i], &s.places[i]; a.store && !p.direct && !p.empty {
			w.move(a, p, n.ways[i].shape, s.staged[i])
		}
	}
}

// contiguous reports whether the columns of a block are side by side in memory.
func (a *accessWay) contiguous(v *view) bool {
	for i, t := range a.columns {
		if v.stride[t.axis]*t.within != 1<<i {
			return false
		}
	}
	return true
}

// locate finds where the accesses are that go to memory directly.
func (n *mixedNest) locate(w *worker, s *loopState) {
	for i := range n.accesses {
		a, p := &n.accesses[i], &s.places[i]
		if v, size := &w.views[a.view], a.elem.Size(); p.direct {
			p.at = unsafe.Pointer(&v.data[p.region.at*size])
			s.lists[i].follow(v.stride, &n.ways[i], size)
		}
	}
}

// follow makes the list that of a view.
func (l *rowList) follow(stride [5]int, a *accessWay, size int) {
	if l.steps == nil || l.stride != stride {
		l.stride = stride
		l.steps = stepsOf(l.steps, a.rows, func(t term) int { return t.within * stride[t.axis] * size })
	}
}

// separate makes stores go to memory of their own that write where another access of the loop is, unless both are to the same elements in the same order, or after a store that does.
func (n *mixedNest) separate(w *worker, s *loopState) {
	clash := false
	for i := range n.accesses {
		for j := range n.accesses {
			p, q, a, b := &s.places[i], &s.places[j], &n.accesses[i], &n.accesses[j]
			if i == j || !a.store || !p.direct || !q.direct || unsafe.SliceData(w.views[a.view].data) != unsafe.SliceData(w.views[b.view].data) {
				continue
			}
			alike := p.at == q.at && a.elem.Size() == b.elem.Size() && len(n.ways[i].columns) == len(n.ways[j].columns) && slices.Equal(s.lists[i].steps, s.lists[j].steps)
			clash = clash || !alike
		}
	}
	for i := range n.accesses {
		if p := &s.places[i]; n.accesses[i].store && p.direct {
			p.direct = !clash && !n.followsStaged(w, s, i)
		}
	}
}

// bind gives the loop its streams.
func (n *mixedNest) bind(w *worker, s *loopState) {
	for i := range n.accesses {
		a, p, way := &n.accesses[i], &s.places[i], &n.ways[i]
		if size := a.elem.Size(); !p.direct {
			length := 1
			for _, m := range way.shape {
				length *= m
			}
			p.at = unsafe.Pointer(unsafe.SliceData(s.stage(i, length*size)))
			if s.lists[i].follow(denseStrides(way.shape), way, size); !a.store {
				w.fetch(a, p, way.shape, s.staged[i])
			}
		}
		s.frame.BindList(a.stream, p.at, s.lists[i].steps)
	}
	for _, r := range n.held {
		p := unsafe.Add(w.pointer(r.reg), r.first)
		if r.steps != nil {
			s.frame.BindList(r.stream, p, r.steps)
		} else {
			s.frame.Bind(r.stream, p, r.step)
		}
	}
	for _, t := range n.needs {
		s.frame.Bind(t.stream, unsafe.Pointer(unsafe.SliceData(n.tables[t.table])), 4)
	}
}
