package ops

import "github.com/weftgpu/weft/internal/kernels"

// CodeBook is the 16 numbers that codes of 4 bits stand for, or the floats of FP8: see QuantScheme.Codes, and CodeBook.Values.
type CodeBook = kernels.CodeBook

// NewCodeBook makes a code book of 16 numbers by code, in any order. They may repeat; each is 0, or from 2^-14 to 65504 in
// magnitude, which every float type holds as a normal number, and one is not 0.
//
// Errors: ErrArgument for another number of values or values outside of this range.
func NewCodeBook(values []float32) (CodeBook, error) { return kernels.NewCodeBook(values) }

// Code books that are published.
var (
	NF4 = kernels.NF4 // the quantiles of the normal distribution of QLoRA
	FP4 = kernels.FP4 // the floats E2M1 of the Microscaling formats: 0, 0.5, 1, 1.5, 2, 3, 4 and 6 with a sign

	// FP8 is the floats E4M3 of OCP's "8-bit Floating Point Specification (OFP8)", version 1.0, of codes of 8 bits: up to 448 with a sign. The codes 127 and 255, NaN
	// there, stand for 480 and -480, the next numbers; Quantize makes none of them. Checkpoints whose weights are float8_e4m3fn have these codes as their bytes.
	FP8 = kernels.FP8
)

// MXFP4 and MXFP8 are the formats of these names of OCP's Microscaling formats: FP4, or FP8, with a power of two for every 32 elements of a row.
// Weights of a layer, quantised as [N,K], have these groups along K.
var (
	MXFP4 = kernels.MXFP4
	MXFP8 = kernels.MXFP8
)
