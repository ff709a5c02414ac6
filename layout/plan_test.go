package layout

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// drawConversion draws two distributions of a tile over the same threads. The
// destination's bits are sums of bits of the source that need registers, lanes or
// all threads, so that every route is met, with copies on both sides.
func drawConversion(t *rapid.T) (src, dst Linear, lanes int) {
	total := rapid.SampledFrom([]int{5, 4, 6, 3, 2, 1, 0}).Draw(t, "total")
	shape := []int{1 << (total / 2), 1 << (total - total/2)}
	threads := rapid.SampledFrom([]int{4, 5, 3, 6, 2, 1, 0}).Draw(t, "threads")
	cut := rapid.SampledFrom([]int{3, 4, 2, 5, 1, 0}).Draw(t, "lanes")
	inLane := min(cut, threads)

	// The source: elements over the bits, any missing ones in registers.
	basis := rapid.Permutation(upTo(total)).Draw(t, "basis")
	var register []int
	thread := make([]int, threads)
	free := threads
	for _, b := range basis {
		if free > 0 && rapid.IntRange(0, 3).Draw(t, "place") > 0 {
			free--
			thread[free] = 1 << b
			continue
		}
		register = append(register, 1<<b)
	}
	thread = rapid.Permutation(thread).Draw(t, "threads")
	for range rapid.IntRange(0, 1).Draw(t, "copies") {
		register = append(register, rapid.IntRange(0, 1<<total-1).Draw(t, "copy"))
	}

	// The destination: from what a thread, a subgroup or all threads hold.
	pools := [][]int{register, slices.Concat(register, thread[:inLane]), slices.Concat(register, thread)}
	pool := pools[rapid.SampledFrom([]int{1, 1, 1, 0, 2}).Draw(t, "pool")]
	sum := func() int {
		v := 0
		for _, b := range pool {
			v ^= b * rapid.IntRange(0, 1).Draw(t, "take")
		}
		return v
	}
	to := slices.Clone(thread)
	var regs []int
	if rapid.Bool().Draw(t, "bijective") {
		all := rapid.Permutation(slices.Concat(register, thread[:inLane])).Draw(t, "bits")
		regs, to = all[inLane:], slices.Concat(all[:inLane], thread[inLane:])
	} else {
		for range rapid.IntRange(0, 4).Draw(t, "registers") {
			regs = append(regs, sum())
		}
		for i := range to {
			switch rapid.IntRange(0, 2).Draw(t, "change") {
			case 0:
				to[i] ^= sum()
			case 1:
				if i < inLane {
					to[i] = sum()
				}
			}
		}
	}
	of := func(register, thread []int) Linear {
		return Linear{shape, []string{Register, Thread}, [][]int{register, thread}}
	}
	return of(register, thread), of(regs, to), 1 << cut
}

// execute runs a plan and returns what each thread's destination registers hold.
func execute(t rapid.TB, c Conversion, src Linear, lanes int) [][]int {
	threads := src.Size(Thread)
	held := make([][]int, threads)
	for th := range held {
		for r := range src.Size(Register) {
			held[th] = append(held[th], src.Index(r, th))
		}
	}
	if len(c.Rounds) > 0 {
		received := make([][]int, threads)
		for th := range received {
			received[th] = slices.Repeat([]int{-1}, len(c.Rounds))
			for _, round := range c.Rounds {
				lane := round.Lane.At(th)
				if lane >= lanes {
					t.Fatalf("lane %d of %d", lane, lanes)
				}
				from := th/lanes*lanes + lane
				received[th][round.Into.At(th)] = held[from][round.Send.At(from)]
			}
		}
		held = received
	}
	out := make([][]int, threads)
	for th := range out {
		for _, r := range c.Registers {
			out[th] = append(out[th], held[th][r])
		}
	}
	return out
}

// routeByCounting finds the shortest route by looking for every element.
func routeByCounting(src, dst Linear, lanes int) Route {
	route := InThread
	for th := range dst.Size(Thread) {
		for r := range dst.Size(Register) {
			want := dst.Index(r, th)
			holds := func(from, to int) bool {
				for u := from; u < to; u++ {
					for q := range src.Size(Register) {
						if src.Index(q, u) == want {
							return true
						}
					}
				}
				return false
			}
			group := th / lanes * lanes
			switch {
			case holds(th, th+1):
			case holds(group, min(group+lanes, src.Size(Thread))):
				route = max(route, InSubgroup)
			default:
				return InShared
			}
		}
	}
	return route
}

// fewestRounds is a bound from counting: a lane receives one value a round, and
// lanes with the same elements can offer one each.
func fewestRounds(src, dst Linear, lanes int) int {
	n := min(lanes, dst.Size(Thread))
	distinct := map[int]bool{}
	for r := range dst.Size(Register) {
		distinct[dst.Index(r, 0)] = true
	}
	holders := map[int][]int{} // the elements wanted by subgroup 0, by their first holder
	of := func(lane int) (elements []int) {
		for r := range src.Size(Register) {
			elements = append(elements, src.Index(r, lane))
		}
		return elements
	}
	wanted := map[int]bool{}
	for lane := range n {
		for r := range dst.Size(Register) {
			wanted[dst.Index(r, lane)] = true
		}
	}
	lanesOf := map[int]int{}
	for want := range wanted {
		first, count := -1, 0
		for lane := range n {
			if slices.Contains(of(lane), want) {
				if count++; first < 0 {
					first = lane
				}
			}
		}
		holders[first] = append(holders[first], want)
		lanesOf[first] = count
	}
	rounds := len(distinct)
	for first, elements := range holders {
		rounds = max(rounds, (len(elements)+lanesOf[first]-1)/lanesOf[first])
	}
	return rounds
}

func TestPlan(t *testing.T) {
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		src, dst, lanes := drawConversion(t)
		c := checkPlan(t, src, dst, lanes)
		met[c.Route.String()]++
		if c.Route == InShared {
			return
		}
		if len(c.Rounds) == 0 {
			met["renaming"]++
			return
		}
		if want := fewestRounds(src, dst, lanes); len(c.Rounds) != want {
			t.Fatalf("%v to %v over %d lanes: %d rounds, %d would do", src, dst, lanes, len(c.Rounds), want)
		}
		xor := true
		for _, round := range c.Rounds {
			mask, ok := round.Xor(lanes)
			xor = xor && ok
			for th := range src.Size(Thread) {
				if ok && round.Lane.At(th) != th%lanes^mask {
					t.Fatalf("%v to %v: thread %d takes from lane %d, mask %d", src, dst, th, round.Lane.At(th), mask)
				}
			}
			if c.Route == InThread && (!ok || mask != 0) {
				t.Fatalf("%v to %v: %+v leaves the thread", src, dst, round)
			}
			if round.Into.Const >= len(c.Rounds) {
				t.Fatalf("%v to %v: %+v", src, dst, c)
			}
		}
		if xor {
			met["xor"]++
		} else {
			met["index"]++
		}
		if values := slices.Max(c.Registers) + 1; values < len(c.Rounds) {
			met["more rounds than values"]++
		}
	})
	t.Log(met)
	for _, kind := range []string{"registers", "shuffles", "shared memory", "renaming", "xor", "index", "more rounds than values"} {
		if met[kind] == 0 {
			t.Errorf("never met: %s; %v", kind, met)
		}
	}
}

// TestPlanPermutations runs every distribution of a tile of 32 over 4 registers
// and 8 threads whose bits are those of another one, with subgroups of 8 and of
// 4. A shuffle takes one round a register.
func TestPlanPermutations(t *testing.T) {
	src := Linear{[]int{32}, []string{Register, Thread}, [][]int{{1, 2}, {4, 8, 16}}}
	var walk func(rest, order []int)
	walk = func(rest, order []int) {
		for i := range rest {
			walk(slices.Delete(slices.Clone(rest), i, i+1), append(slices.Clone(order), rest[i]))
		}
		if len(rest) > 0 {
			return
		}
		dst := Linear{src.shape, src.names, [][]int{order[:2], order[2:]}}
		for _, lanes := range []int{8, 4} {
			c := checkPlan(t, src, dst, lanes)
			if n := len(c.Rounds); n != 0 && n != 4 {
				t.Errorf("%v to %v over %d lanes: %v", src, dst, lanes, c)
			}
		}
	}
	walk([]int{1, 2, 4, 8, 16}, nil)
}

// checkPlan checks the route against counting and executes the plan.
func checkPlan(t rapid.TB, src, dst Linear, lanes int) Conversion {
	t.Helper()
	c := must(Plan(src, dst, lanes))
	if want := routeByCounting(src, dst, lanes); c.Route != want {
		t.Fatalf("%v to %v over %d lanes: %v (%s), want %v", src, dst, lanes, c, c.Reason, want)
	}
	if (c.Reason == "") != (c.Route == InThread) {
		t.Fatalf("%v to %v: %v, because %q", src, dst, c, c.Reason)
	}
	if c.Route == InShared {
		if c.Rounds != nil || c.Registers != nil {
			t.Fatalf("%v to %v: %+v", src, dst, c)
		}
		return c
	}
	if len(c.Registers) != dst.Size(Register) {
		t.Fatalf("%v to %v: %d registers", src, dst, len(c.Registers))
	}
	got := execute(t, c, src, lanes)
	for th := range dst.Size(Thread) {
		for r := range dst.Size(Register) {
			if got[th][r] != dst.Index(r, th) {
				t.Fatalf("%v to %v over %d lanes: register %d of thread %d holds %d, want %d\n%+v", src, dst, lanes, r, th, got[th][r], dst.Index(r, th), c)
			}
		}
	}
	return c
}

// TestPlanBlocked converts between blocks, as a compiler does, with copies where
// there are more threads than elements.
func TestPlanBlocked(t *testing.T) {
	met := map[Route]int{}
	rapid.Check(t, func(t *rapid.T) {
		shape := []int{rapid.SampledFrom([]int{8, 16, 4, 2, 1}).Draw(t, "rows"), rapid.SampledFrom([]int{16, 8, 4, 2, 1}).Draw(t, "cols")}
		threads := rapid.SampledFrom([]int{64, 32, 16, 128, 4, 1}).Draw(t, "threads")
		draw := func() Linear {
			vec := []int{1 << rapid.IntRange(0, 3).Draw(t, "vec"), 1 << rapid.IntRange(0, 3).Draw(t, "vec")}
			return Blocked(shape, threads, rapid.Permutation([]int{0, 1}).Draw(t, "order"), vec)
		}
		met[checkPlan(t, draw(), draw(), 32).Route]++
	})
	if len(met) != 3 {
		t.Errorf("not every route was met: %v", met)
	}
}

func TestAffine(t *testing.T) {
	f := Affine{5, []int{1, 0, 6}}
	for thread, want := range []int{5, 4, 5, 4, 3, 2, 3, 2} {
		if f.At(thread) != want {
			t.Errorf("at %d: %d, want %d", thread, f.At(thread), want)
		}
	}
	if f.Uniform() || !(Affine{5, []int{0, 0}}).Uniform() {
		t.Error("uniform is whether the thread matters")
	}
	if mask, ok := (Round{Lane: Affine{3, []int{1, 2, 0}}}).Xor(4); mask != 3 || !ok {
		t.Errorf("mask %d, %v", mask, ok)
	}
	for _, thread := range [][]int{{1, 2, 4}, {2, 1, 0}, {1, 3, 0}} {
		if _, ok := (Round{Lane: Affine{0, thread}}).Xor(4); ok {
			t.Errorf("lanes by %v are said to be a XOR", thread)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	other := must(NewLinear([]int{4, 4}, []Input{{"block", [][]int{{1, 0}}}, {Thread, [][]int{{1, 0}, {0, 1}}}}))
	part := must(NewLinear([]int{4, 4}, []Input{{Thread, [][]int{{1, 0}, {0, 1}}}}))
	large := must(NewLinear([]int{4, 4}, []Input{{Thread, [][]int{{1, 0}, {0, 1}}}, {Register, slices.Repeat([][]int{{2, 0}}, 17)}}))
	for name, c := range map[string]struct {
		src, dst Linear
		lanes    int
		kind     error
	}{
		"tiles":              {tile44, must(tile44.Reshape(16)), 32, fault.ErrShape},
		"threads":            {tile44, Blocked([]int{4, 4}, 8, []int{1, 0}, []int{1, 2}), 32, fault.ErrShape},
		"lanes":              {tile44, tile44, 3, fault.ErrArgument},
		"no lanes":           {tile44, tile44, 0, fault.ErrArgument},
		"inputs":             {tile44, other, 32, fault.ErrUnsupported},
		"inputs of source":   {other, part, 32, fault.ErrUnsupported},
		"missing elements":   {part, tile44, 32, fault.ErrUnsupported},
		"too many registers": {tile44, large, 32, fault.ErrLimit},
	} {
		if got, err := Plan(c.src, c.dst, c.lanes); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, error %v, want %v", name, got, err, c.kind)
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	src := Blocked([]int{64, 64}, 128, []int{1, 0}, []int{1, 4})
	dst := Blocked([]int{64, 64}, 128, []int{1, 0}, []int{4, 4})
	b.ReportAllocs()
	for b.Loop() {
		must(Plan(src, dst, 32))
	}
}
