package kernels

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"unique"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/plan"
)

// codes is how many codes 4 bits have.
const codes = 16

// CodeBook is the 16 numbers that codes of 4 bits stand for, or the 256 of FP8. Code books of the same numbers are equal (==); the zero CodeBook is
// none: the codes are integers.
type CodeBook struct {
	numbers unique.Handle[numbers] // a handle is compared and hashed in one word with each launch
}

// numbers are what codes stand for.
type numbers struct {
	bits   [codes]uint32 // of those of 4 bits: -0 is not 0
	float8 bool          // codes of 8 bits are floats instead
}

// NewCodeBook makes a code book of 16 numbers by code, in any order. They may repeat; each is 0, or from 2^-14 to 65504 in
// magnitude, which every float type holds as a normal number, and one is not 0.
//
// Errors: ErrArgument for another number of values or values outside of this range.
func NewCodeBook(values []float32) (CodeBook, error) {
	const op = "code_book"
	if len(values) != codes {
		return CodeBook{}, fault.New(weft.ErrArgument, op, "%s, want %d: one for each code of 4 bits", fault.Count(len(values), "value"), codes).For("values")
	}
	var bits [codes]uint32
	largest := 0.0
	for i, v := range values {
		x := math.Abs(float64(v))
		if x != 0 && !(0x1p-14 <= x && x <= 65504) {
			return CodeBook{}, fault.New(weft.ErrArgument, op, "value %d is %v, want 0 or a magnitude from 2^-14 to 65504", i, v).For("values")
		}
		bits[i], largest = math.Float32bits(v), max(largest, x)
	}
	if largest == 0 {
		return CodeBook{}, fault.New(weft.ErrArgument, op, "all values are 0").For("values")
	}
	return CodeBook{unique.Make(numbers{bits: bits})}, nil
}

// NF4 is the 16 quantiles of the normal distribution of Dettmers et al., "QLoRA: Efficient Finetuning of Quantized LLMs", 2023,
// appendix E: least error for numbers that are normally distributed. 0 is code 7.
var NF4 = book(-1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
	-0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
	0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1)

// FP4 is the floats E2M1 of OCP, "Microscaling Formats (MX) Specification", version 1.0, table 5: a sign, an exponent of 2 bits and a
// mantissa of 1.
var FP4 = book(0, 0.5, 1, 1.5, 2, 3, 4, 6, float32(math.Copysign(0, -1)), -0.5, -1, -1.5, -2, -3, -4, -6)

// FP8 is the floats E4M3 of OCP, "8-bit Floating Point Specification (OFP8)", version 1.0: a sign, an exponent of 4 bits and a mantissa of 3. The codes 127 and
// 255, which are NaN there, stand for 480 and -480, the next numbers, and Quantize makes none of them.
var FP8 = CodeBook{unique.Make(numbers{float8: true})}

var bookNames = map[CodeBook]string{NF4: "NF4", FP4: "FP4", FP8: "FP8"}

func book(values ...float32) CodeBook {
	b, err := NewCodeBook(values)
	if err != nil {
		panic(err)
	}
	return b
}

// Bits are those of a code: 4, or 8 of FP8, or 0 of no code book.
func (b CodeBook) Bits() int {
	switch b {
	case CodeBook{}:
		return 0
	case FP8:
		return 8
	}
	return 4
}

// ofFour reports whether codes of 4 bits stand for numbers.
func (b CodeBook) ofFour() bool { return b.Bits() == 4 }

// Values are the numbers by code; nil of no code book.
func (b CodeBook) Values() []float32 {
	switch b {
	case CodeBook{}:
		return nil
	case FP8:
		return float8Values()
	}
	values := make([]float32, codes)
	for i, x := range b.numbers.Value().bits {
		values[i] = math.Float32frombits(x)
	}
	return values
}

// Largest is the largest magnitude that Quantize makes; 0 of no code book.
func (b CodeBook) Largest() float64 {
	if b == FP8 {
		return mostFloat8
	}
	largest := 0.0
	for _, v := range b.Values() {
		largest = max(largest, math.Abs(float64(v)))
	}
	return largest
}

// String prints "NF4", "FP4", "FP8", "codes [-1 -0.75 …]", or "none".
func (b CodeBook) String() string {
	if name := bookNames[b]; name != "" {
		return name
	}
	if b == (CodeBook{}) {
		return "none"
	}
	return fmt.Sprintf("codes %v", b.Values())
}

// MarshalJSON writes the numbers, which problems and configs are stored with, or the name FP8.
func (b CodeBook) MarshalJSON() ([]byte, error) {
	if b == FP8 {
		return json.Marshal(b.String())
	}
	return json.Marshal(b.Values())
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *CodeBook) UnmarshalJSON(text []byte) error {
	if string(text) == `"FP8"` {
		*b = FP8
		return nil
	}
	var values []float32
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	if *b = (CodeBook{}); values == nil {
		return nil
	}
	var err error
	*b, err = NewCodeBook(values)
	return err
}

// signed reports whether the upper half of the codes are the lower ones, with a sign.
func (b CodeBook) signed() bool {
	values := b.Values()
	half := len(values) / 2
	for i, v := range values[:half] {
		if math.Signbit(float64(v)) || math.Float32bits(v)|1<<31 != math.Float32bits(values[half+i]) {
			return false
		}
	}
	return true
}

// exact reports whether a type holds all numbers as they are, and their products with scales do not leave its range before they are rounded.
func (b CodeBook) exact(e weft.DType) bool {
	return b == FP8 || !slices.ContainsFunc(b.Values(), func(v float32) bool { return !plan.ScalesInPairs(e, float64(v)) })
}

// fixed is the lower 8 numbers of a signed code book as multiples of 2^-shift, 4 bits each, if they are that.
func (b CodeBook) fixed() (word uint32, shift int, ok bool) {
	if !b.ofFour() || !b.signed() {
		return 0, 0, false
	}
	for shift = -12; shift <= 14; shift++ {
		if word, ok = b.multiples(shift); ok {
			return word, shift, true
		}
	}
	return 0, 0, false
}

func (b CodeBook) multiples(shift int) (word uint32, ok bool) {
	for i, v := range b.Values()[:codes/2] {
		n := math.Ldexp(float64(v), shift)
		if n != math.Trunc(n) || n > 15 {
			return 0, false
		}
		word |= uint32(n) << (4 * i)
	}
	return word, true
}

// step is where one number ends and the next begins: what is above the limit, or at it if that is included, has the code.
type step struct {
	limit    float32
	included bool
	code     int
}

// steps are the code of the least of some numbers and the steps above it. What is in the middle of two goes to the one whose
// code is even, or else to the lesser code, as does what several codes stand for.
func steps(values []float32) (least int, list []step) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch { // -0 is 0
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	order = slices.CompactFunc(order, func(i, j int) bool { return values[i] == values[j] })
	for n, code := range order[1:] {
		before := order[n]
		middle := (float64(values[before]) + float64(values[code])) / 2
		limit := float32(middle)
		if float64(limit) > middle { // then no F32 is between it and the middle
			limit = math.Nextafter32(limit, -math.MaxFloat32)
		}
		preferred := min(before, code)
		if before%2 != code%2 {
			preferred = []int{before, code}[before%2]
		}
		list = append(list, step{limit, float64(limit) == middle && preferred == code, code})
	}
	return order[0], list
}
