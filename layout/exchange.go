package layout

import "math/bits"

// Exchange is the way of a tile through a shared array: from the coordinates of
// its elements (inputs DimName(0), DimName(1), ..) to their offsets, and what it
// costs to write the array in one distribution and to read it in another.
type Exchange struct {
	Array       Linear
	Write, Read Access
}

// NewExchange returns the exchange with the fewest wavefronts, of equal ones with
// the fewest requests, then with the fewest XORs on the way to an address. It
// compares the dense arrays of the tile, whichever dimension they end with, each
// with its best swizzle (ConflictFree), and the array without any conflict
// (ConflictFreeArray), which may have to be accessed in smaller pieces.
//
// Law: it costs no more wavefronts than any of these.
//
// Errors: those of ConflictFreeArray.
func NewExchange(write, read Linear, elem int) (Exchange, error) {
	general, err := ConflictFreeArray(write, read, elem)
	if err != nil {
		return Exchange{}, err
	}
	candidates := []Linear{}
	for last, n := range write.shape {
		if n == 1 && last < len(write.shape)-1 {
			continue
		}
		swizzled, err := ConflictFree(endingWith(write.shape, last), write, read, elem)
		if err != nil {
			return Exchange{}, err
		}
		array, err := swizzled.Linear()
		if err != nil {
			return Exchange{}, err
		}
		candidates = append([]Linear{array}, candidates...) // row-major first
	}
	var best Exchange
	for i, array := range append(candidates, general) {
		e := Exchange{Array: array}
		if e.Write, err = array.Access(write, elem); err != nil {
			return Exchange{}, err
		}
		if e.Read, err = array.Access(read, elem); err != nil {
			return Exchange{}, err
		}
		if i == 0 || e.cheaper(best, write, read) {
			best = e
		}
	}
	return best, nil
}

// endingWith is the dense layout of a shape whose dimension last has stride 1, the
// others in row-major order.
func endingWith(shape []int, last int) Layout {
	l := Layout{shape: wide(shape), stride: make([]int64, len(shape))}
	stride := l.shape[last]
	l.stride[last] = 1
	for d := len(shape) - 1; d >= 0; d-- {
		if d != last {
			l.stride[d] = stride
			stride *= l.shape[d]
		}
	}
	return l
}

func (e Exchange) cheaper(f Exchange, write, read Linear) bool {
	for _, c := range [][2]int{
		{e.Write.Wavefronts + e.Read.Wavefronts, f.Write.Wavefronts + f.Read.Wavefronts},
		{e.Write.Requests + e.Read.Requests, f.Write.Requests + f.Read.Requests},
		{e.xors(write) + e.xors(read), f.xors(write) + f.xors(read)},
	} {
		if c[0] != c[1] {
			return c[0] < c[1]
		}
	}
	return false
}

// xors counts the bits of offsets that more than one bit of a distribution decides.
func (e Exchange) xors(dist Linear) (n int) {
	offsets, err := e.Array.offsets(dist, 1)
	if err != nil {
		return 0 // its access was counted
	}
	seen := 0
	for _, v := range append(offsets.register, offsets.thread...) {
		n += bits.OnesCount(uint(v & seen))
		seen |= v
	}
	return n
}

// Free reports whether neither way has a conflict.
func (e Exchange) Free() bool {
	return e.Write.Wavefronts == e.Write.Least && e.Read.Wavefronts == e.Read.Least
}
