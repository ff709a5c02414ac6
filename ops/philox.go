package ops

import (
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tile"
)

// Philox returns the 128 random bits of each counter under a key, for tiles, or scalars, of U32
// of one shape. It is Philox4x32-10 of Salmon, Moraes, Dror and Shaw, Parallel Random
// Numbers: As Easy as 1, 2, 3, SC'11: a bijection of counters that passes BigCrush, without state
// and the same on every device. Your own kernels can use it as those of Uniform, Normal and Dropout do.
func Philox(counter [4]*tile.Value, key [2]*tile.Value) [4]*tile.Value {
	return kernels.Philox(counter, key)
}

// Stream is a place in a sequence of random numbers. The numbers depend on it alone: not on the device,
// nor on how many are drawn at once.
type Stream struct {
	Seed   uint64 // which sequence: the key of Philox
	Offset uint64 // numbers that were drawn before, a multiple of 4: every counter of Philox gives 4
}

// Skip is the stream after n more numbers, at the next multiple of 4.
func (s Stream) Skip(n int) Stream {
	s.Offset += uint64(n+3) / 4 * 4
	return s
}

// words are the stream's key and first counter as a kernel takes them.
func (s Stream) words() [4]uint32 {
	first := s.Offset / 4
	return [4]uint32{uint32(s.Seed), uint32(s.Seed >> 32), uint32(first), uint32(first >> 32)}
}

func (s Stream) scalars() []any {
	w := s.words()
	return []any{w[0], w[1], w[2], w[3]}
}
