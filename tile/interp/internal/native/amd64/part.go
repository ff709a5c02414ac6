package amd64

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Parts of vectors. Masks keep an instruction from memory that a part does not have.

var (
	maskLoad  = Inst{p66, m0F38, 0x2c, false}
	maskStore = Inst{p66, m0F38, 0x2e, false}
	insertB   = Inst{p66, m0F3A, 0x20, false}
	insertW   = Inst{p66, m0F, 0xc4, false}
)

// LoadPart is LoadAs of the first lanes.
func (a *Asm) LoadPart(elem dtype.Type, d Vec, m Mem, mask Vec, count Reg) {
	convert := loads(elem)
	switch {
	case a.Wide:
		a.toMask(mask)
		a.vector(convert, bits512, uint8(d), 0, mem(m), 1)
	case elem.Size() == 4:
		a.vector(maskLoad, bits256, uint8(d), uint8(mask), mem(m), 0)
	default:
		insert := insertW
		if elem.Size() == 1 {
			insert = insertB
		}
		a.each(count, func(i int) {
			a.vector(insert, bits128, uint8(d), uint8(d), mem(after(m, i*elem.Size())), 0, byte(i))
		})
		a.two(convert, d, d)
	}
}

// StorePart is StoreAs of the first lanes.
func (a *Asm) StorePart(elem dtype.Type, m Mem, x, spare, mask Vec, count Reg) {
	half, words := elem == dtype.F16, elem.Size() == 2
	if a.Wide {
		a.toMask(mask)
	}
	switch {
	case a.Wide && half:
		a.vector(cvtPSPH, bits512, uint8(x), 0, mem(m), 1, 0)
	case a.Wide && words:
		a.vector(pmovDW, bits512, uint8(x), 0, mem(m), 1)
	case a.Wide && elem.Size() == 1:
		a.vector(pmovDB, bits512, uint8(x), 0, mem(m), 1)
	case a.Wide:
		a.vector(movUPSTo, bits512, uint8(x), 0, mem(m), 1)
	case half:
		a.vector(cvtPSPH, bits256, uint8(x), 0, vec(spare), 0, 0)
		a.storeEach(extrW, m, spare, 2, count)
	case words:
		a.packWords(spare, x)
		a.storeEach(extrW, m, spare, 2, count)
	case elem.Size() == 1:
		a.packWords(spare, x)
		a.three(packUSWB, spare, spare, spare)
		a.storeEach(extrB, m, spare, 1, count)
	default:
		a.vector(maskStore, bits256, uint8(x), uint8(mask), mem(m), 0)
	}
}

func (a *Asm) storeEach(extract Inst, m Mem, x Vec, bytes int, count Reg) {
	a.each(count, func(i int) {
		a.vector(extract, bits128, uint8(x), 0, mem(after(m, i*bytes)), 0, byte(i))
	})
}

// each is code for each of the first lanes, of which there is one at least.
func (a *Asm) each(count Reg, lane func(i int)) {
	var past []int
	for i := range a.Lanes() {
		if i > 0 {
			a.CompareConst(count, int32(i))
			past = append(past, a.Jump(vector.AtMost))
		}
		lane(i)
	}
	for _, jump := range past {
		a.Land(jump)
	}
}

// after is the memory so many bytes later.
func after(m Mem, bytes int) Mem {
	m.Disp += int32(bytes)
	return m
}
