package interp

import (
	"math/bits"
	"unsafe"

	"github.com/weftgpu/weft/tile"
)

// scan is the machine code of a Scan. Where many elements are side by side at each coordinate of the axis, these are combined coordinate by coordinate. Else
// all elements are combined with those that are 1 before them, then with what is 2 before, 4, and so on (W. D. Hillis and G. L. Steele, Data Parallel Algorithms,
// 1986), from one register to the other.
type scan struct {
	pairLoop
	axis
	reverse         bool
	from, to, other []reg
	identity        []reg // of an exclusive scan
}

// scan makes the step of a Scan in pairs. The error is native.ErrNoCode.
func (c *compiler) scan(op *tile.Op) (step, error) {
	loop, err := c.pairs(op)
	if err != nil {
		return nil, err
	}
	s := &scan{pairLoop: loop, axis: axisOf(loop.shape, op.Axis), reverse: op.Reverse}
	for i, v := range op.Out {
		s.from, s.to = append(s.from, c.where[op.Args[i]]), append(s.to, c.define(v))
		if op.IsExclusive() {
			s.identity = append(s.identity, c.where[op.Args[len(op.Out)+i]])
		}
	}
	for _, v := range op.Out {
		s.other = append(s.other, c.alloc(v.Type()))
	}
	for _, r := range s.other {
		c.drop(r)
	}
	return s.run, nil
}

// leastSideBySide is how many elements at a coordinate fill vectors.
const leastSideBySide = 16

// run is the step.
func (s *scan) run(w *worker) {
	to := s.to
	if s.identity != nil {
		to = s.other
	}
	if s.inner >= leastSideBySide {
		s.oneByOne(w, to)
	} else {
		s.byDistances(w, to)
	}
	for i, r := range s.identity {
		s.move(w, i, s.to[i], 1, to[i], 0, s.n-1)
		s.put(w, i, s.to[i], r)
	}
}

// oneByOne combines what is before each coordinate with it.
func (s *scan) oneByOne(w *worker, to []reg) {
	for i := range s.values {
		s.move(w, i, to[i], 0, s.from[i], 0, 1)
	}
	row := s.n * s.inner
	for at := 1; at < s.n; at++ {
		s.pairLoop.run(w, s.outer, s.inner, row, row, func(i int) (first, second, into unsafe.Pointer) {
			return s.at(w, i, to[i], at-1, 1), s.at(w, i, s.from[i], at, 1), s.at(w, i, to[i], at, 1)
		})
	}
}

// byDistances doubles the number of elements that are combined in each.
func (s *scan) byDistances(w *worker, to []reg) {
	other := s.other
	if s.identity != nil {
		other = s.to
	}
	from, row := s.from, s.n*s.inner
	for d := 1; d < s.n; d *= 2 {
		into := to
		if bits.Len(uint(s.n/d))%2 == 1 { // so that the last pass writes there
			into = other
		}
		for i := range s.values {
			s.move(w, i, into[i], 0, from[i], 0, d)
		}
		rest := s.n - d
		s.pairLoop.run(w, s.outer, rest*s.inner, row, row, func(i int) (first, second, out unsafe.Pointer) {
			return s.at(w, i, from[i], 0, rest), s.at(w, i, from[i], d, rest), s.at(w, i, into[i], d, rest)
		})
		from = into
	}
}

// at is where so many coordinates begin in a register, the first of which is at a place: counted from the end if the scan is reverse.
func (s *scan) at(w *worker, value int, r reg, place, count int) unsafe.Pointer {
	if s.reverse {
		place = s.n - place - count
	}
	return unsafe.Add(w.pointer(r), place*s.inner*s.values[value].size)
}

// move copies so many coordinates from a place in one register to a place in another.
func (s *scan) move(w *worker, value int, to reg, toPlace int, from reg, fromPlace, count int) {
	d, x := s.at(w, value, to, toPlace, count), s.at(w, value, from, fromPlace, count)
	bytes, row := count*s.inner*s.values[value].size, s.n*s.inner*s.values[value].size
	for o := range s.outer {
		copy(unsafe.Slice((*byte)(unsafe.Add(d, o*row)), bytes), unsafe.Slice((*byte)(unsafe.Add(x, o*row)), bytes))
	}
}

// put sets the first coordinate to the element of a register.
func (s *scan) put(w *worker, value int, to, from reg) {
	size := s.values[value].size
	x, d := unsafe.Slice((*byte)(w.pointer(from)), size), s.at(w, value, to, 0, 1)
	for o := range s.outer {
		for j := range s.inner {
			copy(unsafe.Slice((*byte)(unsafe.Add(d, (o*s.n*s.inner+j)*size)), size), x)
		}
	}
}
