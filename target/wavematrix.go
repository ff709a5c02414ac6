package target

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
)

// Cooperative matrices of architectures, as their drivers distribute them. A device tells its own; these are for compiling where there is none.

// MMA lists the products of NVIDIA's GPUs since Ampere (asked of an H200, driver 580.159): fragments are those of mma.sync (PTX ISA), of which an
// instruction is two where N is 16.
func MMA() CooperativeList {
	rows := []CooperativeMatrix{}
	for _, p := range []struct {
		m, n, k    int
		elem, sums dtype.Type
	}{
		{16, 16, 16, dtype.F16, dtype.F16}, {16, 8, 16, dtype.F16, dtype.F16}, {16, 8, 8, dtype.F16, dtype.F16},
		{16, 16, 16, dtype.F16, dtype.F32}, {16, 8, 16, dtype.F16, dtype.F32}, {16, 8, 8, dtype.F16, dtype.F32},
		{16, 16, 32, dtype.U8, dtype.U32}, {16, 8, 32, dtype.U8, dtype.U32}, {16, 16, 32, dtype.I8, dtype.I32}, {16, 8, 32, dtype.I8, dtype.I32},
		{16, 16, 16, dtype.BF16, dtype.F32},
	} {
		per := 4 / p.elem.Size() // elements of a word
		row, column := axis(0, 1, 8), axis(1, 1, 8)
		rows = append(rows, CooperativeMatrix{M: p.m, N: p.n, K: p.k, A: p.elem, B: p.elem, C: p.sums, Result: p.sums, Threads: 32,
			FragmentA: Fragment{join(axis(1, 1, per), axis(1, 4*per, p.k), axis(0, 8, 16)), join(axis(1, per, 4*per), row)},
			FragmentB: Fragment{join(axis(0, 1, per), axis(0, 4*per, p.k), axis(1, 8, p.n)), join(axis(0, per, 4*per), column)},
			FragmentC: Fragment{join(axis(1, 1, 2), axis(1, 8, p.n), axis(0, 8, 16)), join(axis(1, 2, 8), row)}})
	}
	return CooperativeOf(rows...)
}

// Llvmpipe lists those of Mesa's software driver, whose subgroups have 8 threads with vectors of 256 bits.
func Llvmpipe() CooperativeList {
	rows, columns := axis(0, 1, 8), axis(1, 1, 8)
	c, b := Fragment{Components: rows, Threads: columns}, Fragment{Components: columns, Threads: rows}
	var list []CooperativeMatrix
	for _, p := range []struct{ elem, sums dtype.Type }{{dtype.F16, dtype.F16}, {dtype.F16, dtype.F32}, {dtype.U8, dtype.U32}, {dtype.I8, dtype.I32}} {
		list = append(list, CooperativeMatrix{M: 8, N: 8, K: 8, A: p.elem, B: p.elem, C: p.sums, Result: p.sums, Threads: 8, FragmentA: c, FragmentB: b, FragmentC: c})
	}
	return CooperativeOf(list...)
}

// RDNA3 lists the products of AMD's RDNA 3 in waves of 32 or 64 threads: WMMA instructions, whose operands are in each 16 threads of a wave again (AMD,
// RDNA3 Instruction Set Architecture, "Wave Matrix Multiply Accumulate"; Mesa, radv_nir_lower_cooperative_matrix.c).
func RDNA3(wave int) CooperativeList {
	rows, columns := axis(0, 1, 16), axis(1, 1, 16)
	copies := make([][2]int, pow2.Log2(wave/16))
	groups := axis(0, 1, wave/16) // of 16 threads, whose sums are of consecutive rows
	c := Fragment{Components: axis(0, wave/16, 16), Threads: join(columns, groups)}
	return products(16, 16, 16, wave, Fragment{Components: columns, Threads: join(rows, copies)}, Fragment{Components: rows, Threads: join(columns, copies)}, c)
}

// RDNA4 lists those of RDNA 4, whose waves hold each element once (AMD, RDNA4 Instruction Set Architecture; Mesa, as above: operands have their sums' layout).
func RDNA4(wave int) CooperativeList {
	along := func(of int) ([][2]int, [][2]int) { // components, and groups of 16 threads
		components := axis(of, 1, 256/wave)
		if wave == 64 {
			return components, join(axis(of, 8, 16), axis(of, 4, 8))
		}
		return components, axis(of, 8, 16)
	}
	components, groups := along(0)
	c := Fragment{Components: components, Threads: join(axis(1, 1, 16), groups)}
	components, groups = along(1)
	a := Fragment{Components: components, Threads: join(axis(0, 1, 16), groups)}
	return products(16, 16, 16, wave, a, c, c)
}

// XeHPG and Xe2 list those of Intel's GPUs with DPAS in subgroups of some threads (Mesa, brw_nir_lower_cooperative_matrix.c and intel_device_info): the
// 32-bit words of a and c are distributed by rows, and those of b, whose elements are of one column, by rows of words.
func XeHPG(threads int) CooperativeList { return xe(8, threads) }

// Xe2 is of Lunar Lake and Battlemage.
func Xe2(threads int) CooperativeList { return xe(16, threads) }

func xe(n, threads int) CooperativeList {
	var rows []CooperativeMatrix
	for _, p := range []struct {
		elem, sums dtype.Type
	}{{dtype.F16, dtype.F32}, {dtype.BF16, dtype.F32}, {dtype.I8, dtype.I32}, {dtype.U8, dtype.U32}} {
		per := 4 / p.elem.Size() // elements of a word
		k := 8 * per
		a := Fragment{Components: axis(1, 1, per)}
		a.words(8, 8, threads, [2]int{1, per})
		b := Fragment{Components: axis(0, 1, per)}
		b.words(8, n, threads, [2]int{per, 1})
		var c Fragment
		c.words(8, n, threads, [2]int{1, 1})
		rows = append(rows, CooperativeMatrix{M: 8, N: n, K: k, A: p.elem, B: p.elem, C: p.sums, Result: p.sums, Threads: threads, FragmentA: a, FragmentB: b, FragmentC: c})
	}
	return CooperativeOf(rows...)
}

// words adds the bits of rows × columns words that threads have in order, and then their components. A word's step in a row and a column
// is that of so many elements.
func (f *Fragment) words(rows, columns, threads int, step [2]int) {
	all := join(axis(1, step[1], columns*step[1]), axis(0, step[0], rows*step[0]))
	n := pow2.Log2(threads)
	f.Threads, f.Components = all[:n:n], join(f.Components, all[n:])
}

// axis lists the bases of bits along rows (0) or columns (1), from one number to below another.
func axis(of, from, to int) (list [][2]int) {
	for n := from; n < to; n *= 2 {
		var by [2]int
		by[of] = n
		list = append(list, by)
	}
	return list
}

func join(lists ...[][2]int) (all [][2]int) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// products are those of all types of operands whose matrices have the same fragments.
func products(m, n, k, threads int, a, b, c Fragment) CooperativeList {
	var rows []CooperativeMatrix
	for _, p := range []struct{ elem, sums dtype.Type }{
		{dtype.F16, dtype.F16}, {dtype.F16, dtype.F32}, {dtype.BF16, dtype.F32}, {dtype.U8, dtype.U32}, {dtype.I8, dtype.I32},
	} {
		rows = append(rows, CooperativeMatrix{M: m, N: n, K: k, A: p.elem, B: p.elem, C: p.sums, Result: p.sums, Threads: threads,
			FragmentA: a, FragmentB: b, FragmentC: c})
	}
	return CooperativeOf(rows...)
}
