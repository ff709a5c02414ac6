package kernels

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weftgpu/weft"

	"github.com/weftgpu/weft/target"
)

// Numeric reports whether the elements of a type are numbers: floats or integers, not Bool.
func Numeric(t weft.DType) bool { return t.IsFloat() || t.IsInt() }

// checkThreads refuses workgroups that a device does not have.
func checkThreads(caps target.Caps, threads int) error {
	switch {
	case caps.WholeTiles && threads != 0:
		return fmt.Errorf("%d threads, want 0 for the interpreter", threads)
	case caps.WholeTiles:
		return nil
	case threads < 0 || threads&(threads-1) != 0:
		return fmt.Errorf("%d threads, want a power of two", threads)
	case caps.MaxThreads > 0 && threads > caps.MaxThreads:
		return fmt.Errorf("%d threads, the device allows %d at most", threads, caps.MaxThreads)
	}
	return nil
}

// checkTile refuses sizes of tiles and workgroups that are not possible.
func checkTile(caps target.Caps, threads int, sides ...int) error {
	if err := checkThreads(caps, threads); err != nil {
		return err
	}
	return checkPowers(sides...)
}

// appendNew appends what a list lacks.
func appendNew[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// combinations are all choices of one number from each list, the last one varying first. What is yielded is valid until the next one.
func combinations(lists ...[]int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		choice := make([]int, len(lists))
		var choose func(i int) bool
		choose = func(i int) bool {
			if i == len(lists) {
				return yield(choice)
			}
			for _, x := range lists[i] {
				if choice[i] = x; !choose(i + 1) {
					return false
				}
			}
			return true
		}
		choose(0)
	}
}

// replace sets the numbers that others are given for, which are not 0.
func replace(pairs [][2]*int) {
	for _, p := range pairs {
		if *p[1] != 0 {
			*p[0] = *p[1]
		}
	}
}

// checkPowers refuses sizes of tiles that are no powers of two.
func checkPowers(sizes ...int) error {
	for _, n := range sizes {
		if n <= 0 || n&(n-1) != 0 {
			return fmt.Errorf("a side of %d, want a power of two", n)
		}
	}
	return nil
}

// checkArea refuses tiles of which a thread has too many elements.
func checkArea(caps target.Caps, area, threads int) error {
	most := 128
	if scarce(caps) {
		most = 32
	}
	if !caps.WholeTiles && threads > 0 && area > most*threads {
		return fmt.Errorf("%d elements in %d threads, want at most %d a thread", area, threads, most)
	}
	return nil
}
