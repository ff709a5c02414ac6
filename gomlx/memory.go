package gomlx

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// slot is memory that temporaries share, one after the other.
type slot struct {
	elem weft.DType
	len  int
	free int // the last step that uses it so far
}

// findLifetimes finds between which steps each storage is used.
func (p *plan) findLifetimes() {
	for i, s := range p.steps {
		for _, o := range s.out {
			if o.first < 0 && o.kind != input && o.kind != constant {
				o.first = i
			}
			o.last = i
		}
		for _, o := range s.in {
			o.last = i
		}
	}
}

// assignSlots gives temporaries whose lifetimes do not meet the same memory: each takes the smallest slot that is free and
// large enough, else enlarges the largest that is free.
func (p *plan) assignSlots() {
	var list []*storage
	for _, s := range p.storages {
		if s.kind == temporary && s.last >= 0 {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *storage) int { return cmp.Compare(a.first, b.first) })
	for _, s := range list {
		best := -1
		for i, t := range p.slots {
			if t.elem != s.elem || t.free >= s.first {
				continue
			}
			switch fits := t.len >= s.len; {
			case best < 0, fits && (p.slots[best].len < s.len || t.len < p.slots[best].len), !fits && p.slots[best].len < s.len && t.len > p.slots[best].len:
				best = i
			}
		}
		if best < 0 {
			best = len(p.slots)
			p.slots = append(p.slots, slot{elem: s.elem})
		}
		t := &p.slots[best]
		t.len, t.free, s.index = max(t.len, s.len), s.last, best
	}
}

// donors lists, for each output, the inputs whose memory it may take if they are donated: of the same type and size, and used
// for the last time before the output is written, or by the very step that writes it, element by element.
func (p *plan) donors() [][]int {
	list := make([][]int, len(p.outputs))
	for o, out := range p.outputs {
		var before []int
		for i, in := range p.inputs {
			if in.elem != out.elem || in.len != out.len || out.first < 0 {
				continue
			}
			switch {
			case in.last < out.first:
				before = append(before, i)
			case in.last == out.first && p.steps[in.last].worksInPlace(out, in):
				list[o] = append(list[o], i)
			}
		}
		list[o] = append(list[o], before...)
	}
	return list
}

// worksInPlace reports whether a step may write a storage in the memory of another that it reads.
func (s *step) worksInPlace(out, in *storage) bool {
	to := slices.IndexFunc(s.out, func(o operand) bool { return o.storage == out })
	if !s.inPlace || to < 0 {
		return false
	}
	for _, o := range s.in {
		if o.storage == in && !sameElements(o.layout, s.out[to].layout) {
			return false
		}
	}
	return true
}

// sameElements reports whether layouts of one shape are the same elements in the same order.
func sameElements(a, b layout.Layout) bool {
	if !slices.Equal(a.Shape(), b.Shape()) {
		return false
	}
	both := layout.CoalesceTogether(a, b)
	return both[0].Equal(both[1])
}
