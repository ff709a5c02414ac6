package amd64

// Instructions of three operands: the result, and what it is computed from.
var (
	AddPS = Inst{none, m0F, 0x58, false}
	MulPS = Inst{none, m0F, 0x59, false}
	SubPS = Inst{none, m0F, 0x5c, false}
	MinPS = Inst{none, m0F, 0x5d, false}
	DivPS = Inst{none, m0F, 0x5e, false}
	MaxPS = Inst{none, m0F, 0x5f, false}

	AddSS = Inst{pF3, m0F, 0x58, false}
	MulSS = Inst{pF3, m0F, 0x59, false}
	MinSS = Inst{pF3, m0F, 0x5d, false}
	MaxSS = Inst{pF3, m0F, 0x5f, false}

	PAnd    = Inst{p66, m0F, 0xdb, false}
	PAndN   = Inst{p66, m0F, 0xdf, false} // not the first, and the second
	POr     = Inst{p66, m0F, 0xeb, false}
	PXor    = Inst{p66, m0F, 0xef, false}
	PAddD   = Inst{p66, m0F, 0xfe, false}
	PSubD   = Inst{p66, m0F, 0xfa, false}
	PMulLD  = Inst{p66, m0F38, 0x40, false}
	PMinSD  = Inst{p66, m0F38, 0x39, false}
	PMinUD  = Inst{p66, m0F38, 0x3b, false}
	PMaxSD  = Inst{p66, m0F38, 0x3d, false}
	PMaxUD  = Inst{p66, m0F38, 0x3f, false}
	PSllVD  = Inst{p66, m0F38, 0x47, false}
	PSrlVD  = Inst{p66, m0F38, 0x45, false}
	PSraVD  = Inst{p66, m0F38, 0x46, false}
	ScalePS = Inst{p66, m0F38, 0x2c, false} // times two to the power of the floor of the second; of 512 bits

	packUSDW = Inst{p66, m0F38, 0x2b, false}
	packUSWB = Inst{p66, m0F, 0x67, false}

	Fmadd132  = Inst{p66, m0F38, 0x98, false} // d = d*y + x
	Fmadd213  = Inst{p66, m0F38, 0xa8, false} // d = x*d + y
	Fmadd231  = Inst{p66, m0F38, 0xb8, false} // d = x*y + d
	Fnmadd132 = Inst{p66, m0F38, 0x9c, false} // d = x - d*y
	Fnmadd213 = Inst{p66, m0F38, 0xac, false}
	Fnmadd231 = Inst{p66, m0F38, 0xbc, false}
)

// Instructions of two operands: the result, and what it is computed from.
var (
	SqrtPS  = Inst{none, m0F, 0x51, false}
	PAbsD   = Inst{p66, m0F38, 0x1e, false}
	CvtDPS  = Inst{none, m0F, 0x5b, false} // from integers
	CvtPSD  = Inst{p66, m0F, 0x5b, false}  // to the nearest integers
	CvttPSD = Inst{pF3, m0F, 0x5b, false}  // towards zero

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
	movQTo    = Inst{p66, m0F, 0xd6, false}
)

// Commutes reports whether the operands may be exchanged.
func (i Inst) Commutes() bool {
	switch i {
	case AddPS, MulPS, PAnd, POr, PXor, PAddD, PMulLD, PMinSD, PMinUD, PMaxSD, PMaxUD:
		return true
	}
	return false
}

// Three is an instruction of three operands on whole vectors.
func (a *Asm) Three(i Inst, d, x, y Vec) { a.vector(i, a.full(), uint8(d), uint8(x), vec(y), 0) }

// ThreeMem is Three whose last operand is in memory.
func (a *Asm) ThreeMem(i Inst, d, x Vec, y Mem) { a.vector(i, a.full(), uint8(d), uint8(x), mem(y), 0) }

// Lane is an instruction on the first lane: the others of d are those of x.
func (a *Asm) Lane(i Inst, d, x, y Vec) { a.vector(i, bits128, uint8(d), uint8(x), vec(y), 0) }

// Two is an instruction of two operands on whole vectors.
func (a *Asm) Two(i Inst, d, x Vec) { a.vector(i, a.full(), uint8(d), 0, vec(x), 0) }

// TwoMem is Two whose operand is in memory.
func (a *Asm) TwoMem(i Inst, d Vec, x Mem) { a.vector(i, a.full(), uint8(d), 0, mem(x), 0) }

// Move copies a vector.
func (a *Asm) Move(d, x Vec) { a.Two(movAPS, d, x) }

// Load and Store move whole vectors.
func (a *Asm) Load(d Vec, m Mem)  { a.TwoMem(movUPS, d, m) }
func (a *Asm) Store(m Mem, x Vec) { a.TwoMem(movUPSTo, x, m) }

// Broadcast loads one element to all lanes.
func (a *Asm) Broadcast(d Vec, m Mem) { a.TwoMem(broadcast, d, m) }

// Spread copies the first lane to all.
func (a *Asm) Spread(d, x Vec) { a.Two(broadcast, d, x) }

// The roundings of Round.
const (
	Nearest = 8 // ties to even
	Floor   = 9
	Ceil    = 10
)

// Round rounds to integers.
func (a *Asm) Round(d, x Vec, how byte) { a.vector(roundPS, a.full(), uint8(d), 0, vec(x), 0, how) }

// The shifts of Shift.
const (
	ShiftRight  = 2
	ShiftSigned = 4
	ShiftLeft   = 6
)

// Shift shifts lanes by a number of bits.
func (a *Asm) Shift(kind uint8, d, x Vec, by byte) {
	a.vector(shiftD, a.full(), kind, uint8(d), vec(x), 0, by)
}

// The comparisons of floats, false but for Ne where an operand is NaN, and Unordered, which holds there alone.
const (
	Eq        = 0x00
	Lt        = 0x11
	Le        = 0x12
	Unordered = 0x03
	Ne        = 0x04
)

// Compare gives lanes of ones where a comparison of floats holds, else of zeros.
func (a *Asm) Compare(how byte, d, x, y Vec) {
	if a.Wide {
		a.vector(cmpPS, bits512, 1, uint8(x), vec(y), 0, how)
		a.fromMask(d)
		return
	}
	a.vector(cmpPS, bits256, uint8(d), uint8(x), vec(y), 0, how)
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
	a.Three(narrow, d, x, y)
}

// fromMask makes lanes of mask register 1.
func (a *Asm) fromMask(d Vec) { a.vector(movM2D, bits512, uint8(d), 0, operand{reg: 1}, 0) }

// Select takes lanes of x where the highest bit of cond's lane is set, else those of y.
func (a *Asm) Select(d, cond, x, y Vec) {
	if a.Wide {
		a.vector(movD2M, bits512, 1, 0, vec(cond), 0)
		a.vector(blendM, bits512, uint8(d), uint8(y), vec(x), 1)
		return
	}
	a.vector(blendV, bits256, uint8(d), uint8(y), vec(x), 0, byte(cond)<<4)
}

// LoadHalf, LoadWords and LoadBytes load a vector's lanes from elements of 16 and 8 bits: floats, and integers without and with a sign.
func (a *Asm) LoadHalf(d Vec, m Mem)  { a.TwoMem(cvtPHPS, d, m) }
func (a *Asm) LoadWords(d Vec, m Mem) { a.TwoMem(zxWD, d, m) }
func (a *Asm) LoadBytes(d Vec, m Mem, signed bool) {
	if signed {
		a.TwoMem(sxBD, d, m)
	} else {
		a.TwoMem(zxBD, d, m)
	}
}

// StoreHalf stores lanes as F16, rounded to nearest.
func (a *Asm) StoreHalf(m Mem, x Vec) { a.vector(cvtPSPH, a.full(), uint8(x), 0, mem(m), 0, 0) }

// StoreWords stores the low 16 bits of lanes that are below 2^16; scratch may be x.
func (a *Asm) StoreWords(m Mem, x, scratch Vec) {
	if a.Wide {
		a.vector(pmovDW, bits512, uint8(x), 0, mem(m), 0)
		return
	}
	a.Three(packUSDW, scratch, x, x) // in halves of 128 bits
	a.vector(permQ, bits256, uint8(scratch), 0, vec(scratch), 0, 0x08)
	a.vector(movUPSTo, bits128, uint8(scratch), 0, mem(m), 0)
}

// StoreBytes stores the low 8 bits of lanes that are below 2^8; scratch may be x.
func (a *Asm) StoreBytes(m Mem, x, scratch Vec) {
	if a.Wide {
		a.vector(pmovDB, bits512, uint8(x), 0, mem(m), 0)
		return
	}
	a.Three(packUSDW, scratch, x, x)
	a.vector(permQ, bits256, uint8(scratch), 0, vec(scratch), 0, 0x08)
	a.Three(packUSWB, scratch, scratch, scratch)
	a.vector(movQTo, bits128, uint8(scratch), 0, mem(m), 0)
}

// Gather loads words at base + 4 × the lanes of index where the highest bits of mask's lanes are set, and zeros elsewhere. All registers differ, and mask is
// destroyed.
func (a *Asm) Gather(d Vec, base Reg, index, mask Vec) {
	a.Three(PXor, d, d, d)
	m := mem(Mem{Base: base, Index: Reg(index), Scale: 4})
	if a.Wide {
		a.vector(movD2M, bits512, 1, 0, vec(mask), 0)
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
	shift(ShiftRight, d, x)
	shift(ShiftRight, spare, y)
	a.Three(even, d, d, spare)
	shift(ShiftRight, d, d)
	shift(ShiftLeft, d, d)
	a.Three(even, spare, x, y)
	shift(ShiftRight, spare, spare)
	a.Three(POr, d, d, spare)
}

// FromHalves makes floats of F16 in the low halves of lanes, whose other bits are zeros.
func (a *Asm) FromHalves(d, x, spare Vec) {
	if a.Wide {
		a.vector(pmovDW, bits512, uint8(x), 0, vec(spare), 0)
	} else {
		a.Three(packUSDW, spare, x, x)
		a.vector(permQ, bits256, uint8(spare), 0, vec(spare), 0, 0x08)
	}
	a.vector(cvtPHPS, a.full(), uint8(d), 0, vec(spare), 0)
}

// Of the first lane alone.

// LoadLane loads an element of 32 bits, and zeros into the other lanes.
func (a *Asm) LoadLane(d Vec, m Mem) { a.vector(movSS, bits128, uint8(d), 0, mem(m), 0) }

// StoreLane stores an element of 32, 16 or 8 bits.
func (a *Asm) StoreLane(m Mem, x Vec, bytes int) {
	switch bytes {
	case 1:
		a.vector(extrB, bits128, uint8(x), 0, mem(m), 0, 0)
	case 2:
		a.vector(extrW, bits128, uint8(x), 0, mem(m), 0, 0)
	default:
		a.vector(movSSTo, bits128, uint8(x), 0, mem(m), 0)
	}
}

// LaneOf puts a general register's low 32 bits into the first lane.
func (a *Asm) LaneOf(d Vec, x Reg) { a.vector(movD, bits128, uint8(d), 0, operand{reg: uint8(x)}, 0) }

// HalfOfLanes converts between F16 in the low halves of the first lanes and floats.
func (a *Asm) FromHalf(d, x Vec) { a.vector(cvtPHPS, bits128, uint8(d), 0, vec(x), 0) }
func (a *Asm) ToHalf(d, x Vec)   { a.vector(cvtPSPH, bits128, uint8(x), 0, vec(d), 0, 0) }

// RoundHalf rounds lanes to F16.
func (a *Asm) RoundHalf(d, x Vec) {
	a.vector(cvtPSPH, a.full(), uint8(x), 0, vec(d), 0, 0)
	a.vector(cvtPHPS, a.full(), uint8(d), 0, vec(d), 0)
}

// Fold combines all lanes of x by an instruction into the first one of d, by halves; scratch and d are neither x nor the same.
func (a *Asm) Fold(i Inst, d, x, scratch Vec) {
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

// ZeroUpper ends the use of wide registers.
func (a *Asm) ZeroUpper() { a.emit(0xc5, 0xf8, 0x77) }
