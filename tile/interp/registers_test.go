package interp

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Random programs with nested loops, carried variables that trade places and
// values that live across loops compute what a plain walk over the IR computes:
// registers are never used again too early.
func TestRandomPrograms(t *testing.T) {
	for seed := range uint64(400) {
		g := &generator{rng: rand.New(rand.NewPCG(seed, 1))}
		k := build(t, "random", func(k *tile.Builder) { g.kernel(k) })
		x := newTensor(t, g.rng, dtype.I32, dense, lanes).fill(sample(g.rng, dtype.I32))
		y := newTensor(t, g.rng, dtype.I32, dense, g.outputs*lanes)
		want := walker{input: make([]int32, lanes), output: map[int][]int32{}, values: map[*tile.Value][]int32{}}
		for i := range want.input {
			want.input[i] = int32(x.get(0, i))
		}
		want.region(k.Body)
		run(t, k, []*tensor{x, y})
		y.verify(t, k.String(), func(c []int) (float64, float64) {
			return float64(want.output[c[0]/lanes][c[0]%lanes]), 0
		})
	}
}

const lanes = 4

// generator describes random kernels over I32 tiles.
type generator struct {
	rng     *rand.Rand
	outputs int
	count   *tile.Var // a scalar, for conditions
}

func (g *generator) kernel(k *tile.Builder) {
	x, y := k.In("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
	values := []*tile.Value{x.Block(lanes).Load(0), k.Full(dtype.I32, 3, lanes)}
	var vars []*tile.Var
	g.count = k.Var(k.Int(1))
	for range 2 + g.rng.IntN(3) {
		vars = append(vars, k.Var(g.pick(values)))
	}
	values, _ = g.body(k, values, vars, 0)
	for _, v := range vars {
		values = append(values, v.Get())
	}
	for _, v := range values { // everything is looked at, in a late op
		y.Block(lanes).Store(v, g.outputs)
		g.outputs++
	}
}

func (g *generator) pick(values []*tile.Value) *tile.Value { return values[g.rng.IntN(len(values))] }

// body adds ops; it returns the values that code after it may use.
func (g *generator) body(k *tile.Builder, values []*tile.Value, vars []*tile.Var, depth int) ([]*tile.Value, []*tile.Var) {
	for range 3 + g.rng.IntN(5) {
		v := vars[g.rng.IntN(len(vars))]
		switch g.rng.IntN(8) {
		case 0:
			values = append(values, g.pick(values).Add(g.pick(values)))
		case 1:
			values = append(values, v.Get().Xor(g.pick(values)))
		case 2:
			v.Set(v.Get().Mul(5).Add(g.pick(values)))
		case 3:
			v.Set(g.pick(values))
		case 4: // trade places
			w := vars[g.rng.IntN(len(vars))]
			a, b := v.Get(), w.Get()
			v.Set(b)
			w.Set(a)
		case 6:
			if depth == 3 {
				continue
			}
			way := func() {
				local := append([]*tile.Var(nil), vars...)
				if g.rng.IntN(3) == 0 {
					local = append(local, k.Var(g.pick(values)))
				}
				g.body(k, append([]*tile.Value(nil), values...), local, depth+1)
			}
			b := k.If(g.count.Get().And(1<<g.rng.IntN(3)).Eq(0), way)
			if g.rng.IntN(2) == 0 {
				b.Else(way)
			}
		case 7:
			if depth == 3 {
				continue
			}
			n := k.Var(k.Int(g.rng.IntN(4)))
			for range k.While(func() *tile.Value {
				g.pick(values).Add(v.Get()) // may end a carried value's life before the condition
				return n.Get().Gt(0)
			}) {
				n.Set(n.Get().Sub(1))
				g.count.Set(g.count.Get().Add(n.Get()))
				g.body(k, append([]*tile.Value(nil), values...), append([]*tile.Var(nil), vars...), depth+1)
			}
		case 5:
			if depth == 3 {
				continue
			}
			for i := range k.Range(g.rng.IntN(4)) {
				inner := append(append([]*tile.Value(nil), values...), i.Splat(lanes))
				local := append([]*tile.Var(nil), vars...)
				if g.rng.IntN(2) == 0 {
					local = append(local, k.Var(g.pick(inner)))
				}
				g.body(k, inner, local, depth+1)
			}
		}
	}
	return values, vars
}

// walker executes the kernels of generator without registers.
type walker struct {
	input  []int32
	output map[int][]int32
	values map[*tile.Value][]int32
	stop   bool
}

func (w *walker) region(r *tile.Region) {
	for _, op := range r.Ops {
		var args [][]int32
		for _, a := range op.Args {
			args = append(args, w.values[a])
		}
		switch op.Kind {
		case tile.OpConst:
			w.set(op, func(int) int32 { return int32(op.Number) })
		case tile.OpLoad:
			w.set(op, func(i int) int32 { return w.input[i] })
		case tile.OpSplat:
			w.set(op, func(int) int32 { return args[0][0] })
		case tile.OpStore:
			w.output[int(args[1][0])] = args[0]
		case tile.OpFor:
			w.loop(op, args)
		case tile.OpIf:
			way := op.Else
			if args[0][0] != 0 {
				way = op.Body
			}
			w.region(way)
			for i, y := range way.Ops[len(way.Ops)-1].Args {
				w.values[op.Out[i]] = w.values[y]
			}
		case tile.OpWhile:
			w.while(op, args)
		case tile.OpCondition:
			if w.stop = args[0][0] == 0; w.stop {
				return
			}
		case tile.OpYield:
		default:
			w.set(op, func(i int) int32 { return int32(tile.EvalInt(op.Kind, int64(args[0][i]), int64(args[1][i]))) })
		}
	}
}

func (w *walker) while(op *tile.Op, carried [][]int32) {
	for {
		for j, v := range carried {
			w.values[op.Body.Args[j]] = v
		}
		if w.region(op.Body); w.stop {
			break
		}
		carried = nil
		for _, y := range op.Body.Ops[len(op.Body.Ops)-1].Args {
			carried = append(carried, w.values[y])
		}
	}
	w.stop = false
	for j, v := range op.Out {
		w.values[v] = carried[j]
	}
}

func (w *walker) set(op *tile.Op, f func(i int) int32) {
	out := make([]int32, op.Result().Type().Len())
	for i := range out {
		out[i] = f(i)
	}
	w.values[op.Result()] = out
}

func (w *walker) loop(op *tile.Op, args [][]int32) {
	carried := args[3:]
	for i := args[0][0]; i < args[1][0]; i += args[2][0] {
		w.values[op.Body.Args[0]] = []int32{i}
		for j, v := range carried {
			w.values[op.Body.Args[1+j]] = v
		}
		w.region(op.Body)
		carried = nil
		for _, y := range op.Body.Ops[len(op.Body.Ops)-1].Args {
			carried = append(carried, w.values[y])
		}
	}
	for j, v := range op.Out {
		w.values[v] = carried[j]
	}
}

// A matmul needs three tiles: a, b and one accumulator, updated in place.
func TestAccumulatorInPlace(t *testing.T) {
	p := matmul(t, 32, 64, 16)
	if err := p.Compile(); err != nil {
		t.Fatal(err)
	}
	sizes := map[int]int{}
	for _, n := range p.code.lengths[floats] {
		sizes[n]++
	}
	if len(p.code.lengths[floats]) != 3 || sizes[32*64] != 1 || sizes[32*16] != 1 || sizes[16*64] != 1 {
		t.Errorf("float registers of lengths %v, want one each of a, b and acc", p.code.lengths[floats])
	}
}

// Elementwise chains reuse the register of an operand that is done with.
func TestElementwiseInPlace(t *testing.T) {
	k := build(t, "chain", func(k *tile.Builder) {
		x := k.InOut("x", dtype.F32, 1)
		v := x.Block(64).Load(0)
		x.Block(64).Store(v.Neg().Exp().Add(1.0).Sqrt().Mul(v), 0)
	})
	c, err := compile(k, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	tiles := 0
	for _, n := range c.lengths[floats] {
		if n == 64 {
			tiles++
		}
	}
	if tiles != 3 { // v, the chain, and the tile of ones
		t.Errorf("%d registers for tiles, want 3", tiles)
	}
}

// Two carried variables that start as one value, which nothing else needs, have registers of their own.
func TestSharedInitialValue(t *testing.T) {
	k := build(t, "shared", func(k *tile.Builder) {
		x, y := k.In("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
		init := x.Block(lanes).Load(0)
		a, b := k.Var(init), k.Var(init)
		for range k.Range(3) {
			a.Set(a.Get().Add(1))
			b.Set(b.Get().Mul(2))
		}
		y.Block(lanes).Store(a.Get(), 0)
		y.Block(lanes).Store(b.Get(), 1)
	})
	rng := rand.New(rand.NewPCG(1, 2))
	x := newTensor(t, rng, dtype.I32, dense, lanes).fill(func() float64 { return float64(rng.IntN(1000)) })
	y := newTensor(t, rng, dtype.I32, dense, 2*lanes)
	run(t, k, []*tensor{x, y})
	y.verify(t, "shared", func(c []int) (float64, float64) {
		v := x.get(0, c[0]%lanes)
		if c[0] < lanes {
			return v + 3, 0
		}
		return v * 8, 0
	})
}
