package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// Random integer programs, executed by the interpreter, never contradict what is claimed of
// their values: every value of every region is looked at whenever it is computed.
func TestAxisFactsHold(t *testing.T) {
	t.Parallel()
	programs := testenv.Share(1500)
	if testing.Short() {
		programs = 200
	}
	told := 0
	for seed := range programs {
		g := &axisGenerator{rng: rand.New(rand.NewPCG(uint64(seed), 11))}
		k, err := tile.Build("random", g.kernel)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		told += checkFacts(t, fmt.Sprintf("seed %d", seed), k, g.rng)
	}
	if told < programs {
		t.Errorf("%d facts were told of %d programs: they say next to nothing", told, programs)
	}
}

// checkFacts runs a kernel on a random view and checks the facts of every value; it returns how many
// of them say something.
func checkFacts(t *testing.T, name string, k *tile.Func, rng *rand.Rand) (told int) {
	t.Helper()
	r := newAxisRun(t, k, rng)
	a := analyse(k, FactsOf(r.layouts, []int{0, 1}))
	e := tile.Edit(k)
	original := map[int]*tile.Value{} // by the copy's id
	showAll(k.Body, e.Func.Body, original)
	checked := map[*tile.Value]bool{}
	failed := false
	look := func(f interp.Frame) {
		for _, v := range f.Values {
			of := original[v.ID]
			fact := a.of(of)
			if why := contradiction(fact, v); why != "" && !failed {
				failed = true
				t.Errorf("%s: %v is claimed to be %v, but %s, in program %v of %v:\n%v\n%v", name, of, fact, why, f.Program, r.grid, v, k)
			}
			if !checked[of] && !fact.equal(nothing(of.Type())) {
				told++
			}
			checked[of] = true
		}
	}
	r.run(t, name, e.Func, interp.Options{Break: look})
	if failed {
		t.FailNow()
	}
	return told
}

// axisRun is a launch of a random program on random arguments.
type axisRun struct {
	layouts []layout.Layout
	words   []uint32
	grid    [3]int
	input   []byte
	outputs int // elements
}

func newAxisRun(t *testing.T, k *tile.Func, rng *rand.Rand) axisRun {
	t.Helper()
	size := 1 + rng.IntN(40)
	if rng.IntN(2) == 0 {
		size = 1 << rng.IntN(7)
	}
	r := axisRun{input: machine.RandomBytes(rng, dtype.I32, size)}
	var err error
	if r.grid, err = k.GridAt([][]int{{size}, {0}}, nil); err != nil {
		t.Fatal(err)
	}
	r.outputs = r.grid[0] * r.grid[1] * shownValues * 64
	r.layouts = []layout.Layout{strided(t, []int{size}, []int{1}, 0), strided(t, []int{r.outputs}, []int{1}, 0)}
	if r.words, err = k.Words(r.layouts, []uint32{rng.Uint32() >> rng.IntN(32)}); err != nil {
		t.Fatal(err)
	}
	return r
}

// run executes a kernel in the interpreter and returns what it puts out.
func (r axisRun) run(t *testing.T, name string, k *tile.Func, o interp.Options) []byte {
	t.Helper()
	out := make([]byte, 4*r.outputs)
	if err := (&interp.Program{Kernel: k, Buffers: []int{0, 1}, Options: o}).Run(r.grid, [][]byte{clone([][]byte{r.input})[0], out}, r.words); err != nil {
		t.Fatalf("%s: %v\n%v", name, err, k)
	}
	return out
}

// showAll puts breakpoints behind all ops of a copy of a region.
func showAll(from, to *tile.Region, original map[int]*tile.Value) {
	var ops []*tile.Op
	show := func(from, to []*tile.Value) {
		for i, v := range to {
			original[v.ID()] = from[i]
			ops = append(ops, &tile.Op{Kind: tile.OpBreakpoint, Args: []*tile.Value{v}})
		}
	}
	show(from.Args, to.Args)
	for i, op := range to.Ops {
		ops = append(ops, op)
		if op.Kind.Fact().Class == tile.Control {
			for j, body := range op.Regions() {
				showAll(from.Ops[i].Regions()[j], body, original)
			}
		}
		show(from.Ops[i].Out, op.Out)
	}
	to.Ops = ops
}

// contradiction tells where a value is not as claimed.
func contradiction(f valueFact, v interp.Value) string {
	modulus := int64(1) << (8 * v.Type.Elem.Size())
	for i, x := range v.Data {
		if f.known && (x < float64(f.lo) || x > float64(f.hi)) {
			return fmt.Sprintf("element %d is %v", i, x)
		}
		stride := len(v.Data)
		for d, n := range f.shape {
			stride /= n
			axis := f.axes[d]
			at := i / stride % n
			if first := v.Data[i-at%axis.constancy*stride]; first != x && (first == first || x == x) {
				return fmt.Sprintf("element %d is %v and not %v along axis %d", i, x, first, d)
			}
			if !v.Type.Elem.IsInt() {
				continue
			}
			inRun := at % axis.contiguity
			first := v.Data[i-inRun*stride]
			if (int64(x)-int64(first)-int64(inRun))%modulus != 0 {
				return fmt.Sprintf("element %d is %v behind %v along axis %d", i, x, first, d)
			}
			if inRun == 0 && int64(x)%int64(axis.divisibility) != 0 {
				return fmt.Sprintf("element %d is %v along axis %d", i, x, d)
			}
		}
	}
	return ""
}

// axisGenerator makes random programs of integers.
type axisGenerator struct {
	rng    *rand.Rand
	k      *tile.Builder
	x      *tile.View
	values []*tile.Value // that may be used here
	vars   []*tile.Var
	depth  int

	indices []*tile.Value // of the loops around
}

var axisShapes = [][]int{nil, nil, {16}, {4}, {1, 8}, {4, 8}, {4, 1}, {2, 4, 8}, {1}}

func (g *axisGenerator) kernel(k *tile.Builder) {
	g.k = k
	g.x = k.In("x", dtype.I32, 1)
	arg := k.Scalar("n", dtype.I32)
	blocks := k.CDiv(g.x.Dim(0), 1<<g.rng.IntN(4))
	switch g.rng.IntN(4) {
	case 0:
		k.Grid(blocks)
	case 1:
		k.Grid(blocks.Mul(k.CDiv(g.x.Dim(0), 16)))
	case 2:
		k.Grid(3, 2)
	default:
		k.Grid(1)
	}
	g.values = append(g.values, arg, g.x.Dim(0), k.ProgramID(0), k.NumPrograms(0), blocks)
	g.values = append(g.values, k.ProgramID(0).Rem(blocks), k.ProgramID(0).Div(blocks))
	g.values = append(g.values, g.x.Block(16).Load(k.ProgramID(0)), k.ProgramID(0).Mul(16).Add(k.Arange(16)))
	g.ops(12 + g.rng.IntN(25))
	out := k.Out("out", dtype.I32, 1)
	at := k.ProgramID(1).Mul(k.NumPrograms(0)).Add(k.ProgramID(0)).Mul(shownValues)
	for i := range shownValues {
		if v := pick(g, g.values); v.Type().Len() <= 64 {
			v = v.Cast(dtype.I32)
			if !v.Type().IsScalar() {
				v = v.Reshape(v.Type().Len())
			}
			out.Block(64).Store(g.fitted(v), at.Add(i))
		}
	}
}

// shownValues is how many values a program puts out, in 64 elements each.
const shownValues = 8

// fitted repeats the elements of a value to 64.
func (g *axisGenerator) fitted(v *tile.Value) *tile.Value {
	if v.Type().IsScalar() {
		return v.Splat(64)
	}
	n := v.Type().Len()
	return v.Reshape(1, n).Broadcast(64/n, n).Reshape(64)
}

func (g *axisGenerator) ops(n int) {
	scope := len(g.values)
	for range n {
		if v := g.op(); v != nil {
			g.values = append(g.values, v)
		}
	}
	if g.depth > 0 {
		g.values = g.values[:scope]
	}
}

func pick[T any](g *axisGenerator, list []T) T { return list[g.rng.IntN(len(list))] }

// number is a constant of a type, often a power of two or at an edge.
func (g *axisGenerator) number(e dtype.Type) float64 {
	s := spanOf(e)
	list := []int64{0, 1, 2, 4, 8, 16, 3, 7, 15, -1, -2, -8, -16, 5, 100, 31, 32, s.lo, s.hi, s.hi - 1, s.lo + 1, s.hi / 2, 1 << 30, 1 << g.rng.IntN(31), g.rng.Int64N(1000) - 500}
	for {
		if x := pick(g, list); x >= s.lo && x <= s.hi {
			return float64(x)
		}
	}
}

var axisElems = []dtype.Type{dtype.I32, dtype.I32, dtype.I32, dtype.I32, dtype.U32, dtype.U32, dtype.I8, dtype.U8, dtype.Bool}

// value is one of the values so far, or a new leaf, of a type that is asked for; nil takes any.
func (g *axisGenerator) value(elem dtype.Type, shape []int) *tile.Value {
	var fit []*tile.Value
	for _, v := range g.values {
		if e := v.Type().Elem; (elem == dtype.Invalid && e.IsInt() || e == elem) && tile.TileOf(e, shape...).Equal(v.Type()) {
			fit = append(fit, v)
		}
	}
	for _, v := range g.vars {
		if e := v.Get().Type().Elem; (elem == dtype.Invalid || e == elem) && tile.TileOf(e, shape...).Equal(v.Get().Type()) {
			fit = append(fit, v.Get())
		}
	}
	if len(fit) > 0 && g.rng.IntN(3) > 0 {
		return pick(g, fit[max(0, len(fit)-6):])
	}
	if elem == dtype.Invalid {
		elem = pick(g, axisElems[:8])
	}
	if len(shape) == 0 {
		return g.k.Const(elem, g.number(elem))
	}
	v := g.k.Iota(g.rng.IntN(len(shape)), shape...).Cast(elem)
	switch g.rng.IntN(4) {
	case 0:
		return g.k.Full(elem, g.number(elem), shape...)
	case 1:
		return g.value(elem, nil).Splat(shape...)
	case 2:
		if elem != dtype.Bool {
			v = v.Add(g.value(elem, nil))
		}
	}
	return v
}

// op appends a random op and returns its result, if it has one.
func (g *axisGenerator) op() *tile.Value {
	k, shape := g.k, pick(g, axisShapes)
	x := g.value(dtype.Invalid, shape)
	elem := x.Type().Elem
	y := g.value(elem, shape)
	if g.rng.IntN(2) == 0 {
		y = k.Const(elem, g.number(elem))
		if len(shape) > 0 {
			y = y.Splat(shape...)
		}
	}
	if g.rng.IntN(4) == 0 {
		x, y = y, x
	}
	binary := []func(v *tile.Value, x tile.Operand) *tile.Value{(*tile.Value).Add, (*tile.Value).Sub, (*tile.Value).Mul, (*tile.Value).Div,
		(*tile.Value).Rem, (*tile.Value).Minimum, (*tile.Value).Maximum, (*tile.Value).And, (*tile.Value).Or, (*tile.Value).Xor, (*tile.Value).Shl, (*tile.Value).Shr}
	compare := []func(v *tile.Value, x tile.Operand) *tile.Value{(*tile.Value).Eq, (*tile.Value).Ne, (*tile.Value).Lt, (*tile.Value).Le, (*tile.Value).Gt, (*tile.Value).Ge}
	switch n := g.rng.IntN(24); n {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		return pick(g, binary)(x, y)
	case 8, 9:
		return pick(g, compare)(x, y)
	case 10:
		return k.Where(g.value(dtype.Bool, shape), x, y)
	case 11:
		if elem.IsSigned() {
			return pick(g, []func(*tile.Value) *tile.Value{(*tile.Value).Neg, (*tile.Value).Abs, (*tile.Value).Not})(x)
		}
		return x.Not()
	case 12:
		return x.Cast(pick(g, append(axisElems, dtype.F32)))
	case 13:
		if b := g.value(dtype.Bool, shape); g.rng.IntN(2) == 0 {
			return b.And(g.value(dtype.Bool, shape)).Or(b.Not())
		}
		return x.Cast(dtype.F32).Mul(0.5).Cast(elem)
	case 14, 15:
		return g.reshaped(x)
	case 16:
		if len(shape) > 1 || len(shape) == 1 && shape[0] > 1 {
			axis := g.rng.IntN(len(shape))
			return pick(g, []func(int) *tile.Value{x.Sum, x.Max, x.Min, x.Prod})(axis)
		}
	case 17, 18:
		g.loop()
	case 19:
		g.branch()
	case 20:
		return g.hint(x)
	case 21:
		if len(g.vars) > 0 {
			v := pick(g, g.vars)
			v.Set(g.value(v.Get().Type().Elem, v.Get().Type().Shape))
		}
	case 22:
		if g.rng.IntN(2) == 0 { // a block at a coordinate that neither overflows
			c := g.value(dtype.I32, nil).And(7)
			if len(g.indices) > 0 && g.rng.IntN(4) > 0 {
				c = pick(g, g.indices)
			}
			return g.x.Block(pick(g, []int{4, 16})).Load(c)
		}
		return g.x.At(g.value(dtype.I32, shape)).Gather()
	case 23:
		if elem == dtype.I32 {
			return x.Bitcast(dtype.U32)
		}
	}
	return nil
}

func (g *axisGenerator) reshaped(x *tile.Value) *tile.Value {
	shape := x.Type().Shape
	switch n := x.Type().Len(); {
	case len(shape) == 0:
		return x.Splat(pick(g, axisShapes[2:])...)
	case len(shape) == 2 && shape[0] == 1:
		return x.Broadcast(4, 8)
	case len(shape) == 2 && shape[1] == 1:
		return x.Broadcast(4, 8)
	case n == 64 && g.rng.IntN(2) == 0:
		return x.Permute(pick(g, [][]int{{2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}})...).Reshape(pick(g, [][]int{{64}, {8, 8}, {2, 4, 8}, {16, 4}, {4, 2, 8}})...)
	case n == 64:
		return x.Reshape(8, 8).Reshape(4, 2, 8).Permute(1, 0, 2)
	case n == 16 && g.rng.IntN(2) == 0:
		return x.Reshape(pick(g, [][]int{{4, 4}, {2, 8}, {1, 16}, {2, 2, 4}})...).Add(1)
	case n == 16:
		first, second := x.Reshape(8, 2).Split()
		return first.Join(second.Mul(2)).Reshape(16)
	case n == 32:
		return x.Join(x.Add(1)).Reshape(64).Reshape(2, 4, 8)
	}
	return nil
}

func (g *axisGenerator) loop() {
	if g.depth > 1 {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	k := g.k
	before := len(g.vars)
	for range g.rng.IntN(3) {
		shape := pick(g, axisShapes)
		g.vars = append(g.vars, k.Var(g.value(dtype.Invalid, shape)))
	}
	lo, step := k.Int(g.rng.IntN(9)-4), k.Int(1+g.rng.IntN(5))
	hi := lo.Add(g.value(dtype.I32, nil).And(3))
	switch g.rng.IntN(4) {
	case 0, 1:
		lo, hi, step = k.Int(0), k.CDiv(g.x.Dim(0), 16), k.Int(1)
	case 2: // persistent
		lo, step = k.ProgramID(0), k.NumPrograms(0)
		hi = lo.Add(g.value(dtype.I32, nil).And(3))
	}
	if g.rng.IntN(3) == 0 {
		count := k.Var(k.Int(0))
		for range k.While(func() *tile.Value { return count.Get().Lt(hi) }) {
			g.ops(2 + g.rng.IntN(5))
			count.Set(count.Get().Add(step))
		}
	} else {
		for i := range k.RangeStep(lo, hi, step) {
			scope := len(g.values)
			g.values, g.indices = append(g.values, i, i), append(g.indices, i)
			g.ops(2 + g.rng.IntN(5))
			for _, v := range g.vars {
				if g.rng.IntN(2) == 0 {
					c := v.Get().Type()
					v.Set(pick(g, []func(tile.Operand) *tile.Value{v.Get().Add, v.Get().Mul, v.Get().Sub, v.Get().Maximum})(g.value(c.Elem, c.Shape)))
				}
			}
			g.values, g.indices = g.values[:scope], g.indices[:len(g.indices)-1]
		}
	}
	for _, v := range g.vars[before:] {
		g.values = append(g.values, v.Get())
	}
	g.vars = g.vars[:before]
}

func (g *axisGenerator) branch() {
	if g.depth > 1 {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	b := g.k.If(g.value(dtype.I32, nil).And(1).Eq(g.k.ProgramID(0).And(1)), func() { g.ops(3) })
	if g.rng.IntN(2) == 0 {
		b.Else(func() { g.ops(3) })
	}
}

// hint gives promises that hold.
func (g *axisGenerator) hint(x *tile.Value) *tile.Value {
	t := x.Type()
	if t.Elem != dtype.I32 {
		return nil
	}
	n := 1 << g.rng.IntN(4)
	if !t.IsScalar() {
		last := len(t.Shape) - 1
		n = min(n, t.Shape[last])
		return x.Min(last).And(-n).Broadcast(t.Shape...).Add(g.k.Iota(last, t.Shape...)).Contiguous(n)
	}
	switch g.rng.IntN(3) {
	case 0:
		return x.Mul(n).MultipleOf(n)
	case 1:
		small := x.And(g.x.Dim(0).Minimum(1).Mul(15))
		g.k.Assume(small.Lt(16).And(small.Ge(0)))
		return small
	}
	g.k.Assume(g.x.Dim(0).Ge(1))
	return g.x.Dim(0).Sub(1).Div(4)
}
