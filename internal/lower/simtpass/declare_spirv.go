package simtpass

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// declareSPIRV chooses what SPIR-V declares shared arrays as: vectors of up to four as wide as the widest load, or the narrowest store if that is
// wider. Narrower accesses are to components, which are memory locations of their own. Elements of less than 32 bits are in words where all
// accesses are to whole ones. Buffers need no declaration: each access has a view of its own.
func declareSPIRV(r *Context) {
	arrays := map[*simt.Shared]*sharedAccesses{}
	for _, s := range r.Kernel.Shared {
		arrays[s] = &sharedAccesses{}
	}
	eachAccess(r.Kernel, func(op *simt.Op) {
		if op.Shared != nil {
			arrays[op.Shared].add(op)
		}
	})
	for s, n := range matrixAlign(r.Kernel) {
		arrays[s].align = n
	}
	for s, a := range arrays {
		if s.Arrivals == 0 {
			s.Declared = a.choose(s.Elem)
		}
	}
	markIndices(r.Kernel, func(op *simt.Op) bool {
		if op.Shared != nil {
			return op.Shared.Declared.Type.Width > 1 || op.Shared.Declared.Type.Elem != op.Shared.Elem
		}
		return accessBytes(op) > op.Buffer.Elem.Size()
	})
}

// sharedAccesses are those to a shared array, in bytes: the widest load, the narrowest store and the narrowest of all, and what divides the places of
// matrices; 0 if there is none.
type sharedAccesses struct {
	load, store, least, align int
	atomic                    bool // atomic ops change elements, which are scalars
}

func (a *sharedAccesses) add(op *simt.Op) {
	n := accessBytes(op)
	if a.least == 0 || n < a.least {
		a.least = n
	}
	switch {
	case op.Kind == simt.SharedAtomic:
		a.atomic = true
	case op.Kind == simt.SharedLoad:
		a.load = max(a.load, n)
	case a.store == 0 || n < a.store:
		a.store = n
	}
}

func (a *sharedAccesses) choose(e dtype.Type) (d simt.Declaration) {
	d.Type.Elem = e
	if simt.PerWord(e) > 0 && a.least >= 4 {
		d.Type.Elem = dtype.U32
	}
	width := max(a.load, a.store)
	if a.align > 0 {
		if width = min(width, a.align); d.Type.Elem == dtype.U32 { // drivers load matrices from vectors of 16 bytes by the widest instructions
			width = a.align
		}
	}
	d.Type.Width = max(1, min(4, width/d.Type.Elem.Size()))
	if a.atomic {
		d.Atomic, d.Type.Width = true, 1
	}
	if a.atomic && e == dtype.F32 {
		d.Type.Elem = dtype.U32 // sums are exchanged as words
	}
	return d
}

// accessBytes is the memory that an access to an array covers, 0 for an op of another kind.
func accessBytes(op *simt.Op) int {
	v, e := op.Result(), dtype.U32
	switch op.Kind {
	case simt.Store, simt.SharedStore, simt.SharedAtomic:
		v = op.Args[1]
	case simt.Load, simt.SharedLoad, simt.Atomic:
	default:
		return 0
	}
	switch {
	case op.Packed:
	case op.Shared != nil:
		e = op.Shared.Elem
	default:
		e = op.Buffer.Elem
	}
	return v.Type.Width * e.Size()
}
