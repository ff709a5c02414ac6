package amd64

import (
	"math"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// insts are the instructions of operations.
var insts = [vector.Ops]Inst{
	vector.AddF: addPS, vector.SubF: subPS, vector.MulF: mulPS, vector.DivF: divPS, vector.MinF: minPS, vector.MaxF: maxPS,
	vector.And: pAnd, vector.Or: pOr, vector.Xor: pXor, vector.AddI: pAddD, vector.SubI: pSubD, vector.MulI: pMulLD,
	vector.MinS: pMinSD, vector.MaxS: pMaxSD, vector.MinU: pMinUD, vector.MaxU: pMaxUD,
	vector.ShiftLeft: pSllVD, vector.ShiftRight: pSrlVD, vector.ShiftSigned: pSraVD,
	vector.AddProduct: fmadd231, vector.MulThenAdd: fmadd132, vector.MulByThenAdd: fmadd213,
	vector.SubProduct: fnmadd231, vector.MulThenSubIn: fnmadd132, vector.MulByThenSubIn: fnmadd213,
	vector.SqrtF: sqrtPS, vector.AbsI: pAbsD, vector.FloatOfI: cvtDPS, vector.NearestI: cvtPSD, vector.TruncateI: cvttPSD,
}

// Three is an operation of two operands on whole vectors, and ThreeMem one whose last operand is in memory.
func (a *Asm) Three(op vector.Op, d, x, y Vec) { a.three(insts[op], d, x, y) }
func (a *Asm) ThreeMem(op vector.Op, d, x Vec, y Mem) {
	a.vector(insts[op], a.full(), uint8(d), uint8(x), mem(y), 0)
}

// Two is an operation of one operand on whole vectors.
func (a *Asm) Two(op vector.Op, d, x Vec) { a.two(insts[op], d, x) }

// LoadsOperands tells that they need not be loaded.
func (a *Asm) LoadsOperands() bool { return false }

// FusesAny tells that there are fused operations over any operand.
func (a *Asm) FusesAny() bool { return true }

// Reach is how far jumps go.
func (a *Asm) Reach() int { return math.MaxInt32 }

var general64 = vector.General{Frame: RDI, Pool: RBX, Index: RCX, Limit: RSI, Count: RDX, Scratch: RAX, Streams: []Reg{R8, R9, R10, R11, R12, R13, R14, R15}}

// General are the registers of loops.
func (a *Asm) General() vector.General { return general64 }
