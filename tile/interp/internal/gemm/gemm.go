package gemm

import "fmt"

// micro is a micro-kernel: c[rows,cols] += a @ b for a with row stride lda, b
// packed as k rows of cols elements, and c with row stride ldc. k is a positive
// multiple of kStep.
type micro struct {
	name       string
	rows, cols int
	run        func(k int, a *float32, lda int, b, c *float32, ldc int)
}

const kStep = 4

// depth is how much of k is packed at a time, so that a panel of b stays in the L1 cache.
const depth = 256

// Add computes c += a @ b for dense row-major a [m,k], b [k,n] and c [m,n].
// scratch is memory that the caller hands from the result of one call to the next.
func Add(m, n, k int, a, b, c, scratch []float32) []float32 {
	for _, u := range micros {
		if m%u.rows == 0 && n%u.cols == 0 && k%kStep == 0 && min(m, n, k) > 0 {
			return u.add(m, n, k, a, b, c, scratch)
		}
	}
	plain(m, n, k, a, b, c)
	return scratch
}

// Describe says how products of matrices are computed.
func Describe(m, n, k int, float bool) string {
	if !float {
		return "of integers, in Go"
	}
	for _, u := range micros {
		if m%u.rows == 0 && n%u.cols == 0 && k%kStep == 0 {
			return fmt.Sprintf("by the micro-kernel %s, %d×%d sums in registers, depth %d", u.name, u.rows, u.cols, min(k, depth))
		}
	}
	return fmt.Sprintf("in Go, since %d×%d×%d is no multiple of a micro-kernel's tile", m, n, k)
}

// add packs a slab of b into panels of cols columns, and runs the micro-kernel
// down the rows of a for each panel.
func (u *micro) add(m, n, k int, a, b, c, scratch []float32) []float32 {
	if need := min(depth, k) * n; len(scratch) < need {
		scratch = make([]float32, need)
	}
	_, _, _ = a[m*k-1], b[k*n-1], c[m*n-1]
	for k0 := 0; k0 < k; k0 += depth {
		kc := min(depth, k-k0)
		u.pack(n, kc, b[k0*n:], scratch)
		for col := 0; col < n; col += u.cols {
			panel := &scratch[col*kc]
			for row := 0; row < m; row += u.rows {
				u.run(kc, &a[row*k+k0], k, panel, &c[row*n+col], n)
			}
		}
	}
	return scratch
}

func (u *micro) pack(n, kc int, b, panels []float32) {
	for col := 0; col < n; col += u.cols {
		for l := range kc {
			row := b[l*n+col:]
			for v := 0; v < u.cols; v += 16 { // 16 floats move in registers
				*(*[16]float32)(panels) = *(*[16]float32)(row[v:])
				panels = panels[16:]
			}
		}
	}
}

// plain is the loop for every size. Unlike many a BLAS it does not skip zeros
// of a, so that infinities and NaNs of b arrive in c.
func plain(m, n, k int, a, b, c []float32) {
	for i := range m {
		row := c[i*n : (i+1)*n]
		for l, x := range a[i*k : (i+1)*k] {
			for j, y := range b[l*n : (l+1)*n] {
				row[j] += x * y
			}
		}
	}
}
