package gemm

import (
	"fmt"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

const f32 = dtype.F32

// limits are what the vector registers of a processor allow, and the micro-kernels that there are for it.
type limits struct {
	lanes, registers int
	operands         func(rows, vectors int) int // registers of an outer kernel's operands
	pairs            int                         // registers for the products of pairs of integers
	tallest          int                         // rows of an outer kernel, at most
	innerRows        int
	parts            bool // of elements of 16 bits
	panels           bool // for parts of a row of b, at least
	outer, inner     func(spec) []byte
}

var machine = map[processor.Vectors]limits{
	processor.NEON: {lanes: 4, registers: 32, operands: neonOperands, pairs: 3, tallest: 6, innerRows: innerRows(30), panels: true,
		outer: neonOuter, inner: neonInner},
	processor.AVX2: {lanes: 8, registers: 16, operands: outerOperands, pairs: 1, tallest: 6, innerRows: innerRows(16),
		outer: generateOuter, inner: generateInner},
	processor.AVX512: {lanes: 16, registers: 32, operands: outerOperands, pairs: number(!processor.Pairs), tallest: 14, innerRows: innerRows(32), parts: true,
		outer: generateOuter, inner: generateInner},
}[processor.Best]

const (
	// depth is how much of k is multiplied at a time, so that a panel of b stays in the first-level cache.
	depth = 256
	// leastReuse is for how many tiles of rows it pays to put b into panels, which are then read from the first-level cache.
	leastReuse = 4
	// sumsPerStep says when it costs less to add the lanes of an inner kernel's sums, m for each column of b, than to transpose the k elements of the column: by the
	// times that both take on processors with AVX2 and AVX-512.
	sumsPerStep = 2
	// widest is how many vectors of a row of b an outer kernel takes at most: 1 KiB of F32.
	widest = maxVectors
)

// Multiplier computes products, one at a time, and keeps memory for them.
type Multiplier struct {
	frame  frame
	a, b   []float32       // operands that are converted or put into panels
	c      []float32       // what these are made of in more than one step
	frames []*native.Frame // of loops that move elements
	tiles  tileSizes
}

// Add computes c += a @ b for a [m,k], b [k,n] and c [m,n], whose neighbouring rows are so many floats apart and do not overlap the operands. Every sum is that of the
// products along k, as F32, in an order that depends on the sizes and on where operands are neighbours alone.
func (w *Multiplier) Add(m, n, k int, a, b Matrix, c []float32, ldc int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	_ = c[(m-1)*ldc+n-1]
	if k == 1 {
		a.Col = a.Elem.Size() // any will do
	}
	if n == 1 {
		if ldc == 1 && m > 1 && a.byColumns() && !a.byRows() { // of the transposes, whose rows are contiguous
			w.Add(1, m, k, b.Transpose(), a.Transpose(), c, m)
			return
		}
		b.Col = b.Elem.Size()
	}
	to, ok := unsafe.Pointer(unsafe.SliceData(c)), false
	if done := w.addBFloats(m, n, k, a, b, to, ldc); done > 0 {
		if done < k { // beyond the last one there may be no memory to point at
			w.Add(m, n, k-done, a.Offset(0, done), b.Offset(done, 0), c, ldc)
		}
		return
	}
	switch {
	case machine.lanes == 0:
	case n == 1 && a.byRows() || b.byColumns() && !b.byRows() && m < k/sumsPerStep:
		ok = w.inner(m, n, k, a, b, to, ldc)
	default:
		ok = w.outer(m, n, k, a, b, to, ldc, f32)
	}
	if !ok {
		w.inGo(m, n, k, a, b, c, ldc)
	}
}

// evenly is how many rows the tiles have that divide m evenly, at most so many.
func evenly(m, most int) int { return (m + (m+most-1)/most - 1) / ((m + most - 1) / most) }

// outerVectors is how many vectors an outer kernel of so many rows has, next to spare registers and the mask of AVX2.
func outerVectors(rows, spare int) int {
	for v := widest; ; v-- {
		if v == 1 || rows*v+machine.operands(rows, v)+spare+number(processor.Best == processor.AVX2) <= machine.registers {
			return v
		}
	}
}

// outer multiplies by outer kernels, and reports whether there are any. Words of operands are F32, or pairs of I32 or U32 as in a spec, which are moved as F32.
func (w *Multiplier) outer(m, n, k int, a, b Matrix, c unsafe.Pointer, ldc int, words dtype.Type) bool {
	spare := 0
	if words == dtype.I32 {
		spare = machine.pairs
	}
	rows := evenly(m, machine.tallest-min(spare, 1))
	vectors := min(outerVectors(rows, spare), (n+machine.lanes-1)/machine.lanes)
	columns, deep := vectors*machine.lanes, k
	reuse := (m + rows - 1) / rows
	packed := !b.byRows() || b.Elem != f32 && !machine.parts && n%machine.lanes > 0 || reuse >= leastReuse
	if reuse > 1 {
		deep = depth
	}
	a, ok := w.asFloats(m, k, a)
	if !ok {
		return false
	}
	for k0 := 0; k0 < k; k0 += deep {
		kc := min(deep, k-k0)
		for col := 0; col < n; col += columns {
			nc := min(columns, n-col)
			panel := b.Offset(k0, col)
			if packed || machine.panels && nc%machine.lanes > 0 {
				if panel, ok = w.panel(kc, nc, columns, panel); !ok {
					return false
				}
			}
			s := spec{vectors: (nc + machine.lanes - 1) / machine.lanes, elem: panel.Elem, part: nc%machine.lanes > 0, stepped: a.Col != 4}
			if words != f32 {
				s.elem = words
			}
			if !w.down(s, m, rows, kc, a.Offset(0, k0), panel, unsafe.Add(c, 4*col), ldc, nc) {
				return false
			}
		}
	}
	return true
}

// down multiplies all rows of a with a panel.
func (w *Multiplier) down(s spec, m, rows, k int, a, b Matrix, c unsafe.Pointer, ldc, columns int) bool {
	f := &w.frame
	if s.part {
		f.setPart((columns-1)%machine.lanes + 1)
	}
	for row := 0; row < m; row += rows {
		s.rows = min(rows, m-row)
		kernel := outers.get(s, machine.outer)
		if kernel == nil {
			return false
		}
		f[frameK] = uint64(k)
		f[frameA], f[frameARow], f[frameACol] = address(unsafe.Add(a.At, row*a.Row)), uint64(a.Row), uint64(a.Col)
		f[frameB], f[frameBStep] = address(b.At), uint64(b.Row)
		f[frameC], f[frameCRow] = address(unsafe.Add(c, 4*row*ldc)), uint64(4*ldc)
		kernel.Call(&f[0])
	}
	return true
}

// inner multiplies by inner kernels, and reports whether there are any.
func (w *Multiplier) inner(m, n, k int, a, b Matrix, c unsafe.Pointer, ldc int) bool {
	a, ok := w.asFloats(m, k, a)
	if !ok {
		return false
	}
	if a.Col != 4 {
		a = w.transposed(m, k, a)
	}
	if !b.byColumns() || b.Elem != f32 && !machine.parts && k%machine.lanes > 0 {
		if b, ok = w.columns(k, n, b); !ok {
			return false
		}
	}
	f := &w.frame
	s := spec{elem: b.Elem, part: k%machine.lanes > 0}
	f.setPart(k % machine.lanes)
	f[frameK], f[frameARow], f[frameBStep], f[frameCRow] = uint64(k/machine.lanes), uint64(a.Row), uint64(b.Col), uint64(4*ldc)
	rows := evenly(m, machine.innerRows)
	for col := 0; col < n; col += s.vectors {
		if s.vectors = innerColumns; n-col < innerColumns {
			s.vectors = 1
		}
		for row := 0; row < m; row += rows {
			s.rows = min(rows, m-row)
			kernel := inners.get(s, machine.inner)
			if kernel == nil {
				return false
			}
			f[frameA] = address(unsafe.Add(a.At, row*a.Row))
			f[frameB] = address(unsafe.Add(b.At, col*b.Col))
			f[frameC] = address(unsafe.Add(c, 4*(row*ldc+col)))
			kernel.Call(&f[0])
		}
	}
	return true
}

func address(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// Describe says how products of blocks are computed.
func Describe(m, n, k int) string {
	if machine.lanes == 0 {
		return "in Go, since there are no micro-kernels for the processor"
	}
	rows := evenly(m, machine.tallest)
	return fmt.Sprintf("by micro-kernels of %s, %d×%d sums in registers, or %d×%d along %d where columns of b are contiguous", processor.Best,
		rows, machine.lanes*min(outerVectors(rows, 0), (n+machine.lanes-1)/machine.lanes), evenly(m, machine.innerRows), innerColumns, k)
}
