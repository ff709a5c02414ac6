package arm64

import (
	"encoding/binary"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Instructions on general registers, and jumps.
const (
	add         Inst = 0x8b000000
	sub         Inst = 0xcb000000
	subFlags    Inst = 0xeb000000
	or          Inst = 0xaa000000
	addImm      Inst = 0x91000000
	addFlags    Inst = 0xab000000
	subImm      Inst = 0xd1000000
	subFlagsImm Inst = 0xf1000000
	sub32Imm    Inst = 0x71000000 // with flags
	halveImm    Inst = 0xd341fc00
	movWide     Inst = 0xd2800000
	movNot      Inst = 0x92800000
	movKeep     Inst = 0xf2800000
	choose      Inst = 0x9a800000
	loadX       Inst = 0xf9400000
	storeX      Inst = 0xf9000000
	jumpIf      Inst = 0x54000000
	adr         Inst = 0x10000000
	ret         Inst = 0xd65f03c0
)

// MovReg and MovLoad copy 64 bits, MovConst a number.
func (a *Asm) MovReg(d, x Reg)      { a.of(or, d, zero, x) }
func (a *Asm) MovLoad(d Reg, m Mem) { a.access(loadX, uint8(d), m, 8) }
func (a *Asm) MovConst(d Reg, x int32) {
	low, high := Inst(uint16(x)), Inst(uint16(x>>16))
	switch {
	case x < 0: // whose upper bits are ones
		a.emit(movNot | (high^0xffff)<<5 | 1<<21 | Inst(d)) // and the low 16
		a.emit(movKeep | low<<5 | Inst(d))
	case high == 0:
		a.emit(movWide | low<<5 | Inst(d))
	default:
		a.emit(movWide | high<<5 | 1<<21 | Inst(d))
		a.emit(movKeep | low<<5 | Inst(d))
	}
}

// Add and Sub, with a register, memory or a number.
func (a *Asm) Add(d, x Reg) { a.of(add, d, d, x) }
func (a *Asm) Sub(d, x Reg) { a.of(sub, d, d, x) }
func (a *Asm) AddConst(d Reg, x int32) {
	switch {
	case 0 <= x && x < 1<<12:
		a.emit(addImm | Inst(x)<<10 | Inst(d)<<5 | Inst(d))
	case -1<<12 < x && x < 0:
		a.emit(subImm | Inst(-x)<<10 | Inst(d)<<5 | Inst(d))
	default:
		a.MovConst(number, x)
		a.Add(d, number)
	}
}
func (a *Asm) AddTo(m Mem, x Reg) { a.addTo(add, m, x) }

// AddMem adds memory, and HalveReg shifts a number without a sign right by one bit.
func (a *Asm) AddMem(d Reg, m Mem) {
	a.MovLoad(number, m)
	a.Add(d, number)
}
func (a *Asm) HalveReg(d Reg) { a.emit(halveImm | Inst(d)<<5 | Inst(d)) }

// AddConstTo sets what Jump asks, as CompareReg and CompareConst, with a number below 2^12, do.
func (a *Asm) AddConstTo(m Mem, x int32) {
	a.MovConst(number, x)
	a.addTo(addFlags, m, number)
}
func (a *Asm) CompareReg(x, y Reg) { a.of(subFlags, zero, x, y) }
func (a *Asm) CompareConst(x Reg, y int32) {
	a.emit(subFlagsImm | Inst(y)<<10 | Inst(x)<<5 | Inst(zero))
}

// addTo adds to memory; what it holds is in the scratch register for it.
func (a *Asm) addTo(i Inst, m Mem, x Reg) {
	a.MovLoad(address, m)
	a.of(i, address, address, x)
	a.access(storeX, uint8(address), m, 8)
}

// conditions are the codes of conditions.
var conditions = [...]Inst{vector.Less: 11, vector.AtLeast: 10, vector.Greater: 12, vector.AtMost: 13, vector.NonZero: 1}

// Jump jumps on a condition to a place that Land or To tells, and returns the jump.
func (a *Asm) Jump(c vector.Condition) int {
	a.emit(jumpIf | conditions[c])
	return len(a.code) - 4
}

// AddressOf loads the address of a place that Land will tell.
func (a *Asm) AddressOf(d Reg) (jump int) {
	a.emit(adr | Inst(d))
	return len(a.code) - 4
}

// Land makes a jump lead here.
func (a *Asm) Land(jump int) { a.To(jump, len(a.code)) }

// To makes a jump lead to a place: a conditional jump counts instructions, in the bits from 5; an address has the lowest two bits of its distance from 29.
func (a *Asm) To(jump, place int) {
	at, distance := a.code[jump:], Inst(place-jump)
	i := Inst(binary.LittleEndian.Uint32(at))
	words := distance >> 2 & (1<<19 - 1) << 5
	if i&^0x1f == adr {
		words |= distance & 3 << 29
	}
	binary.LittleEndian.PutUint32(at, uint32(i|words))
}

// Here is the place of what comes next.
func (a *Asm) Here() int { return len(a.code) }

// Return ends the function.
func (a *Asm) Return() { a.emit(ret) }

// Data is a word that is no code, and Align fills up to a multiple of so many bytes.
func (a *Asm) Data(x uint32) { a.emit(Inst(x)) }
func (a *Asm) Align(bytes int) {
	for len(a.code)%bytes != 0 {
		a.emit(0)
	}
}

// Code is what was collected.
func (a *Asm) Code() []byte { return a.code }
