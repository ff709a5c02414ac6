package pow2

import "math/bits"

// Floor is the largest power of two that is at most n, and 1 for n < 1.
func Floor(n int) int { return 1 << max(bits.Len(uint(max(n, 1)))-1, 0) }

// Ceil is the smallest power of two that is at least n, and 1 for n < 1.
func Ceil(n int) int {
	p := Floor(n)
	if p < n {
		p *= 2
	}
	return p
}

// Log2 is the logarithm of Floor(n).
func Log2(n int) int { return bits.Len(uint(max(n, 1))) - 1 }
