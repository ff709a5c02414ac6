package interp

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// value lists what registers hold.
type value interface {
	float32 | float64 | int32 | uint32 | int64 | uint64 | bool
}

// class says in which bank of registers a value lives.
type class uint8

const (
	floats    class = iota
	ints            // I8, U8, I16, U16, I32
	words           // U32
	doubles         // F64
	longs           // I64
	longWords       // U64
	bools
	numClasses
)

func classOf(e dtype.Type) class {
	switch e {
	case dtype.F32, dtype.F16, dtype.BF16:
		return floats
	case dtype.U32:
		return words
	case dtype.F64:
		return doubles
	case dtype.I64:
		return longs
	case dtype.U64:
		return longWords
	case dtype.Bool:
		return bools
	}
	return ints
}

// step is one compiled op.
type step func(w *worker)

// operations are the steps that exist for every class of registers alike, nil for a kind that a
// class lacks. Registers are named by their index within the bank.
type operations interface {
	alloc(w *worker, lengths []int)
	constant(elem dtype.Type, dst int, x float64) step
	copy(dst, src int) step
	copyPeer(dst, src int) step
	swap(a, b int) step
	splat(dst, src int) step
	broadcast(dst, src int, from, to []int) step
	choose(dst, cond, x, y int) step
	pick(dst, src int, shape, strides []int, at int) step
	place(dst, src int, stride, at int) step
	element(dst, src int, at func(w *worker) int) step
	reorder(dst, src, places int) step
	take(dst, src, places int) step
	unary(kind tile.Kind, dst, x int) step
	binary(kind tile.Kind, dst, x, y int) step
	compare(kind tile.Kind, dst, x, y int) step
	reduce(kind tile.Kind, a axis, dst, src int) step
	row(dst, src int, a axis) rowStep
	setRow(dst, src int, a axis) rowStep
	load(op *tile.Op, dst int, coords []int) step
	store(op *tile.Op, src int, coords []int) step
	readPoints(op *tile.Op, dst int, at points) step
	writePoints(op *tile.Op, src int, at points) step
}

// bank implements operations for registers of []T.
type bank[T value] struct {
	registers func(w *worker) *[][]T
	to        func(e dtype.Type, x float64) T // a number as an element

	// The functions of kinds, nil for those that the class lacks.
	unaries    func(tile.Kind) unaryFunc[T]
	binaries   func(tile.Kind) binaryFunc[T]
	compares   func(tile.Kind) compareFunc[T]
	reductions func(tile.Kind) reduction[T]
}

// integers is a bank of integers.
func integers[T integer](registers func(w *worker) *[][]T) bank[T] {
	to := func(e dtype.Type, x float64) T { return T(dtype.Integer(e, x)) }
	return bank[T]{registers, to, intUnary[T], intBinary[T], comparison[T], reductionOf[T]}
}

var (
	floatBank = bank[float32]{
		func(w *worker) *[][]float32 { return &w.f }, func(e dtype.Type, x float64) float32 { return dtype.Round(e, x) },
		realUnary[float32], realBinary[float32], comparison[float32], reductionOf[float32],
	}
	doubleBank = bank[float64]{
		func(w *worker) *[][]float64 { return &w.d }, func(_ dtype.Type, x float64) float64 { return x },
		realUnary[float64], realBinary[float64], comparison[float64], reductionOf[float64],
	}
	intBank      = integers(func(w *worker) *[][]int32 { return &w.i })
	wordBank     = integers(func(w *worker) *[][]uint32 { return &w.u })
	longBank     = integers(func(w *worker) *[][]int64 { return &w.l })
	longWordBank = integers(func(w *worker) *[][]uint64 { return &w.ul })
	boolBank     = bank[bool]{
		func(w *worker) *[][]bool { return &w.b }, func(_ dtype.Type, x float64) bool { return x != 0 },
		table(&boolUnary), table(&boolBinary), table(&boolCompare), func(k tile.Kind) reduction[bool] { return truthReduction[k] },
	}
	banks = [numClasses]operations{floatBank, intBank, wordBank, doubleBank, longBank, longWordBank, boolBank}
)

// table looks a kind up.
func table[F any](list *[tile.NumKinds]F) func(tile.Kind) F {
	return func(k tile.Kind) F { return list[k] }
}

func (k bank[T]) of(w *worker) [][]T { return *k.registers(w) }

func (k bank[T]) alloc(w *worker, lengths []int) {
	regs := make([][]T, len(lengths))
	for i, n := range lengths {
		regs[i] = make([]T, n)
	}
	*k.registers(w) = regs
}

func (k bank[T]) constant(elem dtype.Type, dst int, x float64) step {
	v := k.to(elem, x)
	return func(w *worker) { fill(k.of(w)[dst], v) }
}

func (k bank[T]) copy(dst, src int) step {
	return func(w *worker) {
		r := k.of(w)
		copy(r[dst], r[src])
	}
}

// copyPeer copies from the register of the other program of a cluster.
func (k bank[T]) copyPeer(dst, src int) step {
	return func(w *worker) { copy(k.of(w)[dst], k.of(w.peer)[src]) }
}

func (k bank[T]) swap(a, b int) step {
	return func(w *worker) {
		r := k.of(w)
		r[a], r[b] = r[b], r[a]
	}
}

func (k bank[T]) splat(dst, src int) step {
	return func(w *worker) {
		r := k.of(w)
		fill(r[dst], r[src][0])
	}
}

func (k bank[T]) choose(dst, cond, x, y int) step {
	return func(w *worker) {
		r := k.of(w)
		d, c, xs, ys := r[dst], w.b[cond], r[x], r[y]
		c, xs, ys = c[:len(d)], xs[:len(d)], ys[:len(d)]
		for i := range d {
			if c[i] {
				d[i] = xs[i]
			} else {
				d[i] = ys[i]
			}
		}
	}
}

// broadcast writes row by row: a row of the result repeats either one element
// or one row of the operand.
func (k bank[T]) broadcast(dst, src int, from, to []int) step {
	rank := len(to)
	strides := make([]int, rank) // of the operand, 0 where it is repeated
	n := 1
	for d := rank - 1; d >= 0; d-- {
		if from[d] != 1 {
			strides[d] = n
		}
		n *= from[d]
	}
	row, repeat := to[rank-1], from[rank-1] == 1
	starts := make([]int, 0, tile.Type{Shape: to}.Len()/row)
	starts = rowStarts(starts, to[:rank-1], strides, 0)
	return func(w *worker) {
		r := k.of(w)
		d, s := r[dst], r[src]
		for i, at := range starts {
			out := d[i*row : (i+1)*row]
			if repeat {
				fill(out, s[at])
			} else {
				copy(out, s[at:at+row])
			}
		}
	}
}

// rowStarts lists where the operand's rows begin, in row-major order of the result's rows.
func rowStarts(list []int, shape, strides []int, at int) []int {
	if len(shape) == 0 {
		return append(list, at)
	}
	for range shape[0] {
		list = rowStarts(list, shape[1:], strides[1:], at)
		at += strides[0]
	}
	return list
}

// fill sets every element by doubling copies.
func fill[T value](d []T, x T) {
	const run = 32
	for i := range d[:min(len(d), run)] {
		d[i] = x
	}
	for n := run; n < len(d); n *= 2 {
		copy(d[n:], d[:n])
	}
}
