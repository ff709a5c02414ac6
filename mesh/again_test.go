package mesh

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
)

// calls are the operands of both products, of ones times numbers.
type calls struct {
	gather, scatter [3][]*weft.Tensor // out, a, b
}

const callRows, callTerms, callColumns = 3, 4, 5

func newCalls(t *testing.T, g *Group) (c calls) {
	n := g.Size()
	for _, dev := range g.Devices() {
		for i, s := range [][2]int{{callRows * n, callColumns}, {callRows, callTerms}, {callTerms, callColumns}} {
			c.gather[i] = append(c.gather[i], must(t)(weft.Zeros(dev, weft.F32, s[0], s[1])))
		}
		for i, s := range [][2]int{{callRows, callColumns}, {callRows * n, callTerms}, {callTerms, callColumns}} {
			c.scatter[i] = append(c.scatter[i], must(t)(weft.Zeros(dev, weft.F32, s[0], s[1])))
		}
	}
	return c
}

// run calls both with other numbers and checks their results.
func (c calls) run(g *Group, round int) error {
	sum := 0.0
	for i := range g.Devices() {
		for _, s := range [][3][]*weft.Tensor{c.gather, c.scatter} {
			if err := errors.Join(s[0][i].Fill(-1), s[1][i].Fill(i+round), s[2][i].Fill(2)); err != nil {
				return err
			}
		}
		sum += float64(2 * callTerms * (i + round))
	}
	if err := errors.Join(g.AllGatherMatMul(c.gather[0], c.gather[1], c.gather[2]), g.MatMulReduceScatter(c.scatter[0], c.scatter[1], c.scatter[2])); err != nil {
		return err
	}
	for i := range g.Devices() {
		for _, s := range []struct {
			t    *weft.Tensor
			want func(row int) float64
		}{{c.gather[0][i], func(row int) float64 { return float64(2 * callTerms * (row/callRows + round)) }}, {c.scatter[0][i], func(int) float64 { return sum }}} {
			got, err := weft.ToFloats(s.t)
			if err != nil {
				return err
			}
			for at, x := range got {
				if x != s.want(at/callColumns) {
					return errors.New("wrong results")
				}
			}
		}
	}
	return nil
}

func (c calls) close() {
	for _, list := range slices.Concat(c.gather[:], c.scatter[:]) {
		closeAll(list)
	}
}

// recorded counts calls that were recorded.
func (a *again) recorded() (n int) {
	for _, list := range a.calls {
		for _, r := range list {
			if r.recorded != nil {
				n++
			}
		}
	}
	return n
}

// Products that are called again on the same memory are recorded and replayed, and give what the first calls gave. The operands' memory is free once their tensors are
// closed; a tensor that has it afterwards stands for the one that had it.
func TestAgain(t *testing.T) {
	g := reaching(t)
	dev := g.Devices()[1]
	before := dev.MemoryStats().InUse
	for part := range 2 {
		c := newCalls(t, g)
		for round := range 4 {
			if err := c.run(g, round); err != nil {
				t.Fatalf("part %d, round %d: %v", part, round, err)
			}
			if want := min(round, 1) * 2; part == 0 && g.again.recorded() != want {
				t.Errorf("round %d: %d calls are recorded, want %d", round, g.again.recorded(), want)
			}
		}
		other := c // with another left operand, which is another call
		other.gather[1] = nil
		for _, d := range g.Devices() {
			other.gather[1] = append(other.gather[1], must(t)(weft.Zeros(d, weft.F32, callRows, callTerms)))
		}
		for n, x := range []calls{c, other, other, c} {
			if err := x.run(g, 9+n); err != nil {
				t.Fatalf("part %d: another operand: %v", part, err)
			}
		}
		closeAll(other.gather[1])
		paid := g.again.paid
		for i, d := range g.Devices() { // a result of its own for each call, which has the memory of the last one
			c.gather[0][i].Close()
			c.gather[0][i] = must(t)(weft.Zeros(d, weft.F32, callRows*g.Size(), callColumns))
		}
		if err := c.run(g, 5); err != nil {
			t.Fatal(err)
		}
		if g.again.paid != paid+2 {
			t.Errorf("part %d: %d replays instead of 2", part, g.again.paid-paid)
		}
		held := dev.MemoryStats().InUse
		c.close()
		if after := dev.MemoryStats().InUse; after >= held {
			t.Errorf("part %d: %d bytes in use of %d after the operands were closed", part, after, held)
		}
	}
	if err := errors.Join(g.again.forget(), g.Synchronize()); err != nil {
		t.Fatal(err)
	}
	if after := dev.MemoryStats().InUse; after != before {
		t.Errorf("%d bytes in use, %d before", after, before)
	}
}

// A group keeps so many calls; what has not been of use gives no way to others.
func TestAgainIsBounded(t *testing.T) {
	g := reaching(t)
	c := newCalls(t, g)
	g.again.count = mostRepeated
	for round := range 3 {
		if err := c.run(g, round); err != nil {
			t.Fatal(err)
		}
	}
	if n := g.again.recorded(); n != 0 {
		t.Errorf("%d calls are recorded, want none", n)
	}
	g.again.paid = worthReplacing * mostRepeated
	for round := range 3 {
		if err := c.run(g, round); err != nil {
			t.Fatal(err)
		}
	}
	if n := g.again.recorded(); n != 2 {
		t.Errorf("%d calls are recorded, want 2", n)
	}
	g.again.most = 1
	if !g.again.full() {
		t.Error("there is always memory for more")
	}
}

// Goroutines that call products on tensors of their own get their own results.
func TestAgainAtOnce(t *testing.T) {
	g := reaching(t)
	var wait sync.WaitGroup
	for range 3 {
		c := newCalls(t, g)
		wait.Go(func() {
			for round := range 5 {
				if err := c.run(g, round); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// A call on memory that a capture of another goroutine writes fails as it did before, and one that is captured is none that is replayed.
func TestAgainAndCapture(t *testing.T) {
	g := reaching(t)
	c := newCalls(t, g)
	for round := range 3 {
		if err := c.run(g, round); err != nil {
			t.Fatal(err)
		}
	}
	paid := g.again.paid
	step, err := g.Capture(func(rec []*weft.Recorder) error {
		var own [3][]*weft.Tensor
		for i, r := range rec {
			for n, list := range c.gather {
				own[n] = append(own[n], r.Use(list[i]))
			}
		}
		return g.AllGatherMatMul(own[0], own[1], own[2])
	})
	if err != nil {
		t.Fatal(err)
	}
	defer step.Close()
	if g.again.paid != paid {
		t.Error("a captured call was replayed")
	}
	for _, out := range c.gather[0] {
		if err := out.Fill(-1); err != nil {
			t.Fatal(err)
		}
	}
	if err := step.Replay(); err != nil {
		t.Fatal(err)
	}
	for i := range g.Devices() {
		if got, err := weft.ToFloats(c.gather[0][i]); err != nil || got[0] != 2*callTerms*2 {
			t.Errorf("rank %d: %v, %v", i, got, err)
		}
	}
	if err := c.run(g, 7); err != nil {
		t.Fatal(err)
	}
}
