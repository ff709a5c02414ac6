package interp

import (
	"encoding/binary"
	"math"
)

// Strided transfers of F32, the ones that matrix operands in transposed views
// take, without a call per element.

func readFloats(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		d[r] = math.Float32frombits(binary.LittleEndian.Uint32(data[m:]))
		r, m = r+rs, m+ms
	}
}

func writeFloats(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		binary.LittleEndian.PutUint32(data[m:], math.Float32bits(d[r]))
		r, m = r+rs, m+ms
	}
}
