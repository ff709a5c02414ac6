package interp

import (
	"unsafe"

	"github.com/weftgpu/weft/tile/interp/internal/squares"
)

// block is elements in memory, by strides from the first one on.
type block struct {
	data   []byte
	at     int
	stride [5]int
}

// span is elements along a dimension of a copy, and their distances in bytes.
type span struct{ n, to, from int }

// spans are the dimensions of a copy: as few as can be, since those that continue each other on both sides are one.
type spans struct {
	list [5]span
	rank int
	size int // bytes of an element
}

// copyBlock copies n elements along each dimension, of so many bytes each.
func copyBlock(to, from block, n []int, size int) {
	s := spans{size: size}
	for d, m := range n {
		s.add(span{m, to.stride[d] * size, from.stride[d] * size})
	}
	s.widen()
	s.copy(unsafe.Pointer(&to.data[to.at*size]), unsafe.Pointer(&from.data[from.at*size]))
}

func (s *spans) add(x span) {
	if x.n == 1 {
		return
	}
	if s.rank > 0 {
		if last := &s.list[s.rank-1]; last.to == x.to*x.n && last.from == x.from*x.n {
			*last = span{last.n * x.n, x.to, x.from}
			return
		}
	}
	s.list[s.rank] = x
	s.rank++
}

// neighbours is the dimension along which elements are neighbours in what is written, or in what is read; -1 if there is none.
func (s *spans) neighbours() (to, from int) {
	to, from = -1, -1
	for d, x := range s.list[:s.rank] {
		if x.to == s.size {
			to = d
		}
		if x.from == s.size {
			from = d
		}
	}
	return to, from
}

// take removes a dimension.
func (s *spans) take(d int) span {
	x := s.list[d]
	copy(s.list[d:], s.list[d+1:s.rank])
	s.rank--
	return x
}

// widen makes a run of 2, 4 or 8 bytes on both sides one element.
func (s *spans) widen() {
	to, from := s.neighbours()
	if to < 0 || to != from {
		return
	}
	switch bytes := s.list[to].n * s.size; bytes {
	case 2, 4, 8:
		s.take(to)
		s.size = bytes
	}
}

// copy takes the dimensions that it copies at once out of the others.
func (s *spans) copy(to, from unsafe.Pointer) {
	inner, across := s.neighbours()
	switch {
	case s.rank == 0:
		s.each(to, from, span{n: 1}, span{n: 1})
	case inner >= 0 && inner == across: // runs
		s.each(to, from, s.take(inner), span{n: 1})
	case inner >= 0 && across >= 0:
		x, y := s.list[inner], s.list[across]
		s.take(max(inner, across))
		s.take(min(inner, across))
		s.each(to, from, x, y)
	case across >= 0:
		s.each(to, from, s.take(across), span{n: 1})
	default:
		if inner < 0 {
			inner = s.rank - 1
		}
		s.each(to, from, s.take(inner), span{n: 1})
	}
}

// each copies two dimensions for each element of the others, of which there are four at most.
func (s *spans) each(to, from unsafe.Pointer, inner, across span) {
	var at [5]int
	for {
		switch {
		case across.n > 1:
			squares.Transpose(to, across.to, from, inner.from, inner.n, across.n, s.size)
		case inner.to == s.size && inner.from == s.size:
			copy(unsafe.Slice((*byte)(to), inner.n*s.size), unsafe.Slice((*byte)(from), inner.n*s.size))
		case inner.to == s.size && inner.from == 0:
			repeat(unsafe.Slice((*byte)(to), inner.n*s.size), unsafe.Slice((*byte)(from), s.size))
		default:
			squares.Strided(to, inner.to, from, inner.from, inner.n, s.size)
		}
		d := s.rank - 1
		for ; d >= 0; d-- {
			x := &s.list[d]
			if at[d]++; at[d] < x.n {
				to, from = unsafe.Add(to, x.to), unsafe.Add(from, x.from)
				break
			}
			at[d] = 0
			to, from = unsafe.Add(to, -(x.n-1)*x.to), unsafe.Add(from, -(x.n-1)*x.from)
		}
		if d < 0 {
			return
		}
	}
}

// repeat fills memory with copies of an element.
func repeat(to, element []byte) {
	for n := copy(to, element); n < len(to); n *= 2 {
		copy(to[n:], to[:n])
	}
}
