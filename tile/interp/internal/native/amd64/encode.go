package amd64

import (
	"encoding/binary"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// The registers and memory of package vector. Vector registers are 0 to 15 with vectors of 256 bits, 0 to 31 with 512. Of a gather, Index is the number of
// a vector register.
type (
	Reg = vector.Reg
	Vec = vector.Vec
	Mem = vector.Mem
)

// The general registers. Functions that Go calls keep RSP and RBP.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// Inst is a vector instruction: its opcode in a map, with a prefix that belongs to it.
type Inst struct {
	prefix, opmap, opcode byte
	wide                  bool // W of the prefix
}

// The prefixes, and the maps of opcodes.
const (
	none, p66, pF3, pF2 = 0, 1, 2, 3
	m0F, m0F38, m0F3A   = 1, 2, 3
)

// Asm collects code.
type Asm struct {
	code []byte
	Wide bool // vectors are of 512 bits, and instructions in EVEX form
}

// Lanes is how many elements of 32 bits a vector has.
func (a *Asm) Lanes() int {
	if a.Wide {
		return 16
	}
	return 8
}

// Registers is how many vector registers there are.
func (a *Asm) Registers() int {
	if a.Wide {
		return 32
	}
	return 16
}

func (a *Asm) emit(b ...byte)  { a.code = append(a.code, b...) }
func (a *Asm) emit32(x uint32) { a.code = binary.LittleEndian.AppendUint32(a.code, x) }

// operand is the last operand of an instruction: a register or memory.
type operand struct {
	reg   uint8
	mem   Mem
	isMem bool
}

// length is the size of an instruction's vectors.
type length uint8

const (
	bits128 length = iota
	bits256
	bits512
)

// full is the size of whole vectors.
func (a *Asm) full() length {
	if a.Wide {
		return bits512
	}
	return bits256
}

// vector encodes an instruction with operands reg, vvvv and rm, and a mask register, 0 for none, which only instructions of 512 bits have.
func (a *Asm) vector(i Inst, l length, reg, v uint8, rm operand, mask uint8, imm ...byte) {
	if l == bits512 || mask != 0 || a.Wide && (reg > 15 || v > 15 || !rm.isMem && rm.reg > 15) {
		a.evex(i, l, reg, v, rm, mask)
	} else {
		a.vex(i, l, reg, v, rm)
	}
	a.emit(i.opcode)
	a.modrm(reg, rm)
	a.emit(imm...)
}

// vex is the prefix of three bytes (volume 2, section 2.3.5).
func (a *Asm) vex(i Inst, l length, reg, v uint8, rm operand) {
	_, x, b := rm.extensions()
	a.emit(0xc4, inverted(reg>>3, 7)|inverted(x, 6)|inverted(b, 5)|i.opmap, bit(i.wide, 7)|(^v&15)<<3|byte(l)<<2|i.prefix)
}

// evex is the prefix of four bytes (section 2.7.1).
func (a *Asm) evex(i Inst, l length, reg, v uint8, rm operand, mask uint8) {
	high, x, b := rm.extensions()
	if rm.isMem {
		v |= uint8(rm.mem.Index) >> 4 << 4 // of a gather
	} else {
		x = high
	}
	a.emit(0x62, inverted(reg>>3, 7)|inverted(x, 6)|inverted(b, 5)|inverted(reg>>4, 4)|i.opmap,
		bit(i.wide, 7)|(^v&15)<<3|1<<2|i.prefix, byte(l)<<5|inverted(v>>4, 3)|mask)
}

// extensions are the bits of an operand beyond the three that a ModRM byte holds: bit 4 of a register, and the bits 3 of the index and of the
// base or register.
func (o operand) extensions() (high, x, b uint8) {
	if o.isMem {
		return 0, uint8(o.mem.Index) >> 3 & 1, uint8(o.mem.Base) >> 3
	}
	return o.reg >> 4, 0, o.reg >> 3
}

// inverted is the inverse of the lowest bit of x at a position.
func inverted(x uint8, at int) byte { return (^x & 1) << at }

func bit(x bool, at int) byte {
	if x {
		return 1 << at
	}
	return 0
}

// modrm emits the operands' byte, with an index and a displacement, always of 32 bits.
func (a *Asm) modrm(reg uint8, rm operand) {
	reg = reg & 7 << 3
	if !rm.isMem {
		a.emit(0xc0 | reg | rm.reg&7)
		return
	}
	base := byte(rm.mem.Base) & 7
	if rm.mem.Scale == 0 && base != byte(RSP) {
		a.emit(0x80 | reg | base)
	} else {
		index, scale := byte(RSP), byte(0) // the register stands for none
		for n := rm.mem.Scale; n > 1; n /= 2 {
			scale++
		}
		if rm.mem.Scale > 0 {
			index = byte(rm.mem.Index) & 7
		}
		a.emit(0x80|reg|4, scale<<6|index<<3|base)
	}
	a.emit32(uint32(rm.mem.Disp))
}

func vec(x Vec) operand { return operand{reg: uint8(x)} }
func mem(m Mem) operand { return operand{mem: m, isMem: true} }
