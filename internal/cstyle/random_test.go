package cstyle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// This file proves the structure of what is printed: random kernels of integer
// ops, vectors, loops that carry values into each other, and conditions, run on
// a device and through a small interpreter.

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

func randomKernel(seed uint64) *simt.Kernel {
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
	return m.Kernel
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

// machine interprets a kernel for one thread.
type machine struct {
	thread, param lane
	values        map[*simt.Value][]lane
	memory        map[*simt.Buffer][]lane
	broke         bool
}

func (m *machine) block(b *simt.Block) {
	for _, op := range b.Ops {
		if m.op(op); m.broke {
			return
		}
	}
}

func (m *machine) while(op *simt.Op) {
	next := op.Args
	for {
		var carried [][]lane
		for _, a := range next {
			carried = append(carried, m.values[a])
		}
		for j, c := range carried {
			m.values[op.Body.Args[j]] = c
		}
		if m.block(op.Body); m.broke {
			for j, c := range carried {
				m.values[op.Out[j]] = c
			}
			m.broke = false
			return
		}
		next = op.Body.Ops[len(op.Body.Ops)-1].Args
	}
}

func (m *machine) one(v *simt.Value) lane { return m.values[v][0] }

func (m *machine) op(op *simt.Op) {
	r := op.Result()
	switch op.Kind {
	case simt.Const:
		m.values[r] = make([]lane, r.Type.Width)
		for i := range m.values[r] {
			m.values[r][i] = lane(int32(op.Number))
		}
	case simt.Param:
		m.values[r] = []lane{m.param}
	case simt.ThreadID:
		m.values[r] = []lane{m.thread}
	case simt.Splat:
		x := m.one(op.Args[0])
		m.values[r] = []lane{x, x, x, x}[:r.Type.Width]
	case simt.Extract:
		m.values[r] = m.values[op.Args[0]][op.Index:][:1]
	case simt.Compose:
		for _, a := range op.Args {
			m.values[r] = append(m.values[r][:len(m.values[r]):len(m.values[r])], m.one(a))
		}
		m.values[r] = m.values[r][len(m.values[r])-r.Type.Width:]
	case simt.Load:
		m.values[r] = []lane{lane(int32(op.Number))}
		if mask := op.Mask(); mask == nil || m.one(mask) != 0 {
			m.values[r] = []lane{m.memory[op.Buffer][m.one(op.Args[0])]}
		}
	case simt.Store:
		if mask := op.Mask(); mask != nil && m.one(mask) == 0 {
			return
		}
		m.memory[op.Buffer][m.one(op.Args[0])] = m.one(op.Args[1])
	case simt.If:
		if m.one(op.Args[0]) != 0 {
			m.block(op.Body)
		}
	case simt.For:
		m.loop(op)
	case simt.Branch:
		way := op.Else
		if m.one(op.Args[0]) != 0 {
			way = op.Body
		}
		m.block(way)
		for i, next := range way.Ops[len(way.Ops)-1].Args {
			m.values[op.Out[i]] = m.values[next]
		}
	case simt.While:
		m.while(op)
	case simt.Break:
		m.broke = m.one(op.Args[0]) != 0
	case simt.Yield:
	default:
		m.elementwise(op)
	}
}

func (m *machine) loop(op *simt.Op) {
	var carried [][]lane
	for _, a := range op.Args[3:] {
		carried = append(carried, m.values[a])
	}
	for i := int32(m.one(op.Args[0])); i < int32(m.one(op.Args[1])); i += int32(m.one(op.Args[2])) {
		m.values[op.Body.Args[0]] = []lane{lane(i)}
		for j, c := range carried {
			m.values[op.Body.Args[1+j]] = c
		}
		m.block(op.Body)
		for j, next := range op.Body.Ops[len(op.Body.Ops)-1].Args {
			carried[j] = m.values[next]
		}
	}
	for j, c := range carried {
		m.values[op.Out[j]] = c
	}
}

func (m *machine) elementwise(op *simt.Op) {
	r := op.Result()
	out := make([]lane, r.Type.Width)
	for i := range out {
		var args [3]lane
		for j, a := range op.Args {
			args[j] = m.values[a][i]
		}
		out[i] = meaning(variant{op.Kind, op.Args[0].Type.Elem, r.Type.Elem, op.Index}, args[0], args[1], args[2])
	}
	m.values[r] = out
}

// checkMachine compares a device with the interpreter on a kernel of the
// buffers "x" and "out" and the word "p".
func checkMachine(t *testing.T, d backend.Device, what string, k *simt.Kernel) {
	t.Helper()
	x := make([]lane, 32)
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range x {
		x[i] = rng.Uint32() >> (rng.Uint32() & 31)
	}
	want := make([]lane, 32*randomSlots)
	for i := range want {
		want[i] = 0xa5a5a5a5
	}
	for i := range 32 {
		m := &machine{thread: lane(i), param: 77, values: map[*simt.Value][]lane{}}
		m.memory = map[*simt.Buffer][]lane{k.Buffers[0]: x, k.Buffers[1]: want}
		m.block(k.Body)
	}
	got := lanesOf(dtype.I32, execute(t, d, k, 1, []uint32{77}, 4*len(want), wordsOf(x)))
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
	kernels := map[string]*simt.Kernel{}
	for seed := range uint64(40) {
		kernels[string(rune('a'+seed%26))+string(rune('a'+seed/26))] = randomKernel(seed)
	}
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, kernels) })
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, kernels, bothArchs...) })
}
