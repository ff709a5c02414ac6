package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Elements are sorted by keys: unsigned integers in the elements' order, taken apart into digits of 4 bits, the lowest first. Sorting by one digit after the other
// while equal ones stay in order sorts by the key.

const (
	digitBits = 4
	digits    = 1 << digitBits
	sortRun   = 8 // elements whose digits are counted together in fields of 4 bits
)

// sortBits is the size of the keys of a type.
func sortBits(elem weft.DType) int {
	if elem == dtype.Bool {
		return digitBits
	}
	return 8 * elem.Size()
}

// rawBits are elements as integers with their bits, which keep what NaN and -0 are; Bool is U8.
func rawBits(v *tile.Value) *tile.Value {
	if elem := v.Type().Elem; elem == dtype.Bool {
		return v.Cast(dtype.U8)
	} else if elem.IsFloat() {
		return v.Bitcast(signedOf(elem))
	}
	return v
}

// fromRaw undoes rawBits.
func fromRaw(raw *tile.Value, elem weft.DType) *tile.Value {
	if elem == dtype.Bool {
		return raw.Ne(0)
	}
	return raw.Bitcast(elem)
}

// signedOf is the type of signed integers of the size of a type.
func signedOf(elem weft.DType) weft.DType {
	return map[int]weft.DType{1: dtype.I8, 2: dtype.I16, 4: dtype.I32, 8: dtype.I64}[elem.Size()]
}

// rawLast is the raw element that goes after all others, for tiles that reach beyond rows: NaN, or the largest or least integer.
func rawLast(elem weft.DType, descending bool) any {
	bits := 8 * elem.Size()
	switch {
	case elem == dtype.Bool && !descending:
		return 1
	case elem.IsFloat() || elem.IsInt() && elem.IsSigned() && !descending:
		return int64(1)<<(bits-1) - 1
	case elem.IsInt() && elem.IsSigned():
		return int64(-1) << (bits - 1)
	case descending:
		return 0
	}
	return ^uint64(0) >> (64 - bits)
}

// infinities are the bits of infinity.
var infinities = map[weft.DType]int64{dtype.F16: 0x7c00, dtype.BF16: 0x7f80, dtype.F32: 0x7f800000, dtype.F64: 0x7ff0 << 48}

// sortKey is an unsigned integer for each raw element, of which the low sortBits count: U64 for types of 64 bits, else U32. 0 and -0 have
// one key. NaN has the largest one in either order.
func sortKey(raw *tile.Value, elem weft.DType, descending bool) *tile.Value {
	bits, signed, word := 8*elem.Size(), dtype.I32, dtype.U32
	if bits == 64 {
		signed, word = dtype.I64, dtype.U64
	}
	key := raw
	if bits < 32 {
		key = raw.Cast(signed)
	}
	if elem.IsFloat() {
		nan := int64(1)<<(bits-1) - 1
		if descending {
			nan = -nan - 1
		}
		size, negative := key.And(int64(1)<<(bits-1)-1), key.Shr(bits-1)
		key = raw.Builder().Where(size.Gt(infinities[elem]), nan, size.Xor(negative).Sub(negative))
	}
	if key.Type().Elem != word {
		key = key.Bitcast(word)
	}
	if elem.IsFloat() || elem.IsInt() && elem.IsSigned() {
		key = key.Xor(uint64(1) << (bits - 1))
	}
	if descending {
		key = key.Not()
	}
	return key
}

// digitOf are the bits of a key from one on, as many as mask has; shift is a scalar of I32.
func digitOf(key, shift *tile.Value, mask int) *tile.Value {
	return key.Shr(shift.Cast(key.Type().Elem)).And(mask).Cast(dtype.U32)
}

// wholeKey is sortKey without the bits that do not count.
func wholeKey(raw *tile.Value, elem weft.DType, descending bool) *tile.Value {
	key := sortKey(raw, elem, descending)
	if bits := sortBits(elem); bits < 32 {
		key = key.And(1<<bits - 1)
	}
	return key
}

// rankPlaces are the places to which the elements of rows go: for each element how many of its row precede it. keys has all elements of rows one
// after the other. That is as many comparisons for each element as a row has elements.
func rankPlaces(k *tile.Builder, keys *tile.Value, rows, cols int) *tile.Value {
	here, other := keys.Reshape(rows, cols, 1), keys.Reshape(rows, 1, cols)
	earlier := k.Iota(2, 1, 1, cols).Lt(k.Iota(1, 1, cols, 1))
	before := other.Lt(here).Or(other.Eq(here).And(earlier))
	place := before.Cast(dtype.I32).Sum(2).Reshape(rows, cols)
	if rows > 1 {
		place = place.Add(k.Iota(0, rows, 1).Mul(cols))
	}
	return place.Reshape(rows * cols)
}

// rankedPlaces are the places to which the elements of a tile go if it is sorted by digits of 8 bits while equal ones stay in order. Elements of one digit are counted
// in each run, and these counts, in the order of digits first and runs second, added up: what precedes a run's elements of a digit.
func rankedPlaces(k *tile.Builder, digit *tile.Value, run int) *tile.Value {
	n := digit.Type().Len()
	runs := n / run
	at := digit.Add(k.Arange(n).Div(run).Mul(SortRadix))
	counts := at.Histogram(SortRadix*runs, 1).Reshape(runs, SortRadix)
	lower := counts.Sum(0).Reshape(SortRadix).CumSum(0, tile.Exclusive).Reshape(1, SortRadix)
	first := counts.CumSum(0, tile.Exclusive).Add(lower)
	return first.Reshape(SortRadix * runs).Take(at).Add(digit.Rank(run, SortBits))
}

// digitPlaces are the places to which the elements of rows go if each row is sorted by digits of U32 below 16 while equal ones stay in order. digit has
// all elements of rows one after the other.
//
// A run of 8 elements counts each digit in 4 bits of two words. The runs' counts, in 16 bits of eight words, are in the order of digits first and runs second, with
// digit d and digit 8+d in the halves of word d, so that one scan of words gives what precedes each run's elements of a digit; what the low halves add up to precedes
// all of the high ones.
func digitPlaces(k *tile.Builder, digit *tile.Value, rows, cols int) *tile.Value {
	runs := cols / sortRun
	d := digit.Reshape(rows, runs, sortRun)
	high := d.Ge(digits / 2)
	field := d.And(digits/2 - 1).Shl(2)
	one := k.Full(dtype.U32, 1, rows, runs, sortRun).Shl(field)
	low := k.Where(high, 0, one)
	counts := []*tile.Value{low, one.Sub(low)}
	before := tile.ScanExclusive(counts, []tile.Operand{0, 0}, 2, addPairs)
	within := k.Where(high, before[1], before[0]).Shr(field).And(digits - 1)

	sums := tile.Reduce(counts, 2, addPairs)
	words := make([]*tile.Value, digits/2)
	for i := range words {
		count := func(j int) *tile.Value { return sums[j].Reshape(rows, runs).Shr(4 * i).And(digits - 1) }
		words[i] = count(0).Or(count(1).Shl(16))
	}
	all := stack(words).Reshape(rows, runs, digits/2).Permute(0, 2, 1).Reshape(rows, runs*digits/2)
	first := all.CumSum(1, tile.Exclusive).Add(all.Sum(1).Shl(16))
	words = unstack(first.Reshape(rows, digits/2, runs).Permute(0, 2, 1).Reshape(rows, runs, 2, 2, 2), 3)

	start := choose(k, d.Reshape(rows, runs, sortRun), words)
	place := k.Where(high, start.Shr(16), start.And(0xffff)).Add(within).Cast(dtype.I32)
	if rows > 1 {
		place = place.Add(k.Iota(0, rows, 1, 1).Mul(cols))
	}
	return place.Reshape(rows * cols)
}

func addPairs(x, y []*tile.Value) []*tile.Value {
	return []*tile.Value{x[0].Add(y[0]), x[1].Add(y[1])}
}

// stack joins tiles, a power of two of them, along new last dimensions of size 2, whose row-major order is theirs.
func stack(list []*tile.Value) *tile.Value {
	if len(list) == 1 {
		return list[0]
	}
	var even, odd []*tile.Value
	for i := 0; i < len(list); i += 2 {
		even, odd = append(even, list[i]), append(odd, list[i+1])
	}
	return stack(even).Join(stack(odd))
}

// unstack undoes it.
func unstack(v *tile.Value, bits int) []*tile.Value {
	if bits == 0 {
		return []*tile.Value{v}
	}
	first, second := v.Split()
	even, odd := unstack(first, bits-1), unstack(second, bits-1)
	var list []*tile.Value
	for i := range even {
		list = append(list, even[i], odd[i])
	}
	return list
}

// choose is the word of each run of elements that the low bits of a number say.
func choose(k *tile.Builder, number *tile.Value, words []*tile.Value) *tile.Value {
	shape := number.Type().Shape
	list := make([]*tile.Value, len(words))
	for i, w := range words {
		list[i] = w.Reshape(shape[0], shape[1], 1).Broadcast(shape...)
	}
	for bit := 1; len(list) > 1; bit *= 2 {
		set := number.And(bit).Ne(0)
		for i := range len(list) / 2 {
			list[i] = k.Where(set, list[2*i+1], list[2*i])
		}
		list = list[:len(list)/2]
	}
	return list[0]
}
