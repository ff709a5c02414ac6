package distribution

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/layout"
)

// Swaps bring each element to the thread and the register that the other distribution has it in.
func TestExchange(t *testing.T) {
	const lanes = 32
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(3, seed))
		shape := []int{1 << (3 + rng.IntN(4)), 1 << (2 + rng.IntN(3))}
		steps := append(alongDim(shape, 0), alongDim(shape, 1)...)
		rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		threads := 1 + rng.IntN(len(steps)-3)
		from := MustLinear(shape, steps[threads:], steps[:threads])
		register, thread := basesOf(from, layout.Register), basesOf(from, layout.Thread)
		swapped := 0
		for bit := range min(threads, 5) {
			if at := rng.IntN(len(register)); rng.IntN(2) == 0 {
				thread[bit], register[at] = register[at], thread[bit]
				swapped++
			}
		}
		rng.Shuffle(len(register), func(i, j int) { register[i], register[j] = register[j], register[i] })
		to := MustLinear(shape, register, thread)
		swaps, order, ok := Exchange(from, to, lanes, 4)
		if !ok {
			if swapped == 1 { // several may cancel, or move what a thread's bit had to another thread's
				t.Errorf("%v to %v: no swaps", from, to)
			}
			continue
		}
		// held is the element in each register of each thread.
		n, m := from.Size(layout.Thread), from.Size(layout.Register)
		held := make([][]int, n)
		for i := range held {
			for r := range m {
				held[i] = append(held[i], from.Index(r, i))
			}
		}
		for _, s := range swaps {
			for i := range n {
				for r := range m {
					if other, at := i^1<<s.Thread, r&^(1<<s.Register); i>>s.Thread&1 == 0 && r>>s.Register&1 == 1 {
						held[i][r], held[other][at] = held[other][at], held[i][r]
					}
				}
			}
		}
		for i := range n {
			for r := range m {
				if got, want := held[i][order[r]], to.Index(r, i); got != want {
					t.Fatalf("%v to %v by %v: register %d of thread %d is %d, want %d", from, to, swaps, r, i, got, want)
				}
			}
		}
	}
}

// alongDim are the steps along a dimension.
func alongDim(shape []int, dim int) (list [][]int) {
	for step := 1; step < shape[dim]; step *= 2 {
		b := make([]int, len(shape))
		b[dim] = step
		list = append(list, b)
	}
	return list
}

// Threads whose subgroup has the bytes get runs of them; what is so already stays.
func TestLengthened(t *testing.T) {
	single := MustLinear([]int{64, 16}, [][]int{{4, 0}, {8, 0}, {0, 8}, {16, 0}, {32, 0}}, [][]int{{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}})
	want := MustLinear([]int{64, 16}, [][]int{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 8}}, [][]int{{16, 0}, {32, 0}, {0, 1}, {0, 2}, {0, 4}})
	if got := Lengthened(single, 0, 32, 16); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Lengthened(want, 0, 32, 16); !got.Equal(want) {
		t.Errorf("%v changes to %v", want, got)
	}
	// Runs of the sums of matrix instructions, of 8 elements: what neighbouring threads have is 64 bytes of a row.
	sums := MustLinear([]int{16, 64}, [][]int{{0, 1}, {8, 0}, {0, 8}, {0, 16}, {0, 32}}, [][]int{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}})
	rows := MustLinear([]int{16, 64}, [][]int{{0, 1}, {0, 2}, {0, 4}, {0, 32}, {8, 0}}, [][]int{{0, 8}, {0, 16}, {1, 0}, {2, 0}, {4, 0}})
	if got := Lengthened(sums, 1, 32, 8); !got.Equal(rows) {
		t.Errorf("%v, want %v", got, rows)
	}
	if swaps, _, ok := Exchange(rows, sums, 32, 2); !ok || len(swaps) != 2 || swaps[0].InWord(2) || swaps[1].InWord(2) {
		t.Errorf("swaps %v, want two of words", swaps)
	}
	swaps, _, ok := Exchange(want, single, 32, 4)
	if !ok || len(swaps) != 2 || !swaps[0].InWord(4) || !swaps[1].InWord(4) {
		t.Errorf("swaps %v, want two within words", swaps)
	}
	for name, l := range map[string]layout.Linear{
		"the same":              want,
		"other threads":         MustLinear([]int{64, 16}, [][]int{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 8}}, [][]int{{0, 1}, {32, 0}, {16, 0}, {0, 2}, {0, 4}}),
		"fewer registers":       MustLinear([]int{64, 16}, [][]int{{1, 0}, {2, 0}, {4, 0}, {8, 0}}, [][]int{{16, 0}, {32, 0}, {0, 1}, {0, 2}, {0, 4}, {0, 8}}),
		"copies, not exchanges": MustLinear([]int{64, 16}, [][]int{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 8}}, [][]int{{1, 0}, {32, 0}, {0, 1}, {0, 2}, {0, 4}}),
	} {
		if swaps, _, ok := Exchange(want, l, 32, 4); ok {
			t.Errorf("%s: %v", name, swaps)
		}
	}
	if _, _, ok := Exchange(want, single, 1, 4); ok {
		t.Error("threads that share no subgroup exchange bytes")
	}
}
