package interp

import (
	"encoding/binary"
	"math"

	"github.com/weftgpu/weft/dtype"
)

// Conversions of 16-bit floats over whole rows, without a call per element
// where that matters. They agree with package dtype on every value.

// roundF16 rounds x to F16.
func roundF16(x float32) float32 {
	const signBit = 1 << 31
	b := math.Float32bits(x)
	sign, size := b&signBit, b&^signBit
	switch {
	case size > 0x7f800000: // NaN
		return x
	case size >= 0x477ff000: // from 65520 on, half way beyond the largest value
		size = 0x7f800000
	case size >= 0x38800000: // normal, from 2^-14 on: to nearest even at bit 13
		size = (size + 0xfff + size>>13&1) &^ 0x1fff
	default: // the sum has the subnormals' spacing of 2^-24
		size = math.Float32bits((math.Float32frombits(size) + 0.5) - 0.5)
	}
	return math.Float32frombits(sign | size)
}

// fromF16 is the value of F16 bits.
func fromF16(h uint16) float32 {
	sign, size := uint32(h>>15)<<31, uint32(h&0x7fff)<<13
	if size >= 0x7c00<<13 { // infinity or NaN
		return math.Float32frombits(sign | 0x7f800000 | size)
	}
	// The exponent's bias differs by 112; the product is exact, of subnormals too.
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(size)*0x1p112))
}

// narrowF16 and narrowBF16 round a register.
func narrowF16(d []float32) {
	for i, x := range d {
		d[i] = roundF16(x)
	}
}

func narrowBF16(d []float32) {
	for i, x := range d {
		d[i] = dtype.ToBFloat16(x).Float32()
	}
}

func readF16(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		d[r] = fromF16(binary.LittleEndian.Uint16(data[m:]))
		r, m = r+rs, m+ms
	}
}

func writeF16(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		binary.LittleEndian.PutUint16(data[m:], uint16(dtype.ToFloat16(d[r])))
		r, m = r+rs, m+ms
	}
}

func readBF16(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		d[r] = dtype.BFloat16(binary.LittleEndian.Uint16(data[m:])).Float32()
		r, m = r+rs, m+ms
	}
}

func writeBF16(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		binary.LittleEndian.PutUint16(data[m:], uint16(dtype.ToBFloat16(d[r])))
		r, m = r+rs, m+ms
	}
}
