package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Scalar parameters of kernels have 32 bits. A number that kernels compute with in F64 is two of them.

// realParameter declares a number of the type in which elements are computed with, F32 or F64; see RealScalars.
func realParameter(k *tile.Builder, name string, elem weft.DType) *tile.Value {
	if elem.Accumulator() != dtype.F64 {
		return k.Scalar(name, dtype.F32)
	}
	low, high := k.Scalar(name, dtype.U32), k.Scalar(name+"_high", dtype.U32)
	return low.Cast(dtype.U64).Or(high.Cast(dtype.U64).Shl(32)).Bitcast(dtype.F64)
}

// RealScalars are the scalars of a number that a kernel computes with in the accumulators of an element type.
func RealScalars(elem weft.DType, x float64) weft.Scalars {
	if elem.Accumulator() != dtype.F64 {
		return weft.Scalars{x}
	}
	bits := math.Float64bits(x)
	return weft.Scalars{uint32(bits), uint32(bits >> 32)}
}
