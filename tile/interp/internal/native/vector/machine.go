package vector

import "github.com/weftgpu/weft/dtype"

// Reg is a general register of 64 bits, and Vec a vector register, by their numbers.
type (
	Reg uint8
	Vec uint8
)

// Mem is the memory at Base + Index × Scale + Disp; there is no index if Scale is 0.
type Mem struct {
	Base, Index Reg
	Scale       uint8 // 0, 1, 2, 4 or 8
	Disp        int32
}

// General is what general registers of a machine are for in loops.
type General struct {
	Frame   Reg // which code is called with
	Pool    Reg // of constants
	Index   Reg // of the column
	Limit   Reg // of the index in a loop
	Count   Reg // of the elements that a part of a vector has
	Scratch Reg
	Streams []Reg // where the rows of the first streams are
}

// Machine collects the code of one function, which is called with an address in General().Frame.
type Machine interface {
	Lanes() int          // of a vector
	Registers() int      // that hold vectors
	Reach() int          // how many bytes of code there may be
	General() General    // registers
	LoadsOperands() bool // those in memory, by instructions of their own
	FusesAny() bool      // what is fused may write over any operand, else over the addend alone

	control
	whole
	part
}

// control is on general registers.
type control interface {
	MovReg(d, x Reg)
	MovLoad(d Reg, m Mem)
	MovConst(d Reg, x int32)
	Add(d, x Reg)
	AddMem(d Reg, m Mem)
	Sub(d, x Reg)
	AddTo(m Mem, x Reg)
	AddConst(d Reg, x int32)
	AddConstTo(m Mem, x int32) // sets what Jump asks, too
	HalveReg(d Reg)            // without a sign
	CompareReg(x, y Reg)       // sets what Jump asks
	CompareConst(x Reg, y int32)

	Jump(c Condition) (jump int) // goes to a place that Land or To tells
	Land(jump int)               // makes a jump lead here
	To(jump, place int)          // makes a jump lead to a place
	Here() (place int)           // is that of what comes next
	AddressOf(d Reg) (jump int)  // loads the address of a place that Land will tell
	Return()                     // ends the function
	Data(x uint32)               // is no code
	Align(bytes int)             // what comes next
	Code() []byte                // is what was collected
}

// whole is on whole vectors. Registers of results may be those of operands.
type whole interface {
	Three(op Op, d, x, y Vec)
	ThreeMem(op Op, d, x Vec, y Mem)
	Two(op Op, d, x Vec)
	Move(d, x Vec)
	Load(d Vec, m Mem)
	Store(m Mem, x Vec)
	Spread(d, x Vec)        // the first lane to all
	SpreadReg(d Vec, x Reg) // the low 32 bits to all
	Round(d, x Vec, how Rounding)
	Shift(op Op, d, x Vec, by byte)
	Compare(how Comparison, d, x, y Vec) // lanes of ones where it holds, else of zeros
	CompareEqual(d, x, y Vec)            // of integers
	CompareGreater(d, x, y Vec)          // of integers with a sign
	Select(d, cond, x, y Vec)            // lanes of x where those of cond are ones, and of y where they are zeros
	RoundHalf(d, x Vec)                  // to F16
	MulHigh(d, x, y, spare Vec)          // the upper 32 bits of products without a sign; all registers differ
	FromHalves(d, x, spare Vec)          // floats of F16 in lanes of 32 bits

	// LoadAs makes lanes of a vector's elements in memory: floats of F16, the bits of other elements of 16, bytes with or without a sign. StoreAs is its
	// inverse; spare may be x if that dies.
	LoadAs(elem dtype.Type, d Vec, m Mem)
	StoreAs(elem dtype.Type, m Mem, x, spare Vec)

	// LoadPairs is LoadAs where each element is for two lanes, an even one and the next; of F16 these have its bits. StorePairs stores the even lanes as elements
	// of 32 or 8 bits. Double gives both lanes of each pair the value of the even one, or of the odd one.
	LoadPairs(elem dtype.Type, d Vec, m Mem)
	StorePairs(elem dtype.Type, m Mem, x, spare Vec)
	Double(d, x Vec, odd bool)

	// Gather loads words at base + 4 × the lanes of index where mask's lanes are ones, and zeros elsewhere. All registers differ, and mask is
	// destroyed.
	Gather(d Vec, base Reg, index, mask Vec)
	// Fold combines all lanes of x into the first one of d; x and scratch are destroyed.
	Fold(op Op, d, x, scratch Vec)
}

// part is on the first lanes. The others may become anything.
type part interface {
	LoadFirst(elem dtype.Type, d Vec, m Mem)
	StoreFirst(elem dtype.Type, m Mem, x, spare Vec)

	// LoadPart is LoadAs of as many lanes as a register says, one at least and perhaps more than there are. Those of mask are ones in them, else zeros. StorePart is
	// its inverse. No memory is touched but that of these elements. All vectors differ, but spare may be x if that dies.
	LoadPart(elem dtype.Type, d Vec, m Mem, mask Vec, count Reg)
	StorePart(elem dtype.Type, m Mem, x, spare, mask Vec, count Reg)
}

// Condition is what a jump asks of numbers with a sign that were compared, or of a sum.
type Condition uint8

// The conditions.
const (
	Less Condition = iota
	AtLeast
	Greater
	AtMost
	NonZero
)
