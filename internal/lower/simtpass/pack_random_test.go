package simtpass

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// randomExchanges is a random kernel whose threads exchange values through arrays of several sizes. In each phase one or two of them are filled, and
// then filled again, or loaded from, at random, in loops and conditions as well.
func randomExchanges(seed uint64) *simt.Func {
	m := newHazards(seed)
	for i := range 3 + m.rng.IntN(3) {
		s := m.NewShared(fmt.Sprint("s", i), dtype.I32, hazardThreads*(1+m.rng.IntN(4)))
		if m.rng.IntN(4) == 0 {
			s.Elem = dtype.U32
		}
		m.arrays = append(m.arrays, s)
	}
	all := m.arrays
	m.exchanges = true
	phase := func() {
		m.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		m.arrays = all[:1+m.rng.IntN(2)]
		for _, s := range m.arrays {
			m.fill(s)
		}
		m.ops(1, 4)
	}
	for range 2 {
		phase()
	}
	m.last = m.For(m.Int(0), m.Int(2), m.Int(1), []*simt.Value{m.last}, false, func(_ *simt.Value, c []*simt.Value) []*simt.Value {
		m.last = c[0]
		for range 1 + m.rng.IntN(3) {
			phase()
		}
		return []*simt.Value{m.last}
	})[0]
	phase()
	m.Store(m.out, m.thread, m.last, nil)
	return m.Func
}

// fill stores to all elements of an array, which ends what it held.
func (m *hazardMaker) fill(s *simt.Shared) {
	run, by := m.run(), m.Int(m.rng.IntN(4))
	v := m.last
	if s.Elem != dtype.I32 {
		v = m.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{v}}, simt.Scalar(s.Elem))
	}
	for at := 0; at < s.Len; at += hazardThreads {
		m.SharedStore(s, run, m.Binary(simt.Add, m.Binary(simt.Xor, m.thread, by), m.Int(at)), v, nil)
	}
}

// exchange fills an array or loads from one.
func (m *hazardMaker) exchange() {
	s := m.arrays[m.rng.IntN(len(m.arrays))]
	if m.rng.IntN(3) == 0 {
		m.fill(s)
		return
	}
	v := m.SharedLoad(s, m.Binary(simt.Add, m.index(), m.Int(m.rng.IntN(s.Len/hazardThreads)*hazardThreads)), 1)
	if s.Elem != dtype.I32 {
		v = m.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{v}}, simt.Scalar(dtype.I32))
	}
	m.last = m.Binary(simt.Add, m.last, v)
}

// TestRandomPacking: kernels whose arrays are packed, for several sizes of shared memory, and thus at the cost of more or fewer barriers, do the
// same to memory, and no two threads race.
func TestRandomPacking(t *testing.T) {
	t.Parallel()
	packed, barriersAdded := 0, 0
	n := testenv.Share(100)
	for seed := range uint64(n) {
		k := randomExchanges(seed)
		before := readKernel(t, k.String())
		for _, room := range []int{384, 768} {
			r := &Context{Kernel: readKernel(t, k.String()), Stages: plan.DefaultStages, Caps: target.Caps{Language: target.SPIRV, SharedBytes: room}}
			all := r.Kernel.SharedBytes()
			barriers(r)
			stand := count(r.Kernel, simt.Barrier)
			pack(r)
			if err := simt.Verify(r.Kernel); err != nil {
				t.Fatalf("%v\n%v", err, r.Kernel)
			}
			if r.Kernel.SharedBytes() < all {
				packed++
			}
			if count(r.Kernel, simt.Barrier) > stand {
				barriersAdded++
			}
			executeBoth(t, "barriers", before, readKernel(t, r.Kernel.String()), nil)
			run := &Context{Kernel: readKernel(t, k.String()), Stages: plan.DefaultStages, Caps: r.Caps}
			if err := Run(run); err != nil {
				t.Fatalf("%v\n%v", err, k)
			}
			executeBoth(t, "barriers", before, run.Kernel, run.Words)
		}
	}
	if packed < n || barriersAdded < n/8 {
		t.Errorf("of %d kernels in two memories each, %d were packed and %d had more barriers for that", n, packed, barriersAdded)
	}
}

func count(k *simt.Func, kind simt.Kind) (n int) {
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind == kind {
			n++
		}
	})
	return n
}
