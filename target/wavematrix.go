package target

import "github.com/weftgpu/weft/dtype"

// Cooperative matrices of architectures, as their drivers of Mesa distribute them. A device tells its own; these are for compiling where there is none.

// RDNA3 lists the products of AMD's RDNA 3 in waves of 32 or 64 threads: WMMA instructions, whose operands are in each 16 threads of a wave again (AMD,
// RDNA3 Instruction Set Architecture, "Wave Matrix Multiply Accumulate"; Mesa, radv_nir_lower_cooperative_matrix.c).
func RDNA3(wave int) CooperativeList {
	rows, columns := axis(0, 1, 16), axis(1, 1, 16)
	copies := make([][2]int, log2(wave/16))
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
	n := log2(threads)
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

func log2(n int) (bits int) {
	for ; n > 1; n /= 2 {
		bits++
	}
	return bits
}

// products are those of all types of operands whose matrices have the same fragments.
func products(m, n, k, threads int, a, b, c Fragment) CooperativeList {
	var rows []CooperativeMatrix
	for _, p := range []struct{ elem, sums dtype.Type }{
		{dtype.F16, dtype.F16}, {dtype.F16, dtype.F32}, {dtype.BF16, dtype.F32}, {dtype.U8, dtype.I32}, {dtype.I8, dtype.I32},
	} {
		rows = append(rows, CooperativeMatrix{M: m, N: n, K: k, A: p.elem, B: p.elem, C: p.sums, Result: p.sums, Threads: threads,
			FragmentA: a, FragmentB: b, FragmentC: c})
	}
	return CooperativeOf(rows...)
}
