package interp

import (
	"errors"
	"slices"
	"sync"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// code is a compiled kernel: its steps, and the lengths of the registers in each bank.
type code struct {
	steps   []step
	lengths [numClasses][]int
	meets   []int // the steps at which the programs of a cluster exchange tiles
	nests   int   // loops in machine code

	notes    []string
	gathered []int     // views that these gather from
	workers  sync.Pool // of *worker
}

// reg names a register.
type reg struct {
	class class
	index int
}

// compiler turns ops into steps and assigns registers.
type compiler struct {
	life
	code
	where map[*tile.Value]reg // registers of the values that are alive
	free  map[freeKey][]int   // registers to use again, by class and length
	pins  map[reg]int         // registers that loops keep for carried values

	options *Options
}

type freeKey struct {
	class  class
	length int
}

func compile(k *tile.Func, o *Options) (*code, error) {
	if err := tile.Verify(k); err != nil {
		return nil, err
	}
	how := inGo
	switch {
	case !o.Native || o.Check:
	case processor.Best > processor.None:
		how = withGathers
	default:
		how = copying
	}
	code, err := compileAs(k, o, how)
	if errors.Is(err, native.ErrNoCode) { // the system lets no program make any
		return compileAs(k, o, copying)
	}
	return code, err
}

// manner is how far a program is more than its ops one by one.
type manner uint8

const (
	inGo          manner = iota // not at all
	copying                     // what moves elements does so without a look at them
	inMachineCode               // ops on elements are machine code
	withGathers                 // and gathers from up to 2^31 elements
)

// compileAs compiles a verified kernel in a manner.
func compileAs(k *tile.Func, o *Options, how manner) (*code, error) {
	c := &compiler{life: lifeOf(k, how), where: map[*tile.Value]reg{}, free: map[freeKey][]int{}, pins: map[reg]int{}, options: o}
	steps, err := c.region(k.Body)
	if err != nil {
		return nil, err
	}
	c.steps = steps
	return &c.code, nil
}

func (c *compiler) region(r *tile.Region) ([]step, error) {
	var steps []step
	order := c.order(r)
	for i := 0; i < len(order.ops); i++ {
		op := order.ops[i]
		if op.Kind == tile.OpYield {
			continue
		}
		g := order.first[op]
		if g != nil && c.how <= copying && !c.onlyCopies(g) {
			g = nil
		}
		if err := c.ready(op, g); err != nil {
			return nil, err
		}
		if g != nil {
			s, err := c.fuse(g)
			if err != nil {
				return nil, err
			}
			steps = append(steps, s)
			for _, op := range g.ops {
				c.release(op)
			}
			i += len(g.ops) - 1
			continue
		}
		args := make([]reg, len(op.Args))
		for i, a := range op.Args {
			args[i] = c.where[a]
		}
		s, err := c.op(op)
		if err != nil {
			return nil, err
		}
		c.noteStep(op)
		if op.Kind == tile.OpPeer { // which stands in no body
			c.meets = append(c.meets, len(steps))
		}
		if c.options.Check {
			s = c.checked(op, args, s)
		}
		steps = append(steps, s)
		c.release(op)
	}
	return steps, nil
}

// ready checks that what an op or its group takes has registers: a value without one would be read from that of another.
func (c *compiler) ready(op *tile.Op, g *group) error {
	ops := []*tile.Op{op}
	if g != nil {
		ops = g.ops
	}
	for i, op := range ops {
		for _, v := range c.args(op) {
			if _, ok := c.where[v]; !ok && (v.Op() == nil || !slices.Contains(ops[:i], v.Op())) {
				return fault.New(fault.ErrKernel, op.Kind.String(), "the interpreter ordered this op before one that makes its argument %v; this is an error of package interp", v).At(op.Pos.String())
			}
		}
	}
	return nil
}

// op compiles one op and binds its results to registers.
func (c *compiler) op(op *tile.Op) (step, error) {
	switch op.Kind.Fact().Class {
	case tile.Leaf:
		return c.leaf(op)
	case tile.Unary, tile.Binary, tile.Compare, tile.Ternary:
		return c.elementwise(op)
	case tile.Reduction:
		if c.inPairs(op) {
			return c.halve(op)
		}
		return c.shape(op)
	case tile.Shape:
		return c.shape(op)
	case tile.Combine:
		return c.combine(op)
	case tile.Matrix:
		if op.Kind == tile.OpDot {
			return c.dot(op), nil
		}
	case tile.Memory:
		switch op.Kind {
		case tile.OpLoad, tile.OpStore:
			if c.how > inGo && isRaw(op.View.Elem) && op.View.Rank > 0 {
				return c.block(op), nil
			}
		}
		switch op.Kind {
		case tile.OpLoad:
			coords := c.indices(op.Args)
			dst := c.define(op.Result())
			return banks[dst.class].load(op, dst.index, coords), nil
		case tile.OpStore:
			src := c.where[op.Args[0]]
			return banks[src.class].store(op, src.index, c.indices(op.Args[1:])), nil
		default:
			return c.points(op)
		}
	case tile.Debug:
		return c.debug(op), nil
	case tile.Hint:
		return c.hint(op)
	case tile.Control:
		switch op.Kind {
		case tile.OpFor:
			return c.loop(op)
		case tile.OpIf:
			return c.branch(op)
		case tile.OpWhile:
			return c.while(op)
		case tile.OpCondition:
			cond := c.where[op.Args[0]].index
			return func(w *worker) { w.stop = !w.b[cond][0] }, nil
		case tile.OpExit:
			cond := c.where[op.Args[0]].index
			return func(w *worker) { w.exit = w.b[cond][0] }, nil
		}
	}
	return nil, unknown(op)
}

// unknown reports an op that the interpreter forgot; a test keeps this from happening.
func unknown(op *tile.Op) error {
	return fault.New(fault.ErrKernel, op.Kind.String(), "the interpreter does not know this op").At(op.Pos.String())
}

// indices returns the register numbers of values.
func (c *compiler) indices(vs []*tile.Value) []int {
	list := make([]int, len(vs))
	for i, v := range vs {
		list[i] = c.where[v].index
	}
	return list
}

// alloc returns a register for a value of type t, a free one if there is one.
func (c *compiler) alloc(t tile.Type) reg {
	key := freeKey{classOf(t.Elem), t.Len()}
	if list := c.free[key]; len(list) > 0 {
		c.free[key] = list[:len(list)-1]
		return reg{key.class, list[len(list)-1]}
	}
	c.lengths[key.class] = append(c.lengths[key.class], key.length)
	return reg{key.class, len(c.lengths[key.class]) - 1}
}

// drop gives a register back, unless a loop keeps it.
func (c *compiler) drop(r reg) {
	if c.pins[r] == 0 {
		key := freeKey{r.class, c.lengths[r.class][r.index]}
		c.free[key] = append(c.free[key], r.index)
	}
}

// define binds a new value to a register of its own.
func (c *compiler) define(v *tile.Value) reg {
	r := c.alloc(v.Type())
	c.where[v] = r
	return r
}

// take binds v to the register of a value that dies at op, if one of the
// candidates does and has the right size; otherwise to a new register.
func (c *compiler) take(op *tile.Op, v *tile.Value, candidates ...*tile.Value) reg {
	class, length := classOf(v.Type().Elem), v.Type().Len()
	for _, x := range candidates {
		if r, ok := c.where[x]; ok && c.last[x] == op && r.class == class && x.Type().Len() == length {
			delete(c.where, x)
			c.where[v] = r
			return r
		}
	}
	return c.define(v)
}

// release frees the registers of values that die at op.
func (c *compiler) release(op *tile.Op) {
	for _, v := range c.dying[op] {
		if r, ok := c.where[v]; ok {
			delete(c.where, v)
			c.drop(r)
		}
	}
	for _, v := range op.Out {
		if r, ok := c.where[v]; ok && c.last[v] == nil {
			delete(c.where, v)
			c.drop(r)
		}
	}
}

// leaf compiles ops without operands.
func (c *compiler) leaf(op *tile.Op) (step, error) {
	dst := c.define(op.Result())
	d, axis := dst.index, op.Axis
	switch op.Kind {
	case tile.OpConst:
		return banks[dst.class].constant(op.Result().Type().Elem, d, op.Number), nil
	case tile.OpProgramID:
		return func(w *worker) { w.i[d][0] = int32(w.id[axis]) }, nil
	case tile.OpNumPrograms:
		return func(w *worker) { w.i[d][0] = int32(w.grid[axis]) }, nil
	case tile.OpDim:
		view := op.View.Index
		return func(w *worker) { w.i[d][0] = int32(w.views[view].size[axis]) }, nil
	case tile.OpIota:
		a := axisOf(op.Result().Type().Shape, axis)
		return func(w *worker) { numberAlong(w.i[d], a) }, nil
	case tile.OpArg:
		return argument(dst, op.Scalar.Index), nil
	}
	return nil, unknown(op)
}

// loop compiles a For. Each carried value has a register that the loop keeps;
// at the end of an iteration the yielded values' registers trade places with
// them, so that nothing is copied, and an op that updated the register in place
// needs not even that.
func (c *compiler) loop(op *tile.Op) (step, error) {
	bounds := c.indices(op.Args[:3])
	enter, carried := c.enter(op, op.Args[3:], op.Body.Args[1:])
	index := c.define(op.Body.Args[0])
	c.pins[index]++
	body, err := c.region(op.Body)
	if err != nil {
		return nil, err
	}
	body = append(body, c.yield(op.Body, carried)...)
	c.pins[index]--
	c.drop(index)
	c.leave(op, op.Body.Args[1:], carried)
	delete(c.where, op.Body.Args[0])
	return runLoop(op, bounds, index.index, enter, body), nil
}

// enter gives a loop's carried values registers that the loop keeps, and
// returns the steps that fill them.
func (c *compiler) enter(op *tile.Op, inits, args []*tile.Value) (enter []step, carried []reg) {
	carried = make([]reg, len(op.Out))
	for i, init := range inits {
		arg := args[i]
		if c.last[init] == op && count(op.Args, init) == 1 && !c.usedIn(op.Body, init) {
			carried[i] = c.where[init] // dies here: the loop takes it over
			delete(c.where, init)
		} else {
			carried[i] = c.alloc(init.Type())
			enter = append(enter, banks[carried[i].class].copy(carried[i].index, c.where[init].index))
		}
		c.where[arg] = carried[i]
		c.pins[carried[i]]++
	}
	return enter, carried
}

// leave makes the carried registers those of the loop's results.
func (c *compiler) leave(op *tile.Op, args []*tile.Value, carried []reg) {
	for i, r := range carried {
		c.pins[r]--
		delete(c.where, args[i])
		c.where[op.Out[i]] = r
	}
}

// yield moves the yielded values to the carried registers, all at once.
func (c *compiler) yield(body *tile.Region, carried []reg) []step {
	end := body.Ops[len(body.Ops)-1]
	var steps []step
	var copies []reg
	from := make([]reg, len(end.Args)) // where the next value of each carried register is
	for i, v := range end.Args {
		from[i] = c.where[v]
		if c.home[v] != body || slices.Contains(end.Args[:i], v) { // still needed where it is
			from[i] = c.alloc(v.Type())
			copies = append(copies, from[i])
			steps = append(steps, banks[from[i].class].copy(from[i].index, c.where[v].index))
		}
	}
	for i, to := range carried {
		if from[i] == to {
			continue
		}
		steps = append(steps, banks[to.class].swap(to.index, from[i].index))
		for j := i + 1; j < len(from); j++ { // follow what the swap moved
			if from[j] == to {
				from[j] = from[i]
			}
		}
	}
	for _, r := range copies {
		c.drop(r)
	}
	c.release(end)
	return steps
}

// runLoop is a For at run time.
func runLoop(op *tile.Op, bounds []int, index int, enter, body []step) step {
	pos := op.Pos.String()
	return func(w *worker) {
		lo, hi, by := int64(w.i[bounds[0]][0]), int64(w.i[bounds[1]][0]), int64(w.i[bounds[2]][0])
		for _, s := range enter {
			s(w)
		}
		if by <= 0 {
			w.fail(fault.New(fault.ErrKernel, "for", "the step is %d, want more than 0", by).At(pos))
			return
		}
		for i := lo; i < hi && w.goesOn(); i += by {
			w.i[index][0] = int32(i)
			for _, s := range body {
				s(w)
			}
		}
	}
}

func count(vs []*tile.Value, v *tile.Value) int {
	n := 0
	for _, x := range vs {
		if x == v {
			n++
		}
	}
	return n
}
