package dtype

import (
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
)

// Number is a Go number, or a bool, of any type, taken apart without loss.
type Number struct {
	Kind      NumberKind
	Negative  bool    // of an integer
	Magnitude uint64  // of an integer, and 1 for true
	Float     float64 // of a float
}

// NumberKind says what a Number was made from.
type NumberKind uint8

// The kinds of numbers.
const (
	NoNumber    NumberKind = iota
	BoolNumber             // a bool
	IntNumber              // an integer, signed or not
	FloatNumber            // a float, Float16 and BFloat16 among them
)

// NumberOf takes apart a value of any number type of Go, of bool, or of a type defined as one
// of them. The Kind of anything else is NoNumber. It allocates nothing.
func NumberOf(x any) Number {
	switch x := x.(type) { // what is used most needs no reflection
	case int:
		return signedNumber(int64(x))
	case float64:
		return Number{Kind: FloatNumber, Float: x}
	case float32:
		return Number{Kind: FloatNumber, Float: float64(x)}
	case Float16:
		return Number{Kind: FloatNumber, Float: float64(x.Float32())}
	case BFloat16:
		return Number{Kind: FloatNumber, Float: float64(x.Float32())}
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Bool:
		n := Number{Kind: BoolNumber}
		if v.Bool() {
			n.Magnitude = 1
		}
		return n
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return signedNumber(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Number{Kind: IntNumber, Magnitude: v.Uint()}
	case reflect.Float32, reflect.Float64:
		return Number{Kind: FloatNumber, Float: v.Float()}
	}
	return Number{}
}

func signedNumber(x int64) Number {
	if x < 0 {
		return Number{Kind: IntNumber, Negative: true, Magnitude: -uint64(x)}
	}
	return Number{Kind: IntNumber, Magnitude: uint64(x)}
}

// String is the number in digits, all of them of an integer, or true or false.
func (n Number) String() string {
	switch n.Kind {
	case BoolNumber:
		return strconv.FormatBool(n.Magnitude != 0)
	case IntNumber:
		text := strconv.FormatUint(n.Magnitude, 10)
		if n.Negative {
			return "-" + text
		}
		return text
	case FloatNumber:
		return fmt.Sprint(n.Float)
	}
	return "no number"
}

// Float64 is the number as a float64 that Round rounds as it would the number itself. An integer of more than 53 digits
// becomes the float64 next to it with an odd mantissa.
func (n Number) Float64() float64 {
	if n.Kind == FloatNumber {
		return n.Float
	}
	magnitude := n.Magnitude
	if lost := bits.Len64(magnitude) - 53; lost > 0 {
		if magnitude&(1<<lost-1) != 0 {
			magnitude |= 1 << lost
		}
		magnitude = magnitude >> lost << lost
	}
	if n.Negative {
		return -float64(magnitude)
	}
	return float64(magnitude)
}
