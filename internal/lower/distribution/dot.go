package distribution

import (
	"math/bits"

	"github.com/weftgpu/weft/layout"
)

// Accumulator distributes the accumulator of a Dot. Each matrix of a batch has a group of
// threads of its own if there are enough threads, and is distributed over it as by RegisterTile.
func Accumulator(shape []int, threads int) layout.Linear {
	if len(shape) == 2 {
		return RegisterTile(shape[0], shape[1], threads)
	}
	groups := min(shape[0], threads)
	inner := RegisterTile(shape[1], shape[2], threads/groups)
	ins := []layout.Input{{Name: layout.Register}, {Name: layout.Thread}}
	for i, in := range ins {
		for bit := range inner.Bits(in.Name) {
			ins[i].Bases = append(ins[i].Bases, append([]int{0}, inner.Basis(in.Name, bit)...))
		}
	}
	for batch := 1; batch < shape[0]; batch *= 2 {
		i := 0
		if batch < groups {
			i = 1
		}
		ins[i].Bases = append(ins[i].Bases, []int{batch, 0, 0})
	}
	l, err := layout.NewLinear(shape, ins)
	if err != nil {
		panic(err) // the bases are in the tile by construction
	}
	return l
}

// RegisterTile distributes the [m,n] accumulator of a Dot: each thread owns a
// nearly square block of elements, in chunks of 4 along both dimensions that
// are spread over the tile, so that the threads of a subgroup read adjacent
// vectors of the operands. Of neighbouring threads, and of those two apart, one pair reads the same rows and the other the same
// columns: then an NVIDIA GPU reads vectors of 16 bytes for half a warp at once (2 wavefronts a load and not 4 were
// counted on an H200; CUTLASS interleaves the lanes of its SIMT products for that, too).
func RegisterTile(m, n, threads int) layout.Linear {
	mBits, nBits := bits.Len(uint(m))-1, bits.Len(uint(n))-1
	tBits := bits.Len(uint(threads)) - 1
	free := max(0, tBits-mBits-nBits)
	regBits := mBits + nBits + free - tBits
	nReg := min(nBits, (regBits+1)/2)
	mReg := min(mBits, regBits-nReg)
	nReg = regBits - mReg
	mNext, nNext := 0, 0
	takeM := func() []int { mNext++; return []int{1 << (mNext - 1), 0} }
	takeN := func() []int { nNext++; return []int{0, 1 << (nNext - 1)} }
	var reg, thr [][]int
	for range min(2, nReg) {
		reg = append(reg, takeN())
	}
	for range min(2, mReg) {
		reg = append(reg, takeM())
	}
	nThr, mThr := nBits-nReg, mBits-mReg
	for i := 0; nThr+mThr > 0; i++ { // a subgroup of 32 covers 8 columns and 4 rows of chunks, columns first
		if nThr > 0 && (i%2 == 0 || i >= 5 || mThr == 0) {
			thr = append(thr, takeN())
			nThr--
		} else {
			thr = append(thr, takeM())
			mThr--
		}
	}
	for range free {
		thr = append(thr, []int{0, 0})
	}
	for nNext < nBits {
		reg = append(reg, takeN())
	}
	for mNext < mBits {
		reg = append(reg, takeM())
	}
	l, err := layout.NewLinear([]int{m, n}, []layout.Input{{Name: layout.Register, Bases: reg}, {Name: layout.Thread, Bases: thr}})
	if err != nil {
		panic(err) // the bases are units of the tile by construction
	}
	return l
}

// Operand distributes an operand of a Dot that goes from global to shared
// memory. It is [m,k] or [k,n] with the given dimension k; shared memory holds
// it with the other dimension contiguous. Each thread gets a block with
// vectors along memory's contiguous dimension to load and along the other dimension
// to store.
func Operand(shape []int, threads, kDim, contiguous int) layout.Linear {
	free := 1 - kDim
	perThread := max(1, shape[0]*shape[1]/threads)
	vec := []int{1, 1}
	vec[free] = min(RegisterLanes, perThread, shape[free])
	if contiguous == kDim {
		vec[kDim] = min(RegisterLanes, max(1, perThread/vec[free]), shape[kDim])
		return layout.Blocked(shape, threads, []int{kDim, free}, vec)
	}
	return layout.Blocked(shape, threads, []int{free, kDim}, vec)
}
