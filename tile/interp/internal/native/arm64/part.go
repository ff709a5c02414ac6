package arm64

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Parts of vectors: an element at a time, since there are no masks for memory.

// Loads and stores of one element of a register, by its bytes, which move the address past it.
var (
	loadElement  = map[int]Inst{1: 0x0ddf0000, 2: 0x0ddf4000, 4: 0x0ddf8000}
	storeElement = map[int]Inst{1: 0x0d9f0000, 2: 0x0d9f4000, 4: 0x0d9f8000}
)

// LoadPart is LoadAs of the first lanes.
func (a *Asm) LoadPart(elem dtype.Type, d Vec, m Mem, mask Vec, count Reg) {
	a.each(loadElement, elem, d, m, count)
	a.widen(elem, d)
}

// StorePart is StoreAs of the first lanes.
func (a *Asm) StorePart(elem dtype.Type, m Mem, x, spare, mask Vec, count Reg) {
	a.each(storeElement, elem, a.narrow(elem, x), m, count)
}

// each loads or stores the first elements of a register, of which there is one at least.
func (a *Asm) each(insts map[int]Inst, elem dtype.Type, v Vec, m Mem, count Reg) {
	if m = a.reachable(m, 1); m.Base != address || m.Disp > 0 {
		a.emit(addImm | Inst(m.Disp)<<10 | Inst(m.Base)<<5 | Inst(address))
	}
	var past []int
	for i := range a.Lanes() {
		if i > 0 {
			a.CompareConst(count, int32(i))
			past = append(past, a.Jump(vector.AtMost))
		}
		a.two(insts[elem.Size()]|place(elem.Size(), Inst(i)), v, Vec(address))
	}
	for _, jump := range past {
		a.Land(jump)
	}
}

// place is how an instruction says which of the first four elements of a register it is about: by a number whose bits are 10 to 12, then 30, and whose unit is a
// byte of eight.
func place(bytes int, i Inst) Inst {
	i *= Inst(bytes)
	return i&7<<10 | i>>3<<30
}
