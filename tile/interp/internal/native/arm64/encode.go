package arm64

import (
	"encoding/binary"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// The registers and memory of package vector. General registers are those from X0 to X30, which have numbers, but for X18, which belongs to systems, and X28
// to X30, which Go keeps.
type (
	Reg = vector.Reg
	Vec = vector.Vec
	Mem = vector.Mem
)

// Registers for what takes more than one instruction: general ones for addresses and numbers, and vectors, which hold no values of loops.
const (
	address Reg = 16
	number  Reg = 17
	zero    Reg = 31 // reads as 0

	operand Vec = 30 // from memory
	between Vec = 31
)

// Inst is an instruction without its registers.
type Inst uint32

// Asm collects code.
type Asm struct{ code []byte }

// Lanes is how many elements of 32 bits a vector has.
func (a *Asm) Lanes() int { return 4 }

// Registers is how many vector registers hold values.
func (a *Asm) Registers() int { return int(operand) }

// Reach is how far conditional jumps go, and addresses are.
func (a *Asm) Reach() int { return 1<<20 - 1 }

// LoadsOperands tells that they have to be loaded.
func (a *Asm) LoadsOperands() bool { return true }

// FusesAny tells that fused operations are over addends alone.
func (a *Asm) FusesAny() bool { return false }

var general = vector.General{Frame: 0, Pool: 1, Index: 2, Limit: 3, Count: 4, Scratch: 5,
	Streams: []Reg{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24, 25}}

// General are the registers of loops.
func (a *Asm) General() vector.General { return general }

func (a *Asm) emit(i Inst) { a.code = binary.LittleEndian.AppendUint32(a.code, uint32(i)) }

// three and two are vector instructions with as many registers, and of is one of general registers.
func (a *Asm) three(i Inst, d, x, y Vec) { a.emit(i | Inst(y)<<16 | Inst(x)<<5 | Inst(d)) }
func (a *Asm) two(i Inst, d, x Vec)      { a.emit(i | Inst(x)<<5 | Inst(d)) }
func (a *Asm) of(i Inst, d, x, y Reg)    { a.emit(i | Inst(y)<<16 | Inst(x)<<5 | Inst(d)) }

// access is a load or a store of a register, by its number, of so many bytes, whose address is a base and a multiple of the bytes.
func (a *Asm) access(i Inst, reg uint8, m Mem, bytes int32) {
	m = a.reachable(m, bytes)
	a.emit(i | Inst(m.Disp/bytes)<<10 | Inst(m.Base)<<5 | Inst(reg))
}

// reachable is memory without an index, whose displacement an access of so many bytes can have.
func (a *Asm) reachable(m Mem, bytes int32) Mem {
	if m.Scale > 0 {
		shift := Inst(0)
		for n := m.Scale; n > 1; n /= 2 {
			shift++
		}
		a.of(add|shift<<10, address, m.Base, m.Index)
		m = Mem{Base: address, Disp: m.Disp}
	}
	if m.Disp < 0 || m.Disp%bytes != 0 || m.Disp/bytes > 4095 {
		a.MovConst(number, m.Disp)
		a.of(add, address, m.Base, number)
		m = Mem{Base: address}
	}
	return m
}
