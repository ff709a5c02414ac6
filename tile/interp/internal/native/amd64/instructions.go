package amd64

import "github.com/weftgpu/weft/tile/interp/internal/native/vector"

// Instructions of three operands: the result, and what it is computed from.
var (
	addPS = Inst{none, m0F, 0x58, false}
	mulPS = Inst{none, m0F, 0x59, false}
	subPS = Inst{none, m0F, 0x5c, false}
	minPS = Inst{none, m0F, 0x5d, false}
	divPS = Inst{none, m0F, 0x5e, false}
	maxPS = Inst{none, m0F, 0x5f, false}

	pAnd   = Inst{p66, m0F, 0xdb, false}
	pOr    = Inst{p66, m0F, 0xeb, false}
	pXor   = Inst{p66, m0F, 0xef, false}
	pAddD  = Inst{p66, m0F, 0xfe, false}
	pSubD  = Inst{p66, m0F, 0xfa, false}
	pMulLD = Inst{p66, m0F38, 0x40, false}
	pMinSD = Inst{p66, m0F38, 0x39, false}
	pMinUD = Inst{p66, m0F38, 0x3b, false}
	pMaxSD = Inst{p66, m0F38, 0x3d, false}
	pMaxUD = Inst{p66, m0F38, 0x3f, false}
	pSllVD = Inst{p66, m0F38, 0x47, false}
	pSrlVD = Inst{p66, m0F38, 0x45, false}
	pSraVD = Inst{p66, m0F38, 0x46, false}

	packUSDW = Inst{p66, m0F38, 0x2b, false}
	packUSWB = Inst{p66, m0F, 0x67, false}

	fmadd132  = Inst{p66, m0F38, 0x98, false} // d = d*y + x
	fmadd213  = Inst{p66, m0F38, 0xa8, false} // d = x*d + y
	fmadd231  = Inst{p66, m0F38, 0xb8, false} // d = x*y + d
	fnmadd132 = Inst{p66, m0F38, 0x9c, false} // d = x - d*y
	fnmadd213 = Inst{p66, m0F38, 0xac, false}
	fnmadd231 = Inst{p66, m0F38, 0xbc, false}
)

// Instructions of two operands: the result, and what it is computed from.
var (
	sqrtPS  = Inst{none, m0F, 0x51, false}
	pAbsD   = Inst{p66, m0F38, 0x1e, false}
	cvtDPS  = Inst{none, m0F, 0x5b, false} // from integers
	cvtPSD  = Inst{p66, m0F, 0x5b, false}  // to the nearest integers
	cvttPSD = Inst{pF3, m0F, 0x5b, false}  // towards zero

	movUPS    = Inst{none, m0F, 0x10, false}
	movUPSTo  = Inst{none, m0F, 0x11, false}
	movAPS    = Inst{none, m0F, 0x28, false}
	movSS     = Inst{pF3, m0F, 0x10, false}
	movSSTo   = Inst{pF3, m0F, 0x11, false}
	movD      = Inst{p66, m0F, 0x6e, false}
	broadcast = Inst{p66, m0F38, 0x18, false}
	zxWD      = Inst{p66, m0F38, 0x33, false}
	zxBD      = Inst{p66, m0F38, 0x31, false}
	sxBD      = Inst{p66, m0F38, 0x21, false}
	cvtPHPS   = Inst{p66, m0F38, 0x13, false}
	cvtPSPH   = Inst{p66, m0F3A, 0x1d, false}
	pmovDW    = Inst{pF3, m0F38, 0x33, false}
	pmovDB    = Inst{pF3, m0F38, 0x31, false}
	movM2D    = Inst{pF3, m0F38, 0x38, false}
	movD2M    = Inst{pF3, m0F38, 0x39, false}
	blendM    = Inst{p66, m0F38, 0x65, false}
	blendV    = Inst{p66, m0F3A, 0x4a, false}
	roundPS   = Inst{p66, m0F3A, 0x08, false}
	cmpPS     = Inst{none, m0F, 0xc2, false}
	cmpEqD    = Inst{p66, m0F, 0x76, false}
	cmpGtD    = Inst{p66, m0F, 0x66, false}
	cmpD      = Inst{p66, m0F3A, 0x1f, false}
	shiftD    = Inst{p66, m0F, 0x72, false}
	extract4  = Inst{p66, m0F3A, 0x1b, true}  // the upper 256 of 512 bits
	extract2  = Inst{p66, m0F3A, 0x19, false} // the upper 128 of 256 bits
	permQ     = Inst{p66, m0F3A, 0x00, true}
	permilPS  = Inst{p66, m0F3A, 0x04, false}
	extrB     = Inst{p66, m0F3A, 0x14, false}
	extrW     = Inst{p66, m0F3A, 0x15, false}
	pmulUDQ   = Inst{p66, m0F, 0xf4, false}
	shiftQ    = Inst{p66, m0F, 0x73, false}
	gatherD   = Inst{p66, m0F38, 0x90, false}
	zxBQ      = Inst{p66, m0F38, 0x32, false}
	sxBQ      = Inst{p66, m0F38, 0x22, false}
	zxWQ      = Inst{p66, m0F38, 0x34, false}
	zxDQ      = Inst{p66, m0F38, 0x35, false}
	pmovQB    = Inst{pF3, m0F38, 0x32, false}
	pmovQD    = Inst{pF3, m0F38, 0x35, false}
	evenLanes = Inst{pF3, m0F, 0x12, false} // each of them twice
	oddLanes  = Inst{pF3, m0F, 0x16, false}
	shuffle   = Inst{p66, m0F, 0x70, false} // within 128 bits
	movQTo    = Inst{p66, m0F, 0xd6, false}
)

// three is an instruction of three operands on whole vectors.
func (a *Asm) three(i Inst, d, x, y Vec) { a.vector(i, a.full(), uint8(d), uint8(x), vec(y), 0) }

// two is an instruction of two operands on whole vectors, and twoMem one whose operand is in memory.
func (a *Asm) two(i Inst, d, x Vec)        { a.vector(i, a.full(), uint8(d), 0, vec(x), 0) }
func (a *Asm) twoMem(i Inst, d Vec, x Mem) { a.vector(i, a.full(), uint8(d), 0, mem(x), 0) }

// Move copies a vector.
func (a *Asm) Move(d, x Vec) { a.two(movAPS, d, x) }

// Load and Store move whole vectors.
func (a *Asm) Load(d Vec, m Mem)  { a.twoMem(movUPS, d, m) }
func (a *Asm) Store(m Mem, x Vec) { a.twoMem(movUPSTo, x, m) }

// Spread copies the first lane to all.
func (a *Asm) Spread(d, x Vec) { a.two(broadcast, d, x) }

// Round rounds to integers.
func (a *Asm) Round(d, x Vec, how vector.Rounding) {
	const quiet = 8 // no exceptions
	a.vector(roundPS, a.full(), uint8(d), 0, vec(x), 0, quiet|byte(how))
}

// The shifts by a number, as a part of their opcode.
const (
	shiftRight  = 2
	shiftSigned = 4
	shiftLeft   = 6
)

// Shift shifts lanes by a number of bits.
func (a *Asm) Shift(op vector.Op, d, x Vec, by byte) {
	kind := uint8(shiftLeft)
	switch op {
	case vector.ShiftRight:
		kind = shiftRight
	case vector.ShiftSigned:
		kind = shiftSigned
	}
	a.vector(shiftD, a.full(), kind, uint8(d), vec(x), 0, by)
}

// comparisons are the codes of comparisons of floats, which raise no exceptions.
var comparisons = [...]byte{vector.Eq: 0x00, vector.Ne: 0x04, vector.Lt: 0x11, vector.Le: 0x12, vector.Unordered: 0x03}

// Compare gives lanes of ones where a comparison of floats holds, else of zeros.
func (a *Asm) Compare(how vector.Comparison, d, x, y Vec) {
	if a.Wide {
		a.vector(cmpPS, bits512, 1, uint8(x), vec(y), 0, comparisons[how])
		a.fromMask(d)
		return
	}
	a.vector(cmpPS, bits256, uint8(d), uint8(x), vec(y), 0, comparisons[how])
}

// CompareEqual and CompareGreater are comparisons of signed integers.
func (a *Asm) CompareEqual(d, x, y Vec)   { a.compareD(cmpEqD, 0, d, x, y) }
func (a *Asm) CompareGreater(d, x, y Vec) { a.compareD(cmpGtD, 6, d, x, y) }

func (a *Asm) compareD(narrow Inst, how byte, d, x, y Vec) {
	if a.Wide {
		a.vector(cmpD, bits512, 1, uint8(x), vec(y), 0, how)
		a.fromMask(d)
		return
	}
	a.three(narrow, d, x, y)
}

// fromMask makes lanes of mask register 1.
func (a *Asm) fromMask(d Vec) { a.vector(movM2D, bits512, uint8(d), 0, operand{reg: 1}, 0) }

// toMask makes mask register 1 of lanes.
func (a *Asm) toMask(x Vec) { a.vector(movD2M, bits512, 1, 0, vec(x), 0) }

// Select takes lanes of x where the highest bit of cond's lane is set, else those of y.
func (a *Asm) Select(d, cond, x, y Vec) {
	if a.Wide {
		a.toMask(cond)
		a.vector(blendM, bits512, uint8(d), uint8(y), vec(x), 1)
		return
	}
	a.vector(blendV, bits256, uint8(d), uint8(y), vec(x), 0, byte(cond)<<4)
}

// Gather loads words at base + 4 × the lanes of index where the highest bits of mask's lanes are set, and zeros elsewhere. All registers differ, and mask
// is destroyed.
func (a *Asm) Gather(d Vec, base Reg, index, mask Vec) {
	a.three(pXor, d, d, d)
	m := mem(Mem{Base: base, Index: Reg(index), Scale: 4})
	if a.Wide {
		a.toMask(mask)
		a.vector(gatherD, bits512, uint8(d), 0, m, 1)
		return
	}
	a.vector(gatherD, bits256, uint8(d), uint8(mask), m, 0)
}

// MulHigh is the upper 32 bits of products of lanes without a sign: the even lanes' and the odd ones', each as 64 bits. All registers differ.
func (a *Asm) MulHigh(d, x, y, spare Vec) {
	even, odd := pmulUDQ, shiftQ
	even.wide, odd.wide = a.Wide, a.Wide // W is a part of the EVEX form alone
	shift := func(kind uint8, d, x Vec) { a.vector(odd, a.full(), kind, uint8(d), vec(x), 0, 32) }
	shift(shiftRight, d, x)
	shift(shiftRight, spare, y)
	a.three(even, d, d, spare)
	shift(shiftRight, d, d)
	shift(shiftLeft, d, d)
	a.three(even, spare, x, y)
	shift(shiftRight, spare, spare)
	a.three(pOr, d, d, spare)
}

// Fold combines all lanes of x into the first one of d, by halves; scratch is neither x nor d.
func (a *Asm) Fold(op vector.Op, d, x, scratch Vec) {
	i := insts[op]
	if a.Wide {
		a.vector(extract4, bits512, uint8(x), 0, vec(scratch), 0, 1)
		a.vector(i, bits256, uint8(x), uint8(x), vec(scratch), 0)
	}
	a.vector(extract2, bits256, uint8(x), 0, vec(scratch), 0, 1)
	a.vector(i, bits128, uint8(x), uint8(x), vec(scratch), 0)
	a.vector(permilPS, bits128, uint8(scratch), 0, vec(x), 0, 0x4e)
	a.vector(i, bits128, uint8(x), uint8(x), vec(scratch), 0)
	a.vector(permilPS, bits128, uint8(scratch), 0, vec(x), 0, 0xb1)
	a.vector(i, bits128, uint8(d), uint8(x), vec(scratch), 0)
}
