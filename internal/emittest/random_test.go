package emittest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
)

// This file proves the structure of what is printed: random kernels of integer
// ops, vectors, loops that carry values into each other, and conditions, run on
// a device and on the host.

// kernelMaker builds a random kernel. Values that are in scope wait in pool.
type kernelMaker struct {
	*simt.Builder
	rng  *rand.Rand
	pool []*simt.Value
	out  *simt.Buffer
	x    *simt.Buffer
	self *simt.Value // the thread's number
	// uniform holds values in scope that are the same in all threads.
	uniform []*simt.Value
}

const randomSlots = 8 // elements of "out" that a thread owns

func randomKernel(seed uint64) *simt.Func {
	x := input("x", dtype.I32)
	out := &simt.Buffer{Name: "out", Elem: dtype.I32, Read: true, Write: true}
	m := &kernelMaker{Builder: start("random", 32, x, out), rng: rand.New(rand.NewPCG(seed, 7)), x: x, out: out}
	m.self = thread(m.Builder)
	m.pool = []*simt.Value{m.self, param(m.Builder, "p", dtype.I32), m.Int(5), m.Int(-3)}
	m.uniform = m.pool[1:2:2]
	m.ops(3, 10)
	for i := range randomSlots / 2 {
		m.store(i, m.pick())
	}
	return m.Func
}

// pick prefers recent values; some it takes out, so that they have one use.
func (m *kernelMaker) pick() *simt.Value {
	n := len(m.pool)
	if m.rng.IntN(3) == 0 && n > 4 {
		i := 4 + m.rng.IntN(n-4) // what the pool began with stays
		v := m.pool[i]
		m.pool = slices.Delete(m.pool, i, i+1)
		return v
	}
	if m.rng.IntN(2) == 0 {
		return m.pool[n-1-m.rng.IntN(min(n, 4))]
	}
	return m.pool[m.rng.IntN(n)]
}

func (m *kernelMaker) cond() *simt.Value {
	return m.Binary(simt.Eq+simt.Kind(m.rng.IntN(6)), m.pick(), m.pick())
}

// tree is an expression whose inner values have one use.
func (m *kernelMaker) tree(depth int) *simt.Value {
	if depth == 0 || m.rng.IntN(4) == 0 {
		return m.pick()
	}
	return m.Binary(randomBinary[m.rng.IntN(len(randomBinary))], m.tree(depth-1), m.tree(depth-1))
}

func (m *kernelMaker) add(v *simt.Value) { m.pool = append(m.pool, v) }

func (m *kernelMaker) store(slot int, v *simt.Value) { m.maskedStore(slot, v, nil) }

func (m *kernelMaker) maskedStore(slot int, v, mask *simt.Value) {
	at := m.Binary(simt.Add, m.Binary(simt.Mul, m.self, m.Int(randomSlots)), m.Int(slot))
	m.Store(m.out, at, v, mask)
}

var randomBinary = []simt.Kind{simt.Add, simt.Sub, simt.Mul, simt.And, simt.Or, simt.Xor, simt.Min, simt.Max, simt.Add, simt.Sub}

func (m *kernelMaker) ops(depth, n int) {
	for range n {
		m.SetLine([]string{"random.go:1", "random.go:2", ""}[m.rng.IntN(3)])
		switch m.rng.IntN(18) {
		case 0:
			m.add(m.Unary([]simt.Kind{simt.Neg, simt.Not, simt.Abs}[m.rng.IntN(3)], m.pick()))
		case 1:
			m.add(m.Select(m.cond(), m.pick(), m.pick()))
		case 2:
			m.add(m.Binary(simt.Shr-simt.Kind(m.rng.IntN(2)), m.pick(), m.Int(m.rng.IntN(31))))
		case 3: // lanes
			v := m.Compose(m.pick(), m.pick(), m.pick(), m.pick())
			w := m.Binary(simt.Mul, v, m.Splat(m.pick(), 4))
			m.add(m.Extract(m.Binary(simt.Sub, w, v), m.rng.IntN(4)))
			m.add(m.Extract(w, m.rng.IntN(4)))
		case 4:
			m.add(m.Load(m.x, m.Binary(simt.And, m.pick(), m.Int(31)), m.cond(), 1, 11))
		case 5:
			slot := randomSlots/2 + m.rng.IntN(randomSlots/2)
			m.If(m.Binary(simt.And, m.cond(), m.cond()), func() {
				restore := m.scope()
				m.add(m.Binary(simt.Add, m.pick(), m.pick()))
				m.store(slot, m.pick())
				restore()
			})
		case 10: // stores of one mask, with and without something between
			mask := m.cond()
			for i := range 3 {
				m.maskedStore(randomSlots/2+i, m.pick(), mask)
				if m.rng.IntN(3) == 0 {
					m.add(m.Load(m.x, m.Binary(simt.And, m.pick(), m.Int(31)), nil, 1, 0))
				}
			}
		case 6, 7:
			m.add(m.tree(3))
		case 15:
			if depth > 0 {
				m.while(depth - 1)
			}
		case 16, 17:
			if depth > 0 {
				m.branch(depth - 1)
			}
		case 8, 9:
			if depth > 0 {
				m.loop(depth - 1)
			}
		default:
			m.add(m.Binary(randomBinary[m.rng.IntN(len(randomBinary))], m.pick(), m.pick()))
		}
	}
}

// scope begins a block whose values go out of scope with the returned function.
func (m *kernelMaker) scope() func() {
	outer := m.pool
	m.pool = slices.Clone(outer)
	return func() {
		used := func(v *simt.Value) bool { return !slices.Contains(m.pool, v) }
		m.pool = slices.DeleteFunc(outer, used)
	}
}

// loop carries values that a body passes on, swaps, accumulates or hands to an
// inner loop.
func (m *kernelMaker) loop(depth int) {
	var carried []*simt.Value
	for range 1 + m.rng.IntN(3) {
		carried = append(carried, m.pick())
	}
	hi := m.Binary(simt.And, m.pick(), m.Int(3))
	results := m.For(m.Int(0), hi, m.Int(1), carried, m.rng.IntN(2) == 0, func(i *simt.Value, args []*simt.Value) []*simt.Value {
		restore := m.scope()
		m.pool = append(append(m.pool, i), args...)
		m.ops(depth, m.rng.IntN(5))
		next := make([]*simt.Value, len(args))
		for j := range next {
			switch m.rng.IntN(4) {
			case 0:
				next[j] = args[m.rng.IntN(len(args))]
			case 1:
				next[j] = m.Binary(simt.Add, args[j], m.pick())
			default:
				next[j] = m.pick()
			}
		}
		restore()
		return next
	})
	m.pool = append(m.pool, results...)
}

// while counts down a uniform value and carries others, with ops on either side
// of its Break.
func (m *kernelMaker) while(depth int) {
	carried := []*simt.Value{m.Int(m.rng.IntN(4))}
	for range m.rng.IntN(4) {
		carried = append(carried, m.pick())
	}
	results := m.While(carried, func(args []*simt.Value) []*simt.Value {
		restore, outer := m.scope(), m.uniform
		m.pool, m.uniform = append(m.pool, args...), append(m.uniform, args[0])
		m.ops(0, m.rng.IntN(3))
		m.Break(m.Binary(simt.Le, args[0], m.Int(0)))
		m.ops(depth, m.rng.IntN(5))
		next := []*simt.Value{m.Binary(simt.Sub, args[0], m.Int(1))}
		for range args[1:] {
			next = append(next, m.pick())
		}
		restore()
		m.uniform = outer
		return next
	})
	m.pool = append(m.pool, results...)
}

// branch chooses by a bit of a uniform value, with results or stores or both.
func (m *kernelMaker) branch(depth int) {
	n := m.rng.IntN(4)
	way := func() []*simt.Value {
		restore := m.scope()
		m.ops(depth, m.rng.IntN(4))
		var values []*simt.Value
		for range n {
			values = append(values, m.pick())
		}
		restore()
		return values
	}
	bit := m.Binary(simt.And, m.uniform[m.rng.IntN(len(m.uniform))], m.Int(1<<m.rng.IntN(2)))
	m.pool = append(m.pool, m.Branch(m.Binary(simt.Eq, bit, m.Int(0)), way, way)...)
}

// checkMachine compares a device with the host's machine on a kernel of the
// buffers "x" and "out" and the word "p".
func checkMachine(t *testing.T, d backend.Device, what string, k *simt.Func) {
	t.Helper()
	x := make([]lane, 32)
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range x {
		x[i] = rng.Uint32() >> (rng.Uint32() & 31)
	}
	memory := bytes.Repeat([]byte{0xa5}, 4*32*randomSlots)
	must(t, machine.Run(k, [3]int{1, 1, 1}, [][]byte{wordsOf(x), memory}, []uint32{77}))
	want := lanesOf(dtype.I32, memory)
	got := lanesOf(dtype.I32, execute(t, d, k, 1, []uint32{77}, len(memory), wordsOf(x)))
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: slot %d of thread %d is %08x, want %08x\n%v\n%s", what, i%randomSlots, i/randomSlots, got[i], want[i], k, emitWGSL(t, k))
		}
	}
}

func TestRandomKernels(t *testing.T) {
	eachDevice(t, func(t *testing.T, d backend.Device) {
		for seed := range uint64(150) {
			checkMachine(t, d, fmt.Sprintf("seed %d", seed), randomKernel(seed))
		}
	})
}

func TestLoops(t *testing.T) {
	eachDevice(t, func(t *testing.T, d backend.Device) { checkMachine(t, d, "loops", loopsKernel()) })
}

// TestRandomKernelsCompile also shows random kernels to the compilers.
func TestRandomKernelsCompile(t *testing.T) {
	kernels := map[string]*simt.Func{}
	for seed := range uint64(40) {
		kernels[string(rune('a'+seed%26))+string(rune('a'+seed/26))] = randomKernel(seed)
	}
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, kernels) })
	t.Run("spirv", func(t *testing.T) { checkSPIRV(t, kernels) })
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, kernels, bothArchs...) })
}
