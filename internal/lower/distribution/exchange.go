package distribution

import (
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/layout"
)

// Elements of 8 and 16 bits are loaded in words, and threads of a subgroup can exchange them as parts of words: a conversion that makes of bits of the threads' numbers
// bits of the registers' and the other way round takes a shuffle of each word for each bit, where one of single elements takes a shuffle of each.

// Swap is an exchange between the threads whose numbers differ in a bit, of the registers whose numbers have another bit: half of all.
type Swap struct{ Thread, Register int }

// Lengthened is a distribution in which threads of a subgroup have longer runs along a dimension, of up to so many of the elements that they have together; neighbouring
// threads have neighbouring runs. Registers are numbered along the runs. It is the same where that is so already.
func Lengthened(l layout.Linear, dim, lanes, run int) layout.Linear {
	register, thread := basesOf(l, layout.Register), basesOf(l, layout.Thread)
	var steps [][]int // of those along the dimension
	along := func(b []int) bool {
		return b[dim] != 0 && !slices.ContainsFunc(slices.Delete(slices.Clone(b), dim, dim+1), func(x int) bool { return x != 0 })
	}
	for _, b := range register {
		if along(b) {
			steps = append(steps, b)
		}
	}
	across := slices.DeleteFunc(slices.Clone(register), along)
	var moved []int
	for bit, b := range thread {
		if 1<<bit < lanes && along(b) {
			steps, moved = append(steps, b), append(moved, bit)
		}
	}
	slices.SortFunc(steps, func(a, b []int) int { return a[dim] - b[dim] })
	first := min(bits.TrailingZeros(uint(run)), len(steps)-len(moved)) // of the steps between threads
	for i, bit := range moved {
		thread[bit] = steps[first+i]
	}
	return MustLinear(l.Shape(), slices.Concat(steps[:first], steps[first+len(moved):], across), thread)
}

func basesOf(l layout.Linear, in string) (list [][]int) {
	for bit := range l.Bits(in) {
		list = append(list, l.Basis(in, bit))
	}
	return list
}

// Exchange are the swaps that bring one distribution to another one, but for the numbers of registers, whose order follows: register i of the
// result is register order[i] after the swaps. It is not ok where swaps within subgroups are not enough, or registers are no whole words of perWord elements.
func Exchange(from, to layout.Linear, lanes, perWord int) (swaps []Swap, order []int, ok bool) {
	if !slices.Equal(from.Shape(), to.Shape()) || from.Bits(layout.Register) != to.Bits(layout.Register) || from.Bits(layout.Thread) != to.Bits(layout.Thread) || from.Size(layout.Register) < perWord {
		return nil, nil, false
	}
	register, thread := basesOf(from, layout.Register), basesOf(from, layout.Thread)
	find := func(list [][]int, b []int) int {
		return slices.IndexFunc(list, func(x []int) bool { return slices.Equal(x, b) })
	}
	for bit, want := range basesOf(to, layout.Thread) {
		if slices.Equal(thread[bit], want) {
			continue
		}
		at := find(register, want)
		if at < 0 || 1<<bit >= lanes {
			return nil, nil, false
		}
		swaps = append(swaps, Swap{bit, at})
		thread[bit], register[at] = register[at], thread[bit]
	}
	var places []int // of bits of numbers after the swaps, by those of the result
	for _, want := range basesOf(to, layout.Register) {
		at := find(register, want)
		if at < 0 || slices.Contains(places, at) {
			return nil, nil, false
		}
		places = append(places, at)
	}
	order = make([]int, 1<<len(places))
	for i := range order {
		for bit, at := range places {
			order[i] |= i >> bit & 1 << at
		}
	}
	return swaps, order, len(swaps) > 0
}

// InWord reports whether a swap is of parts of words that hold so many elements.
func (s Swap) InWord(perWord int) bool { return 1<<s.Register < perWord }
