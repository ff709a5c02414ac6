package amd64

import (
	"encoding/binary"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// rex is the prefix of an instruction on 64 bits.
func (a *Asm) rex(reg, index, base Reg) {
	a.emit(0x48 | byte(reg>>3)<<2 | byte(index>>3)<<1 | byte(base>>3))
}

func (a *Asm) general(opcode byte, reg Reg, rm operand) {
	if rm.isMem {
		a.rex(reg, rm.mem.Index, rm.mem.Base)
	} else {
		a.rex(reg, 0, Reg(rm.reg))
	}
	a.emit(opcode)
	a.modrm(uint8(reg), rm)
}

func general(r Reg) operand { return operand{reg: uint8(r)} }

// MovReg and MovLoad copy 64 bits, MovConst a number.
func (a *Asm) MovReg(d, x Reg)         { a.general(0x8b, d, general(x)) }
func (a *Asm) MovLoad(d Reg, m Mem)    { a.general(0x8b, d, mem(m)) }
func (a *Asm) MovConst(d Reg, x int32) { a.general(0xc7, 0, general(d)); a.emit32(uint32(x)) }

// Add and Sub, with a register, memory or a number; Compare sets what Jump asks.
func (a *Asm) Add(d, x Reg)            { a.general(0x03, d, general(x)) }
func (a *Asm) Sub(d, x Reg)            { a.general(0x2b, d, general(x)) }
func (a *Asm) AddTo(m Mem, x Reg)      { a.general(0x01, x, mem(m)) }
func (a *Asm) AddConst(d Reg, x int32) { a.general(0x81, 0, general(d)); a.emit32(uint32(x)) }
func (a *Asm) AddConstTo(m Mem, x int32) {
	a.general(0x81, 0, mem(m))
	a.emit32(uint32(x))
}
func (a *Asm) CompareReg(x, y Reg) { a.general(0x3b, x, general(y)) }
func (a *Asm) CompareConst(x Reg, y int32) {
	a.general(0x81, 7, general(x))
	a.emit32(uint32(y))
}

// AddMem adds memory, and HalveReg shifts a number without a sign right by one bit.
func (a *Asm) AddMem(d Reg, m Mem) { a.general(0x03, d, mem(m)) }
func (a *Asm) HalveReg(d Reg)      { a.general(0xd1, 5, general(d)) }

// loadSmall loads an element of 8 or 16 bits into a register.
func (a *Asm) loadSmall(d Reg, m Mem, bytes int, signed bool) {
	a.rex(d, m.Index, m.Base)
	op := byte(0xb6)
	if bytes == 2 {
		op++
	}
	if signed {
		op += 8
	}
	a.emit(0x0f, op)
	a.modrm(uint8(d), mem(m))
}

// conditions are the codes of jumps.
var conditions = [...]byte{vector.Less: 0x8c, vector.AtLeast: 0x8d, vector.Greater: 0x8f, vector.AtMost: 0x8e, vector.NonZero: 0x85}

// Jump jumps on a condition to a place that Land or To tells, and returns the jump.
func (a *Asm) Jump(c vector.Condition) int {
	a.emit(0x0f, conditions[c])
	a.emit32(0)
	return len(a.code)
}

// Land makes a jump lead here.
func (a *Asm) Land(jump int) { a.To(jump, len(a.code)) }

// To makes a jump lead to a place.
func (a *Asm) To(jump, place int) {
	binary.LittleEndian.PutUint32(a.code[jump-4:], uint32(int32(place-jump)))
}

// Here is the place of what comes next.
func (a *Asm) Here() int { return len(a.code) }

// AddressOf loads the address of a place that Land will tell.
func (a *Asm) AddressOf(d Reg) (jump int) {
	a.rex(d, 0, 0)
	a.emit(0x8d, byte(d&7)<<3|5)
	a.emit32(0)
	return len(a.code)
}

// Return ends the use of wide registers, and the function.
func (a *Asm) Return() { a.emit(0xc5, 0xf8, 0x77, 0xc3) }

// Data is a word that is no code, and Align fills up to a multiple of so many bytes.
func (a *Asm) Data(x uint32) { a.emit32(x) }
func (a *Asm) Align(bytes int) {
	for len(a.code)%bytes != 0 {
		a.emit(0)
	}
}

// Code is what was collected.
func (a *Asm) Code() []byte { return a.code }
