package simtpass

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
)

// hazardMaker builds random kernels whose threads exchange elements of shared arrays and
// of a buffer, in loops and conditions, without barriers.
type hazardMaker struct {
	*simt.Builder
	rng    *rand.Rand
	arrays []*simt.Shared
	io     *simt.Buffer
	out    *simt.Buffer
	thread *simt.Value
	group  *simt.Value
	last   *simt.Value // what a thread read
	count  *simt.Value // of the iterations of the loop around
	runs   int

	exchanges bool // accesses are exchanges
}

const hazardThreads = 16

// newHazards declares the buffers.
func newHazards(seed uint64) *hazardMaker {
	m := &hazardMaker{Builder: simt.NewBuilder("hazards", hazardThreads), rng: rand.New(rand.NewPCG(seed, 3))}
	m.io = &simt.Buffer{Name: "io", Elem: dtype.I32, Read: true, Write: true}
	m.out = &simt.Buffer{Name: "out", Elem: dtype.I32, Write: true}
	m.Func.Buffers = []*simt.Buffer{m.io, m.out}
	i32 := simt.Scalar(dtype.I32)
	m.thread = m.Emit(&simt.Op{Kind: simt.ThreadID}, i32)
	m.group = m.Emit(&simt.Op{Kind: simt.WorkgroupID}, i32)
	m.last, m.count = m.thread, m.Int(0)
	return m
}

func randomHazards(seed uint64) *simt.Func {
	m := newHazards(seed)
	for _, name := range []string{"a", "b"} {
		s := m.NewShared(name, dtype.I32, hazardThreads)
		m.arrays = append(m.arrays, s)
		m.SharedStore(s, m.run(), m.thread, m.last, nil) // so that no element is without a value
	}
	m.ops(3, 12)
	m.Store(m.out, m.thread, m.last, nil)
	return m.Func
}

func (m *hazardMaker) run() int { m.runs++; return m.runs }

// index is a different element for each thread, and of a thread another one in each iteration.
func (m *hazardMaker) index() *simt.Value {
	return m.Binary(simt.Xor, m.thread, m.Binary(simt.And, m.Binary(simt.Add, m.count, m.Int(m.rng.IntN(4))), m.Int(3)))
}

// element is a different element of the buffer for each thread, and the alias class of those that are each thread's own.
func (m *hazardMaker) element() (at *simt.Value, alias int) {
	if m.rng.IntN(2) == 0 {
		return m.thread, 1
	}
	return m.index(), 0
}

// access reads or writes once; what was read goes into what is written later.
func (m *hazardMaker) access() {
	if m.exchanges {
		m.exchange()
		return
	}
	s := m.arrays[m.rng.IntN(len(m.arrays))]
	switch m.rng.IntN(7) {
	case 0, 1:
		disjoint := 0
		if m.rng.IntN(3) > 0 {
			disjoint = m.run()
		}
		m.SharedStore(s, disjoint, m.index(), m.last, nil)
	case 2, 3:
		m.last = m.Binary(simt.Add, m.last, m.SharedLoad(s, m.index(), 1))
	case 4:
		at, alias := m.element()
		m.Store(m.io, at, m.last, nil).Alias = alias
	case 5: // a pair, to different halves
		disjoint := m.run()
		for half := range 2 {
			at, alias := m.element()
			op := m.Store(m.io, m.Binary(simt.Add, at, m.Int(half*hazardThreads)), m.last, nil)
			op.Alias, op.Disjoint = alias, disjoint
		}
	default:
		at, alias := m.element()
		v := m.Load(m.io, at, nil, 1, 0)
		v.Op.Alias = alias
		m.last = m.Binary(simt.Xor, m.last, v)
	}
}

func (m *hazardMaker) ops(depth, n int) {
	for range n {
		kind := m.rng.IntN(10)
		if depth == 0 {
			kind = 9
		}
		outer := m.last
		switch kind {
		case 0: // one access alone, or a disjoint pair: no barrier can be between two
			m.If(m.Binary(simt.Lt, m.thread, m.Int(5)), m.access)
			m.last = outer
		case 1:
			count := m.count
			m.last = m.For(m.Int(0), m.Int(m.rng.IntN(4)), m.Int(1), []*simt.Value{outer}, false, func(i *simt.Value, c []*simt.Value) []*simt.Value {
				m.last, m.count = c[0], i
				m.ops(depth-1, 1+m.rng.IntN(4))
				return []*simt.Value{m.last}
			})[0]
			m.count = count
		case 2:
			way := func() []*simt.Value {
				m.last = outer
				m.ops(depth-1, m.rng.IntN(4))
				return []*simt.Value{m.last}
			}
			m.last = m.Branch(m.Binary(simt.Eq, m.group, m.Int(0)), way, way)[0]
		case 3:
			m.last = m.While([]*simt.Value{outer, m.Int(m.rng.IntN(3))}, func(c []*simt.Value) []*simt.Value {
				m.last = c[0]
				m.ops(depth-1, m.rng.IntN(3))
				m.Break(m.Binary(simt.Le, c[1], m.Int(0)))
				m.ops(depth-1, m.rng.IntN(3))
				return []*simt.Value{m.last, m.Binary(simt.Sub, c[1], m.Int(1))}
			})[0]
		default:
			m.access()
		}
	}
}

// TestRandomHazards: with the barriers that the pass inserts no two threads race, and
// memory ends as if all threads did each op together. All passes in their order keep that.
func TestRandomHazards(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testenv.Share(300)) {
		k := randomHazards(seed)
		before := readKernel(t, k.String())
		alone := &Context{Kernel: readKernel(t, k.String()), Stages: plan.DefaultStages}
		barriers(alone)
		executeBoth(t, "barriers", before, alone.Kernel, nil)
		all := &Context{Kernel: readKernel(t, k.String()), Stages: plan.DefaultStages}
		if err := Run(all); err != nil {
			t.Fatalf("%v\n%v", err, k)
		}
		executeBoth(t, "barriers", before, all.Kernel, all.Words)
	}
}
