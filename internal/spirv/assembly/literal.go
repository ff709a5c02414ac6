package assembly

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
)

// literal is how the text of a constant of a type is read.
type literal struct {
	kind literalKind
	bits int
}

type literalKind uint8

const (
	noLiteral literalKind = iota
	unsigned
	signed
	float
	bfloat
)

// Numbers of the instructions that make types.
const (
	opTypeInt   = 21
	opTypeFloat = 22
)

// noteType remembers the types that constants have literals of.
func (a *assembler) noteType(code uint32, operands []uint32) {
	var of literal
	switch {
	case code == opTypeInt && operands[2] != 0:
		of.kind = signed
	case code == opTypeInt:
		of.kind = unsigned
	case code == opTypeFloat && len(operands) == 2:
		of.kind = float
	case code == opTypeFloat && operands[2] == 0:
		of.kind = bfloat
	default:
		return
	}
	switch of.bits = int(operands[1]); of.bits {
	case 8, 16, 32, 64:
		a.known[operands[0]].literal = of
	}
}

// literal appends the words of a number.
func (a *assembler) literal(of literal, token string) error {
	var bits uint64
	var err error
	switch of.kind {
	case unsigned, signed:
		bits, err = integerBits(of, token)
	case float, bfloat:
		bits, err = floatBits(of, token)
	default:
		return fmt.Errorf("the type of %s has no literals", token)
	}
	if err != nil {
		return fmt.Errorf("%q is not a number of its type, which has %d bits", token, of.bits)
	}
	a.words = append(a.words, uint32(bits))
	if of.bits == 64 {
		a.words = append(a.words, uint32(bits>>32))
	}
	return nil
}

// integerBits are the bits of an integer, decimal or hexadecimal. Those of less than 32 bits fill a word as their sign does.
func integerBits(of literal, token string) (uint64, error) {
	digits, negative := strings.CutPrefix(token, "-")
	digits, hex := strings.CutPrefix(digits, "0x")
	base := 10
	if hex {
		base = 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	most := uint64(math.MaxUint64) >> (64 - of.bits)
	switch {
	case err != nil:
		return 0, err
	case negative && (of.kind == unsigned || n > most/2+1), n > most:
		return 0, strconv.ErrRange
	case negative:
		return -n, nil
	case of.kind == signed && n > most/2:
		if !hex {
			return 0, strconv.ErrRange
		}
		return n | ^most, nil
	}
	return n, nil
}

// format is how many bits of a float are its exponent and its fraction.
type format struct{ exponent, fraction int }

var formats = map[literal]format{
	{float, 16}: {5, 10}, {bfloat, 16}: {8, 7}, {float, 32}: {8, 23}, {float, 64}: {11, 52},
}

// floatBits are the bits of a float. Hexadecimal digits with an exponent one beyond that of all numbers give an infinity or a NaN.
func floatBits(of literal, token string) (uint64, error) {
	f, ok := formats[of]
	digits := strings.TrimPrefix(token, "-")
	if !ok || digits == "" || digits[0] < '0' || digits[0] > '9' || strings.Contains(digits, "_") {
		return 0, strconv.ErrSyntax
	}
	above := of == literal{float, 64} && strings.HasPrefix(digits, "0x") && strings.HasSuffix(token, "p+1024") // which no float64 holds
	if above {
		token = strings.TrimSuffix(token, "1024") + "1023"
	}
	x, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return 0, err
	}
	if above {
		return beyond(f, x), nil
	}
	if _, e := math.Frexp(x); strings.HasPrefix(digits, "0x") && e == 1<<(f.exponent-1)+1 {
		return beyond(f, x), nil
	}
	switch of {
	case literal{float, 64}:
		return math.Float64bits(x), nil
	case literal{float, 32}:
		y, err := strconv.ParseFloat(token, 32)
		return uint64(math.Float32bits(float32(y))), err
	}
	y := float32(x) // exact, or no number of 16 bits
	bits := uint64(math.Float32bits(y) >> 16)
	if of.kind == float {
		half := dtype.ToFloat16(y)
		bits, y = uint64(half.Bits()), half.Float32()
	} else {
		y = math.Float32frombits(uint32(bits) << 16)
	}
	if float64(y) != x {
		return 0, strconv.ErrRange
	}
	return bits, nil
}

// beyond are the bits of a number as if its exponent, that of infinities and NaN, were one of numbers.
func beyond(f format, x float64) uint64 {
	bits := math.Float64bits(x)
	ones := uint64(1)<<f.exponent - 1
	fraction := bits & (1<<52 - 1) >> (52 - f.fraction)
	return bits>>63<<(f.exponent+f.fraction) | ones<<f.fraction | fraction
}
