package processor

import (
	"slices"

	"github.com/weftgpu/weft/internal/setting"
)

// Vectors is a set of vector instructions.
type Vectors uint8

// The sets. Of amd64, each has those before.
const (
	None   Vectors = iota
	AVX2           // with FMA and F16C: vectors of 256 bits
	AVX512         // F, DQ, BW and VL: vectors of 512 bits
	NEON           // of arm64: vectors of 128 bits
)

// String is "Go", for what runs without any, "AVX2", "AVX-512" or "NEON".
func (v Vectors) String() string { return [...]string{"Go", "AVX2", "AVX-512", "NEON"}[v] }

// names are those that the environment has for the sets.
var (
	names = map[string]Vectors{"go": None, "avx2": AVX2, "avx512": AVX512, "neon": NEON}
	env   = setting.New("WEFT_CPU", "go", "avx2", "avx512", "neon")
)

// Sets are those of the processor, None and then wider and wider ones. Has is the last of them, and Best the one that the environment chooses by
// WEFT_CPU, or else the last.
var (
	Sets = append([]Vectors{None}, detect()...)
	Has  = Sets[len(Sets)-1]
	Best = func() Vectors {
		if v, ok := names[env.Value()]; ok && slices.Contains(Sets, v) {
			return v
		}
		return Has
	}()
)

// Of AVX-512, Pairs tells that one instruction adds products of pairs of integers of 16 bits, and BFloats that one does of pairs of BF16. Tiles tells that there is AMX for
// the latter, unless the environment asks for AVX-512; processors that have it multiply pairs in vectors slower than F32.
var (
	Pairs   = Best == AVX512 && fusesPairs()
	Tiles   = Best == AVX512 && env.Value() == "" && multipliesTiles() && permitTiles()
	BFloats = Best == AVX512 && pairsBFloats() && !multipliesTiles()
)
