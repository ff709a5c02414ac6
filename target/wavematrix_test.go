package target

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// The threads of an architecture hold each element of its matrices, as often as each other one.
func TestArchitecturesHoldTheirMatrices(t *testing.T) {
	for name, list := range map[string]CooperativeList{
		"RDNA 3, 32": RDNA3(32), "RDNA 3, 64": RDNA3(64), "RDNA 4, 32": RDNA4(32), "RDNA 4, 64": RDNA4(64),
		"Xe-HPG, 8": XeHPG(8), "Xe-HPG, 16": XeHPG(16), "Xe-HPG, 32": XeHPG(32), "Xe2, 16": Xe2(16), "Xe2, 32": Xe2(32),
		"NVIDIA": MMA(), "llvmpipe": Llvmpipe(),
	} {
		for _, m := range list.Rows() {
			for i, f := range []Fragment{m.FragmentA, m.FragmentB, m.FragmentC} {
				rows, columns := [3]int{m.M, m.K, m.M}[i], [3]int{m.K, m.N, m.N}[i]
				held := map[[2]int]int{}
				for thread := range m.Threads {
					for component := range f.Held() {
						row, column := f.At(component, thread)
						held[[2]int{row, column}]++
					}
				}
				copies := f.Held() * m.Threads / (rows * columns)
				for at, n := range held {
					if n != copies || at[0] >= rows || at[1] >= columns {
						t.Errorf("%s: %v, matrix %d: element %v %d times, want %d: %v", name, m, i, at, n, copies, f)
					}
				}
				if len(held) != rows*columns || 1<<len(f.Threads) != m.Threads {
					t.Errorf("%s: %v, matrix %d: %d elements of %d: %v", name, m, i, len(held), rows*columns, f)
				}
			}
		}
	}
}

// Elements that the sources of the tables tell.
func TestArchitecturesElements(t *testing.T) {
	row := func(list CooperativeList, elem, sums dtype.Type) CooperativeMatrix {
		for _, m := range list.Rows() {
			if m.A == elem && m.C == sums {
				return m
			}
		}
		t.Fatalf("no product of %v", elem)
		return CooperativeMatrix{}
	}
	type place struct{ component, thread, row, column int }
	check := func(what string, f Fragment, places ...place) {
		t.Helper()
		for _, p := range places {
			if row, column := f.At(p.component, p.thread); row != p.row || column != p.column {
				t.Errorf("%s: component %d of thread %d is %d, %d, want %d, %d", what, p.component, p.thread, row, column, p.row, p.column)
			}
		}
	}
	m := row(MMA(), dtype.F16, dtype.F32)
	check("NVIDIA, a", m.FragmentA, place{1, 5, 1, 3}, place{2, 5, 1, 10}, place{4, 5, 9, 2})
	check("NVIDIA, b", m.FragmentB, place{1, 5, 3, 1}, place{2, 5, 10, 1}, place{4, 5, 2, 9})
	check("NVIDIA, c", m.FragmentC, place{1, 5, 1, 3}, place{2, 5, 1, 10}, place{4, 5, 9, 2})
	m = row(MMA(), dtype.I8, dtype.I32) // 16×16×32
	check("NVIDIA, a of i8", m.FragmentA, place{3, 5, 1, 7}, place{4, 5, 1, 20}, place{8, 5, 9, 4})
	check("NVIDIA, b of i8", m.FragmentB, place{3, 5, 7, 1}, place{4, 5, 20, 1}, place{8, 5, 4, 9})
	m = row(RDNA3(32), dtype.F16, dtype.F32)
	check("RDNA 3, a", m.FragmentA, place{5, 3, 3, 5}, place{5, 19, 3, 5})
	check("RDNA 3, b", m.FragmentB, place{5, 3, 5, 3}, place{5, 19, 5, 3})
	check("RDNA 3, c", m.FragmentC, place{5, 3, 10, 3}, place{5, 19, 11, 3})
	m = row(RDNA3(64), dtype.F16, dtype.F32)
	check("RDNA 3, waves of 64, c", m.FragmentC, place{3, 3, 12, 3}, place{3, 19, 13, 3}, place{3, 35, 14, 3}, place{3, 51, 15, 3})
	check("RDNA 4, c", row(RDNA4(32), dtype.F16, dtype.F32).FragmentC, place{6, 3, 6, 3}, place{6, 19, 14, 3})
	check("RDNA 4, a", row(RDNA4(32), dtype.F16, dtype.F32).FragmentA, place{6, 19, 3, 14})
	check("RDNA 4, waves of 64, c", row(RDNA4(64), dtype.F16, dtype.F32).FragmentC, place{2, 19, 10, 3}, place{2, 35, 6, 3}, place{2, 51, 14, 3})
	m = row(XeHPG(16), dtype.F16, dtype.F32) // 8×8×16
	check("Xe-HPG, a", m.FragmentA, place{0, 9, 1, 2}, place{1, 9, 1, 3}, place{2, 9, 3, 2})
	check("Xe-HPG, b", m.FragmentB, place{0, 9, 2, 1}, place{1, 9, 3, 1}, place{2, 9, 6, 1})
	check("Xe-HPG, c", m.FragmentC, place{0, 9, 1, 1}, place{3, 9, 7, 1})
	m = row(Xe2(16), dtype.I8, dtype.I32) // 8×16×32
	check("Xe2, a", m.FragmentA, place{3, 9, 1, 7}, place{4, 9, 3, 4})
	check("Xe2, b", m.FragmentB, place{3, 9, 3, 9}, place{4, 9, 4, 9})
	check("Xe2, c", m.FragmentC, place{5, 9, 5, 9})
}
