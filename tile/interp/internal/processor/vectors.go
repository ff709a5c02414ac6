package processor

import (
	"os"
	"strings"
)

// Vectors is a set of vector instructions.
type Vectors uint8

// The sets, each with those before.
const (
	None   Vectors = iota
	AVX2           // with FMA and F16C: vectors of 256 bits
	AVX512         // F, DQ, BW and VL: vectors of 512 bits
)

// String is "Go", for what runs without any, "AVX2" or "AVX-512".
func (v Vectors) String() string { return [...]string{"Go", "AVX2", "AVX-512"}[v] }

// Has is what the processor has, and Best that of it which the environment allows: WEFT_CPU is go, avx2 or avx512.
var (
	Has  = detect()
	Best = func() Vectors {
		switch strings.ToLower(os.Getenv("WEFT_CPU")) {
		case "go":
			return None
		case "avx2":
			return min(AVX2, Has)
		}
		return Has
	}()
)
