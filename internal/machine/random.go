package machine

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/weftgpu/weft/dtype"
)

// RandomBytes are n random elements for a buffer: floats of a normal distribution, integers of all sizes.
func RandomBytes(rng *rand.Rand, e dtype.Type, n int) []byte {
	if e.IsInt() && e.Size() == 8 { // every bit counts
		var b []byte
		for range n {
			b = binary.LittleEndian.AppendUint64(b, rng.Uint64()>>rng.UintN(64))
		}
		return b
	}
	x := make([]float64, n)
	for i := range x {
		if e.IsFloat() {
			x[i] = rng.NormFloat64()
		} else {
			x[i] = float64(rng.IntN(200) - 100)
		}
	}
	b := make([]byte, n*e.Size())
	dtype.PutFloats(e, b, x)
	return b
}
