package simtpass

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// expand writes a loop anew by its schedule and returns what goes before it and after it.
//
//	prologue          of each group that runs ahead, the iterations that the loop will not come to
//	steady state      the groups in order, each for its iteration
//	epilogue          of each group that runs after, the last iteration
//
// Values that cross from one group to another are carried in registers, as many of each as there are iterations between them, and
// accesses to circular buffers are to the stage of their group's iteration.
func (s *schedule) expand() (before, after []*simt.Op) {
	if len(s.groups) == 1 { // no policy found anything
		return nil, nil
	}
	x := &expander{schedule: s, crossing: map[*group][]*simt.Value{}, made: map[*simt.Value][]*simt.Value{}, carried: map[*simt.Value][]*simt.Value{}}
	once := map[*simt.Value]bool{}
	for _, g := range s.groups { // groups that are as far ahead may have the same ops
		x.crossing[g] = slices.DeleteFunc(s.crossed(g), func(v *simt.Value) bool {
			again := once[v]
			once[v] = true
			return again
		})
	}
	before = append(s.before, x.prologue()...)
	x.carryValues()
	x.steady()
	return before, append(x.epilogue(), s.after...)
}

type expander struct {
	*schedule
	crossing map[*group][]*simt.Value      // what ops of groups that run less far ahead need of one
	made     map[*simt.Value][]*simt.Value // by the prologue: what values of groups that run ahead are in each iteration
	carried  map[*simt.Value][]*simt.Value // what a value that crosses was one iteration of the new loop ago, two ago, …
	offsets  map[*simt.Shared]*simt.Value  // of the own iteration's stages
}

// An instance is a group for one iteration.
type instance struct {
	*simt.Editor
	*expander
	group  *group
	exists *simt.Value                                  // whether the iteration exists
	stage  func(b *circular) (stage, phase *simt.Value) // of the iteration
	last   *simt.Value                                  // of a group that runs after: the index that follows its iteration's
	stages map[*circular]*simt.Value                    // of the iteration, even if it does not exist
	masked bool                                         // loads take exists as a mask
	again  bool                                         // what the own iteration read is read again if the iteration does not exist
}

func (x *expander) instance(g *group) *instance {
	return &instance{Editor: x.edit.New(), expander: x, group: g, stages: map[*circular]*simt.Value{}}
}

// prologue is the first iterations of the groups that run ahead, those first that run ahead most.
func (x *expander) prologue() (ops []*simt.Op) {
	ahead := slices.DeleteFunc(slices.Clone(x.groups), func(g *group) bool { return g.ahead < 1 })
	slices.SortStableFunc(ahead, func(a, b *group) int { return cmp.Compare(b.ahead, a.ahead) })
	for len(ahead) > 0 {
		g, n := ahead[0], 1
		if g.opening == nil {
			ops = append(ops, x.begin(g)...)
		} else {
			for n < len(ahead) && ahead[n].opening == g.opening {
				n++
			}
			ops = append(ops, x.open(ahead[:n])...)
		}
		ahead = ahead[n:]
	}
	return ops
}

// begin is a group for as many first iterations as it is ahead.
func (x *expander) begin(g *group) (ops []*simt.Op) {
	index, hi, step := x.loop.Args[0], x.loop.Args[1], x.loop.Args[2]
	var exists *simt.Value
	for k := range g.ahead {
		i := x.instance(g)
		if k == 0 {
			exists = i.Name("more", i.Binary(simt.Lt, index, hi))
		} else {
			was := exists
			if index, exists = later(i.Editor, x.loop, index, step); x.loop.Wraps {
				exists = i.Name("more", i.Binary(simt.And, was, exists))
			}
		}
		i.Replace(x.index(), index)
		i.exists, i.masked = exists, g.absent == repeated || g.absent == masked
		i.stage = i.from(x.loop.Args[3:], k)
		x.run(i, k)
		ops = append(ops, i.Take()...)
	}
	return ops
}

// from is the stages of an iteration so much after the one for which the loop carries values, or before it.
func (i *instance) from(carried []*simt.Value, by int) func(b *circular) (*simt.Value, *simt.Value) {
	_, params := i.loop.Carried()
	return func(b *circular) (*simt.Value, *simt.Value) {
		stage, phase := carried[slices.Index(params, b.stage)], b.phase
		if phase != nil {
			phase = carried[slices.Index(params, phase)]
		}
		return b.move(i.Editor, stage, phase, by)
	}
}

// run runs an instance of the prologue for iteration k, and keeps what later groups need of it.
func (x *expander) run(i *instance, k int) {
	for v, made := range x.made {
		if k < len(made) {
			i.Replace(v, made[k])
		}
	}
	i.run()
	for _, op := range i.group.ops {
		for _, v := range op.Out {
			x.made[v] = append(x.made[v], i.Value(v))
		}
	}
}

// open is groups for the first iteration, in a branch.
func (x *expander) open(groups []*group) []*simt.Op {
	e, o := x.edit.New(), groups[0].opening
	branch := &simt.Op{Kind: simt.Branch, Args: []*simt.Value{e.Binary(simt.Lt, x.loop.Args[0], x.loop.Args[1])}, Line: x.loop.Line}
	ops, yes, no := slices.Clone(o.begin), &simt.Op{Kind: simt.Yield}, &simt.Op{Kind: simt.Yield}
	for _, g := range groups {
		i := x.instance(g)
		i.Replace(x.index(), x.loop.Args[0])
		i.stage = i.from(x.loop.Args[3:], 0)
		x.run(i, 0)
		ops = append(ops, i.Take()...)
	}
	for _, g := range groups {
		for _, v := range x.crossing[g] {
			out := e.NewValue(v.Type, v.Hint)
			out.Op, branch.Out = branch, append(branch.Out, out)
			yes.Args, no.Args = append(yes.Args, x.made[v][0]), append(no.Args, e.Const(v.Type, 0))
			x.made[v] = []*simt.Value{out}
		}
	}
	branch.Body, branch.Else = &simt.Block{Ops: append(append(ops, o.end...), yes)}, &simt.Block{Ops: []*simt.Op{no}}
	return append(e.Take(), branch)
}

// crossed are the values of a group that runs ahead which ops that run less far ahead need, and do not compute themselves.
func (s *schedule) crossed(g *group) (values []*simt.Value) {
	if g.ahead < 1 {
		return nil
	}
	used, own := map[*simt.Value]bool{}, map[*simt.Op]bool{}
	use := func(op *simt.Op) {
		for _, a := range op.Args {
			used[a] = true
		}
	}
	for _, other := range s.groups {
		if other.ahead < g.ahead {
			simt.Walk(&simt.Block{Ops: other.ops}, use)
			for _, op := range other.ops {
				own[op] = true
			}
		}
	}
	use(s.loop.Body.Yield())
	for _, op := range g.ops {
		for _, v := range op.Out {
			if used[v] && !own[op] {
				values = append(values, v)
			}
		}
	}
	return values
}

// carryValues makes the loop carry what crosses from groups that run ahead.
func (x *expander) carryValues() {
	for _, g := range x.groups {
		for _, v := range x.crossing[g] {
			for n := range g.ahead {
				now, _ := x.edit.Carry(x.loop, x.made[v][g.ahead-1-n], v.Hint)
				x.carried[v] = append(x.carried[v], now)
			}
		}
	}
}

// steady writes the loop's body.
func (x *expander) steady() {
	body := x.loop.Body
	yield := body.Yield()
	var ops []*simt.Op
	now := x.edit.New()                               // what crosses, as the own iteration has it
	computed := map[int]map[*simt.Value]*simt.Value{} // by groups so many iterations ahead
	for _, g := range x.groups {
		if g.ahead == 0 {
			ops = append(ops, x.offset(g.ops)...)
			ops = append(ops, shiftAccesses(x.edit.New(), g.ops, x.offsets)...)
			continue
		}
		i := x.shifted(g)
		for v, value := range computed[g.ahead] {
			i.Replace(v, value)
		}
		i.run()
		if computed[g.ahead] == nil {
			computed[g.ahead] = map[*simt.Value]*simt.Value{}
		}
		for _, op := range g.ops {
			for _, v := range op.Out {
				computed[g.ahead][v] = i.Value(v)
			}
		}
		ops = append(ops, i.Take()...)
		for _, v := range x.crossing[g] {
			was := x.carried[v]
			now.Replace(v, was[len(was)-1])
			yield.Args = append(yield.Args, i.Value(v))
			yield.Args = append(yield.Args, was[:len(was)-1]...)
		}
	}
	for _, b := range x.buffers {
		ops = append(ops, b.next...)
	}
	body.Ops = append(ops, yield)
	now.ReplaceUses(body)
}

// offset computes, before the first ops that access circular buffers, where their stages begin.
func (x *expander) offset(ops []*simt.Op) []*simt.Op {
	accessed := false
	simt.Walk(&simt.Block{Ops: ops}, func(op *simt.Op) { accessed = accessed || x.circularOf(op.Shared) != nil })
	if !accessed || x.offsets != nil {
		return nil
	}
	e := x.edit.New()
	x.offsets = map[*simt.Shared]*simt.Value{}
	for _, a := range x.Kernel.Shared {
		if b := x.circularOf(a); b != nil {
			x.offsets[a] = e.Name("stage", e.Binary(simt.Mul, b.stage, e.Int(b.sizes[a])))
		}
	}
	return e.Take()
}

// shifted is a group in the steady state.
func (x *expander) shifted(g *group) *instance {
	i, index := x.instance(g), x.index()
	_, params := x.loop.Carried()
	i.stage, i.last = i.from(params, g.ahead), index
	for v, was := range x.carried {
		if n := len(was) - g.ahead; n > 0 && n <= len(was) {
			i.Replace(v, was[n-1])
		}
	}
	if g.ahead < 0 {
		return i
	}
	next, exists := later(i.Editor, x.loop, index, i.Binary(simt.Mul, x.loop.Args[2], i.Int(g.ahead)))
	if i.exists, i.again = exists, g.absent == repeated; i.again {
		next = i.Name("next", i.Select(exists, next, index))
	}
	i.masked = g.absent == masked
	i.Replace(index, next)
	return i
}

// epilogue is the last iteration of the groups that run after it.
func (x *expander) epilogue() (ops []*simt.Op) {
	for _, g := range x.groups {
		switch {
		case g.ahead >= 0:
			continue
		case g.epilogue != nil:
			ops = append(ops, g.epilogue...)
			continue
		}
		i := x.instance(g)
		i.stage, i.last = i.from(x.loop.Out, g.ahead), x.loop.Args[1]
		i.run()
		ops = append(ops, i.Take()...)
	}
	return ops
}

// run emits the ops of an instance's group.
func (i *instance) run() {
	var effects []*simt.Op
	for _, op := range i.group.ops {
		copied := i.copy(op)
		if i.group.absent == skipped && !op.Kind.IsPure() && i.exists != nil {
			effects = append(effects, copied)
		} else {
			i.Do(copied)
		}
	}
	if len(effects) > 0 {
		i.Do(&simt.Op{Kind: simt.If, Args: []*simt.Value{i.exists}, Body: &simt.Block{Ops: effects}, Line: i.loop.Line})
	}
	for _, op := range i.group.closing {
		i.Do(i.Copy(op))
	}
}

// copy is an op for the instance's iteration.
func (i *instance) copy(op *simt.Op) *simt.Op {
	for _, a := range op.Args {
		i.find(a)
	}
	copied := i.Copy(op)
	if b := i.circularOf(op.Shared); b != nil {
		copied.Args[0] = shift(i.Editor, copied.Args[0], i.place(b, op))
	}
	switch {
	case op.Kind == simt.Load && i.masked:
		mask := i.exists
		if old := copied.Mask(); old != nil {
			mask = i.Emit(&simt.Op{Kind: simt.And, Args: []*simt.Value{old, mask}, Line: op.Line}, mask.Type)
		}
		copied.Args = []*simt.Value{copied.Args[0], mask}
	case i.group.absent == predicate:
		copied.Args = append(copied.Args, i.Binary(simt.Lt, i.loop.Args[0], i.last))
	}
	return copied
}

// find finds what a stage or a phase is in the instance's iteration.
func (i *instance) find(v *simt.Value) {
	if i.Replaced(v) {
		return
	}
	for _, b := range i.buffers {
		if v != b.stage && v != b.phase {
			continue
		}
		stage, phase := i.stage(b)
		if i.stages[b] = stage; i.again {
			stage = i.Name("stage", i.Select(i.exists, stage, b.stage))
			if phase != nil {
				phase = i.Name("phase", i.Select(i.exists, phase, b.phase))
			}
		}
		if i.Replace(b.stage, stage); phase != nil {
			i.Replace(b.phase, phase)
		}
		return
	}
}

// place is where the stage begins that an op accesses.
func (i *instance) place(b *circular, op *simt.Op) *simt.Value {
	i.find(b.stage)
	stage := i.Value(b.stage)
	if op.Kind.Writes() {
		stage = i.stages[b]
	}
	return i.Binary(simt.Mul, stage, i.Int(b.sizes[op.Shared]))
}

// later is the index of an iteration of a loop so much after that of another, and whether there is one.
func later(e *simt.Editor, loop *simt.Op, index, by *simt.Value) (next, exists *simt.Value) {
	hi := loop.Args[1]
	next = e.Name("ahead", e.Binary(simt.Add, index, by))
	if n, known := simt.ConstOf(by); !loop.Wraps || known && n == 1 {
		return next, e.Name("more", e.Binary(simt.Lt, next, hi))
	}
	unsigned := func(v *simt.Value) *simt.Value {
		return e.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{v}}, simt.Scalar(dtype.U32))
	}
	left := e.Name("left", e.Binary(simt.Sub, unsigned(hi), unsigned(index)))
	return next, e.Name("more", e.Binary(simt.Gt, left, unsigned(by)))
}
