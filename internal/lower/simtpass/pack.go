package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// pack gives shared arrays of one form one block of memory, each a part of it, so that an array may share its memory with several others that
// hold something at other times: interval packing, the largest array first and each where there is a gap first. It runs after the barriers
// are there, which separate what follows in one memory, and in SPIR-V, where one declared array costs as much as several.
//
// Barriers outside all loops are added where that lets two workgroups share a multiprocessor's memory, those in loops where one has too little memory
// otherwise.
func pack(r *Context) {
	if !r.packs() {
		return
	}
	defer r.checkPadding()
	if len(r.Kernel.Shared) < 2 {
		return
	}
	p, all := r.packed(), 0
	for _, b := range p {
		for _, s := range b.arrays {
			all += s.Bytes()
		}
	}
	need := p.bytes()
	if need >= all {
		return
	}
	insertBarriers(r.Kernel, p.aliased)
	into := map[*simt.Shared]location{}
	for _, b := range p {
		for _, part := range b.parts() {
			for _, s := range part {
				into[s] = location{slices.MaxFunc(part, bySize), b.at[s] - b.at[part[0]]}
			}
		}
	}
	merge(r.Kernel, into)
	dce(r) // sums that shifted ones replaced
	r.Notes = append(r.Notes, fmt.Sprintf("shared memory: %d bytes for %d bytes of arrays", need, all))
}

// packs reports whether the pass packs the kernel's arrays, not allocate.
func (r *Context) packs() bool { return r.Caps.Language == target.SPIRV }

// packing is the blocks of a kernel's shared arrays.
type packing []*sharedBlock

// sharedBlock is memory that arrays of one form share.
type sharedBlock struct {
	form   sharedForm
	arrays []*simt.Shared       // the largest first
	at     map[*simt.Shared]int // bytes
}

// packed chooses the packing: with as few barriers as there is memory for.
func (r *Context) packed() (p packing) {
	room := r.Caps.SharedBytes
	if p = r.packedFor(noBarrier); room == 0 || p.bytes() <= room/2 {
		return p
	}
	if cheap := r.packedFor(outsideAll); cheap.bytes() < p.bytes() {
		p = cheap
	}
	if p.bytes() > room {
		p = r.packedFor(anyBarrier)
	}
	return p
}

// packedFor packs arrays, the largest first, each where it first overlaps with nothing that it must not share memory with.
func (r *Context) packedFor(cost price) (p packing) {
	order := slices.Clone(r.Kernel.Shared)
	slices.SortStableFunc(order, func(a, b *simt.Shared) int { return bySize(b, a) })
	overlaps, uses := findOverlaps(r.Kernel, cost), usesOfArrays(r.Kernel)
	for _, s := range order {
		if apart(s, uses[s]) {
			continue
		}
		form := r.formOf(s, uses[s])
		i := slices.IndexFunc(p, func(b *sharedBlock) bool { return b.form == form })
		if i < 0 {
			i, p = len(p), append(p, &sharedBlock{form: form, at: map[*simt.Shared]int{}})
		}
		p[i].add(s, overlaps)
	}
	return p
}

// partAlignment is that of an array in a block, in bytes: of the widest access.
const partAlignment = 16

// add puts an array into the first gap between those that it must not share memory with.
func (b *sharedBlock) add(s *simt.Shared, overlaps overlaps) {
	apart := slices.DeleteFunc(slices.Clone(b.arrays), func(o *simt.Shared) bool { return !overlaps[pair{s, o}] })
	slices.SortFunc(apart, func(x, y *simt.Shared) int { return b.at[x] - b.at[y] })
	at := 0
	for _, o := range apart {
		if at+s.Bytes() <= b.at[o] {
			break
		}
		at = max(at, (b.at[o]+o.Bytes()+partAlignment-1)/partAlignment*partAlignment)
	}
	b.arrays, b.at[s] = append(b.arrays, s), at
}

// aliased reports whether arrays have memory in common.
func (p packing) aliased(x, y *simt.Shared) bool {
	for _, b := range p {
		i, known := b.at[x]
		j, both := b.at[y]
		if known && both {
			return i < j+y.Bytes() && j < i+x.Bytes()
		}
	}
	return false
}

// bytes is what arrays take that are packed.
func (p packing) bytes() (n int) {
	for _, b := range p {
		for _, part := range b.parts() {
			n += b.end(part) - b.at[part[0]]
		}
	}
	return n
}

// parts are the arrays of a block that share memory, in groups, in the order of their first bytes. Others remain arrays of their own.
func (b *sharedBlock) parts() (list [][]*simt.Shared) {
	order := slices.Clone(b.arrays)
	slices.SortStableFunc(order, func(x, y *simt.Shared) int { return b.at[x] - b.at[y] })
	for _, s := range order {
		if n := len(list); n > 0 && b.at[s] < b.end(list[n-1]) {
			list[n-1] = append(list[n-1], s)
		} else {
			list = append(list, []*simt.Shared{s})
		}
	}
	return list
}

// end is where the last of some arrays ends.
func (b *sharedBlock) end(arrays []*simt.Shared) (n int) {
	for _, s := range arrays {
		n = max(n, b.at[s]+s.Bytes())
	}
	return n
}

func bySize(a, b *simt.Shared) int { return a.Bytes() - b.Bytes() }
