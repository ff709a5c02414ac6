package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// allocate lets shared arrays share memory whose contents are not needed at the
// same time: register allocation by coloring (Chaitin), with arrays for registers.
//
// An array is live from the first store of a run, which ends the life of what the array held before,
// to the last load of it; what is loaded in the next iteration of a loop
// before that iteration stores is live around the loop. Two arrays that are live at one time stay apart.
// So do those between whose accesses no barrier stands: in one place they would need one more.
// Only where shared memory is too small otherwise are barriers paid for room.
func allocate(r *Context) {
	k := r.Kernel
	if r.packs() || len(k.Shared) < 2 || k.Consumers > 1 { // whose groups have parts of their own of each array
		return
	}
	places := r.placesOf(k.Shared, r.Caps.SharedBytes)
	all := 0
	for _, s := range k.Shared {
		all += s.Bytes()
	}
	if need := bytesOf(places); need < all {
		r.Notes = append(r.Notes, fmt.Sprintf("shared memory: %d bytes for %d bytes of arrays", need, all))
	}
	into := map[*simt.Shared]location{}
	for _, p := range places {
		for _, s := range p.arrays {
			into[s] = location{array: p.arrays[0]}
		}
	}
	merge(k, into)
	r.checkPadding()
}

// checkPadding finds out whether padded rows take too much shared memory. Later passes save some in pipeline stages alone.
func (r *Context) checkPadding() {
	staged := slices.ContainsFunc(r.Kernel.Shared, func(s *simt.Shared) bool { return s.Stages > 0 })
	r.TooLarge = r.Padded && !staged && r.Caps.SharedBytes > 0 && r.Kernel.SharedBytes() > r.Caps.SharedBytes
}

// placesOf are the places of arrays, in so many bytes if that is not 0. Padded rows are given up before barriers are paid, but for those of cooperative
// matrices, whose loads without padding take several times as long.
func (r *Context) placesOf(arrays []*simt.Shared, room int) []*sharedPlace {
	places := r.assignPlaces(arrays, findOverlaps(r.Kernel, noBarrier))
	if keepsRows := r.Padded && len(r.Kernel.Cooperative) == 0; room > 0 && bytesOf(places) > room && !keepsRows {
		places = r.assignPlaces(arrays, findOverlaps(r.Kernel, anyBarrier))
	}
	return places
}

// unstagedBytes is the shared memory of the arrays that are no circular buffers of pipeline stages, allocated by liveness in so much room: late is that
// of arrays which are used only after the buffers and may alias them (see overlay), rest that of the others.
func (r *Context) unstagedBytes(isCircular, after map[*simt.Shared]bool, room int) (rest, late int) {
	arrays := slices.DeleteFunc(slices.Clone(r.Kernel.Shared), func(s *simt.Shared) bool { return isCircular[s] })
	for _, p := range r.placesOf(arrays, max(room, 1)) {
		if slices.ContainsFunc(p.arrays, func(s *simt.Shared) bool { return !after[s] }) {
			rest += p.arrays[0].Bytes()
		} else {
			late += p.arrays[0].Bytes()
		}
	}
	return rest, late
}

// sharedPlace is memory that some arrays share.
type sharedPlace struct {
	arrays []*simt.Shared // the largest first
	form   sharedForm
}

// sharedForm says which arrays may share memory: those of elements of one size, which
// pass as bits; but in WGSL those of one type and one width of accesses,
// since it declares an array as vectors of the narrowest store, and in SPIR-V those of whole words, which are
// declared as such, or with accesses to parts of words. Elements that atomic ops change are what they are.
type sharedForm struct {
	elem  any // the type, or its bytes
	width int
}

// arrayUse is how a kernel uses a shared array.
type arrayUse struct {
	width  int  // of the narrowest store, 0 if nothing stores to it
	bytes  bool // an op accesses it that knows nothing of its elements' type
	copied bool // a TensorStore reads it
	pieces bool // some accesses are to less than a word
	atomic bool // atomic ops change elements
}

func usesOfArrays(k *simt.Func) map[*simt.Shared]arrayUse {
	uses := map[*simt.Shared]arrayUse{}
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Shared == nil {
			return
		}
		u := uses[op.Shared]
		n := accessBytes(op)
		u.pieces = u.pieces || n > 0 && n < 4
		u.atomic = u.atomic || op.Kind == simt.SharedAtomic
		u.bytes, u.copied = u.bytes || op.Kind.ByBytes(), u.copied || op.Kind == simt.TensorStore
		if op.Kind == simt.SharedStore && (u.width == 0 || op.Args[1].Type.Width < u.width) {
			u.width = op.Args[1].Type.Width
		}
		uses[op.Shared] = u
	})
	return uses
}

func (r *Context) formOf(s *simt.Shared, use arrayUse) sharedForm {
	switch wgsl := r.Caps.Language == target.WGSL; {
	case use.atomic:
		return sharedForm{elem: s.Elem, width: -2}
	case simt.PerWord(s.Elem) > 0 && use.pieces && (r.Caps.Language == target.SPIRV || wgsl && use.bytes):
		return sharedForm{elem: s.Elem, width: 1}
	case simt.PerWord(s.Elem) > 0 && !wgsl || use.bytes: // words that are no elements, or elements of which accesses may be words
		return sharedForm{elem: s.Elem, width: -1}
	case wgsl:
		return sharedForm{elem: s.Elem, width: use.width}
	}
	return sharedForm{elem: s.Elem.Size()}
}

// assignPlaces gives each array, the largest first, the first place of its form
// where it overlaps with nothing.
func (r *Context) assignPlaces(arrays []*simt.Shared, overlaps overlaps) (places []*sharedPlace) {
	order := slices.Clone(arrays)
	slices.SortStableFunc(order, func(a, b *simt.Shared) int { return b.Bytes() - a.Bytes() })
	uses := usesOfArrays(r.Kernel)
	for _, s := range order {
		form, i := r.formOf(s, uses[s]), -1
		if !apart(s, uses[s]) {
			i = slices.IndexFunc(places, func(p *sharedPlace) bool {
				return p.form == form && !apart(p.arrays[0], uses[p.arrays[0]]) && !slices.ContainsFunc(p.arrays, func(o *simt.Shared) bool { return overlaps[pair{s, o}] })
			})
		}
		if i < 0 {
			i = len(places)
			places = append(places, &sharedPlace{form: form})
		}
		places[i].arrays = append(places[i].arrays, s)
	}
	return places
}

// apart reports whether an array shares its memory with no other: a circular buffer, an array of barriers, or one that a
// TensorStore reads until the StoreWait before the next.
func apart(s *simt.Shared, use arrayUse) bool {
	return use.copied || s.Stages > 0 || s.Arrivals > 0
}

func bytesOf(places []*sharedPlace) (n int) {
	for _, p := range places {
		n += p.arrays[0].Bytes()
	}
	return n
}
