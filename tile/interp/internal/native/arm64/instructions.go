package arm64

import "github.com/weftgpu/weft/tile/interp/internal/native/vector"

// Vector instructions on lanes of 32 bits, if their names say nothing else.
const (
	fadd   Inst = 0x4e20d400
	fsub   Inst = 0x4ea0d400
	fmul   Inst = 0x6e20dc00
	fdiv   Inst = 0x6e20fc00
	fmla   Inst = 0x4e20cc00
	fmls   Inst = 0x4ea0cc00
	fcmeq  Inst = 0x4e20e400
	fcmge  Inst = 0x6e20e400
	fcmgt  Inst = 0x6ea0e400
	and    Inst = 0x4e201c00
	orr    Inst = 0x4ea01c00
	eor    Inst = 0x6e201c00
	bsl    Inst = 0x6e601c00 // where d is ones x, else y
	bit    Inst = 0x6ea01c00 // x where y is ones, else d
	bif    Inst = 0x6ee01c00 // x where y is zeros, else d
	addI   Inst = 0x4ea08400
	subI   Inst = 0x6ea08400
	mulI   Inst = 0x4ea09c00
	smin   Inst = 0x4ea06c00
	smax   Inst = 0x4ea06400
	umin   Inst = 0x6ea06c00
	umax   Inst = 0x6ea06400
	cmeq   Inst = 0x6ea08c00
	cmgt   Inst = 0x4ea03400
	ushl   Inst = 0x6ea04400 // right by negative numbers
	sshl   Inst = 0x4ea04400
	umull  Inst = 0x2ea0c000 // of the lower two lanes
	umull2 Inst = 0x6ea0c000 // of the upper two
	uzp1   Inst = 0x4e801800 // the even lanes of both
	uzp2   Inst = 0x4e805800 // the odd ones
	trn1   Inst = 0x4e802800 // the even lanes of both, alternately
	trn2   Inst = 0x4e806800 // the odd ones
	zip1   Inst = 0x4e803800 // the lower lanes of both, alternately
	ext    Inst = 0x6e000000 // bytes of x and then y, from a number on

	fsqrt  Inst = 0x6ea1f800
	abs    Inst = 0x4ea0b800
	neg    Inst = 0x6ea0b800
	not    Inst = 0x6e205800
	scvtf  Inst = 0x4e21d800
	fcvtns Inst = 0x4e21a800
	fcvtzs Inst = 0x4ea1b800
	frintn Inst = 0x4e218800
	frintm Inst = 0x4e219800
	frintp Inst = 0x4ea18800

	shl  Inst = 0x4f005400
	ushr Inst = 0x6f000400
	sshr Inst = 0x4f000400
	movi Inst = 0x4f000400 // a number of 8 bits

	fcvtl Inst = 0x0e217800 // F16 to floats
	fcvtn Inst = 0x0e216800
	xtnH  Inst = 0x0e612800 // the low halves of lanes
	xtnB  Inst = 0x0e212800 // the low bytes of lanes of 16 bits
	uxtlH Inst = 0x2f10a400 // lanes of elements of 16 bits
	sxtlH Inst = 0x0f10a400
	uxtlB Inst = 0x2f08a400 // lanes of 16 bits of elements of 8
	sxtlB Inst = 0x0f08a400

	dup     Inst = 0x4e040400 // the first lane
	dupW    Inst = 0x4e040c00 // a general register
	umov    Inst = 0x0e003c00 // a lane to a general register
	loadOne Inst = 0x0d408000 // a lane

	loadQ  Inst = 0x3dc00000
	storeQ Inst = 0x3d800000
	loadD  Inst = 0xfd400000
	storeD Inst = 0xfd000000
	loadS  Inst = 0xbd400000
	storeS Inst = 0xbd000000
	loadH  Inst = 0x7d400000
	storeH Inst = 0x7d000000
	loadB  Inst = 0x3d400000
	storeB Inst = 0x3d000000
)

// insts are the instructions of operations that have one.
var insts = [vector.Ops]Inst{
	vector.AddF: fadd, vector.SubF: fsub, vector.MulF: fmul, vector.DivF: fdiv, vector.And: and, vector.Or: orr, vector.Xor: eor,
	vector.AddI: addI, vector.SubI: subI, vector.MulI: mulI, vector.MinS: smin, vector.MaxS: smax, vector.MinU: umin, vector.MaxU: umax,
	vector.ShiftLeft: ushl, vector.ShiftRight: ushl, vector.ShiftSigned: sshl, vector.AddProduct: fmla, vector.SubProduct: fmls,
	vector.SqrtF: fsqrt, vector.AbsI: abs, vector.FloatOfI: scvtf, vector.NearestI: fcvtns, vector.TruncateI: fcvtzs,
}

// Three is an operation of two operands on whole vectors. The instructions for the least and the greatest float mean something else with NaN and zeros, and those
// that shift take the lowest 8 bits of lanes.
func (a *Asm) Three(op vector.Op, d, x, y Vec) {
	switch op {
	case vector.MinF:
		a.three(fcmgt, between, y, x)
		a.Select(d, between, x, y)
		return
	case vector.MaxF:
		a.three(fcmgt, between, x, y)
		a.Select(d, between, x, y)
		return
	case vector.ShiftLeft, vector.ShiftRight, vector.ShiftSigned:
		const bits = 32
		a.emit(movi | bits>>5<<16 | bits&31<<5 | Inst(between))
		a.three(umin, between, between, y)
		if op != vector.ShiftLeft {
			a.two(neg, between, between)
		}
		y = between
	}
	a.three(insts[op], d, x, y)
}

// ThreeMem is Three whose last operand is in memory.
func (a *Asm) ThreeMem(op vector.Op, d, x Vec, y Mem) {
	a.Load(operand, y)
	a.Three(op, d, x, operand)
}

// Two is an operation of one operand on whole vectors.
func (a *Asm) Two(op vector.Op, d, x Vec) { a.two(insts[op], d, x) }

// Move copies a vector.
func (a *Asm) Move(d, x Vec) {
	if d != x {
		a.three(orr, d, x, x)
	}
}

// Load and Store move whole vectors.
func (a *Asm) Load(d Vec, m Mem)  { a.access(loadQ, uint8(d), m, 16) }
func (a *Asm) Store(m Mem, x Vec) { a.access(storeQ, uint8(x), m, 16) }

// Spread copies the first lane to all, SpreadReg a general register's low 32 bits.
func (a *Asm) Spread(d, x Vec)        { a.two(dup, d, x) }
func (a *Asm) SpreadReg(d Vec, x Reg) { a.two(dupW, d, Vec(x)) }

// Round rounds to integers.
func (a *Asm) Round(d, x Vec, how vector.Rounding) {
	a.two([...]Inst{vector.Nearest: frintn, vector.Floor: frintm, vector.Ceil: frintp}[how], d, x)
}

// Shift shifts lanes by a number of bits: that to the left is encoded above the size of lanes, that to the right below two sizes.
func (a *Asm) Shift(op vector.Op, d, x Vec, by byte) {
	switch {
	case by == 0:
		a.Move(d, x)
	case op == vector.ShiftLeft:
		a.two(shl|Inst(32+by)<<16, d, x)
	case op == vector.ShiftRight:
		a.two(ushr|Inst(64-by)<<16, d, x)
	default:
		a.two(sshr|Inst(64-by)<<16, d, x)
	}
}

// Compare gives lanes of ones where a comparison of floats holds, else of zeros.
func (a *Asm) Compare(how vector.Comparison, d, x, y Vec) {
	switch how {
	case vector.Eq:
		a.three(fcmeq, d, x, y)
	case vector.Ne:
		a.three(fcmeq, d, x, y)
		a.two(not, d, d)
	case vector.Lt:
		a.three(fcmgt, d, y, x)
	case vector.Le:
		a.three(fcmge, d, y, x)
	case vector.Unordered:
		a.three(fcmeq, between, x, x)
		if x != y {
			a.three(fcmeq, operand, y, y)
			a.three(and, between, between, operand)
		}
		a.two(not, d, between)
	}
}

// CompareEqual and CompareGreater are comparisons of signed integers.
func (a *Asm) CompareEqual(d, x, y Vec)   { a.three(cmeq, d, x, y) }
func (a *Asm) CompareGreater(d, x, y Vec) { a.three(cmgt, d, x, y) }

// Select takes lanes of x where those of cond are ones, else of y, over whichever operand the result is.
func (a *Asm) Select(d, cond, x, y Vec) {
	switch d {
	case x:
		a.three(bif, d, y, cond)
	case y:
		a.three(bit, d, x, cond)
	default:
		a.Move(d, cond)
		a.three(bsl, d, x, y)
	}
}

// MulHigh is the upper 32 bits of products of lanes without a sign.
func (a *Asm) MulHigh(d, x, y, spare Vec) {
	a.three(umull, between, x, y)
	a.three(umull2, operand, x, y)
	a.three(uzp2, d, between, operand)
}

// Gather loads words at base + 4 × the lanes of index where mask's lanes are ones, and zeros elsewhere, where it reads the pool instead.
func (a *Asm) Gather(d Vec, base Reg, index, mask Vec) {
	const notEqual = 1
	for lane := range Inst(4) {
		a.emit(umov | (lane<<3|4)<<16 | Inst(index)<<5 | Inst(address))
		a.of(add|2<<10, address, base, address)
		a.emit(umov | (lane<<3|4)<<16 | Inst(mask)<<5 | Inst(number))
		a.emit(sub32Imm | Inst(number)<<5 | Inst(zero))
		a.of(choose|notEqual<<12, address, address, general.Pool)
		a.emit(loadOne | lane>>1<<30 | lane&1<<12 | Inst(address)<<5 | Inst(d))
	}
	a.three(and, d, d, mask)
}

// Fold combines all lanes of x into the first one of d, by halves.
func (a *Asm) Fold(op vector.Op, d, x, scratch Vec) {
	for _, bytes := range []Inst{8, 4} {
		a.three(ext|bytes<<11, scratch, x, x)
		a.Three(op, x, x, scratch)
	}
	a.Move(d, x)
}
