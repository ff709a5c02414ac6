package vector

// Op is an operation on lanes of 32 bits. F are floats, I integers, S those with a sign and U those without.
type Op uint8

// The operations: first those of two operands.
const (
	AddF Op = iota
	SubF
	MulF
	DivF
	MinF // x if x < y, else y: with a NaN, y
	MaxF // x if x > y, else y
	And
	Or
	Xor
	AddI
	SubI
	MulI
	MinS
	MaxS
	MinU
	MaxU
	ShiftLeft // by the bits that lanes of y say; all of them, if these are more than there are
	ShiftRight
	ShiftSigned

	// Of three: what is fused writes over an operand, and is rounded once.
	AddProduct     // d + x*y
	MulThenAdd     // d*y + x
	MulByThenAdd   // x*d + y
	SubProduct     // d - x*y
	MulThenSubIn   // x - d*y
	MulByThenSubIn // y - x*d

	// Of one.
	SqrtF
	AbsI
	FloatOfI
	NearestI  // of floats; of what no integer is near, anything
	TruncateI // towards 0; the least integer if it is below all, anything if it is above all or NaN
	Ops       // is how many there are
)

// Commutes reports whether operands may be exchanged.
func (o Op) Commutes() bool {
	switch o {
	case AddF, MulF, And, Or, Xor, AddI, MulI, MinS, MaxS, MinU, MaxU:
		return true
	}
	return false
}

// Rounding is how floats are rounded to integers.
type Rounding uint8

// The roundings.
const (
	Nearest Rounding = iota // ties to even
	Floor
	Ceil
)

// Comparison is one of floats, false but for Ne where an operand is NaN, and Unordered, which holds there alone.
type Comparison uint8

// The comparisons.
const (
	Eq Comparison = iota
	Ne
	Lt
	Le
	Unordered
)
