package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// asyncCopies makes loops that put what they load into shared memory start those copies several iterations ahead, as
// asynchronous ones that need no registers. A shared array that is filled so becomes a ring of as many stages as iterations
// are in flight:
//
//	before the loop   copies of the first stages-1 iterations, a group for each
//	in the loop       wait for the group of this iteration, and a barrier, after which all threads see what
//	                  it brought and are done with the stage before; copies to that one for stages-1 iterations
//	                  later; then the iteration, with its loads from the ring's current stage
//
// An array qualifies if the loop alone uses it, if each store to it is of what one load gave, whole
// and as it is, and if those loads qualify as for the pass pipeline. Zeros must be what a masked load gives.
// What threads convert on the way is left to that pass. Words that fused multiply-adds need transposed, of the K-major operand,
// are copied one by one (see assignment.copied). What threads make of a ring for products of warpgroups runs ahead of them (see ahead).
func asyncCopies(r *Context) {
	if r.Caps.AsyncCopy && r.Stages > 1 {
		r.asyncBlock(r.Kernel.Body, false)
	}
}

func (r *Context) asyncBlock(b *simt.Block, again bool) {
	var out []*simt.Op
	ops := b.Ops
	for _, op := range ops {
		loop := op.Kind.IsLoop()
		for _, body := range op.Blocks() {
			r.asyncBlock(body, again || loop)
		}
		if op.Kind == simt.For {
			if before := r.ring(op, again); before != nil {
				rest, stores := lateStores(out, op)
				out = slices.Concat(rest, before, stores)
			}
		}
		out = append(out, op)
	}
	constants := b.Ops[:len(b.Ops)-len(ops)] // that were added meanwhile
	b.Ops = append(constants[:len(constants):len(constants)], out...)
}

// lateStores divides what stands before a loop into stores of what the loop reads and the rest, after which they may stand: so copies start before
// threads wait for what they store.
func lateStores(ops []*simt.Op, loop *simt.Op) (rest, stores []*simt.Op) {
	read, used := map[*simt.Shared]bool{}, map[*simt.Shared]bool{}
	simt.Walk(loop.Body, func(op *simt.Op) { read[op.Shared] = true })
	for _, op := range slices.Backward(ops) {
		if op.StoresShared() && read[op.Shared] && !used[op.Shared] {
			stores = append(stores, op)
			continue
		}
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) { used[inner.Shared] = true })
		rest = append(rest, op)
	}
	slices.Reverse(rest)
	slices.Reverse(stores)
	return rest, stores
}

// copyPair is a store to a shared array of what a load gave.
type copyPair struct{ load, store *simt.Op }

// ring turns one loop's copies into asynchronous ones and returns the ops that go before it. again says
// that the loop runs more than once.
func (r *Context) ring(loop *simt.Op, again bool) (before []*simt.Op) {
	slice, loads := loadSlice(loop.Body)
	pairs := r.copyPairs(loop, loads)
	stages := r.fitStages(loop, pairs)
	if len(pairs) == 0 || stages < 2 || loop.MayWrap() {
		return nil
	}
	var started []*simt.Op
	gone := map[*simt.Op]bool{}
	sizes := map[*simt.Shared]int{} // of a stage
	for _, p := range pairs {
		started = append(started, p.load)
		gone[p.load], gone[p.store] = true, true
		sizes[p.store.Shared] = p.store.Shared.Len
	}
	slice = needed(slice, started)
	for s, n := range sizes {
		s.Stages, s.Len = stages, n*stages
	}
	ids := simt.Edit(r.Kernel)
	c := &ringBuilder{cloner: cloner{ids: ids}, pairs: pairs, slice: slice, loop: loop, sizes: sizes}
	before = c.first(stages, again)
	stage := c.next(stages)
	offsets := map[*simt.Shared]*simt.Value{}
	for _, p := range pairs {
		if s := p.store.Shared; offsets[s] == nil {
			offsets[s] = c.binary(simt.Mul, stage, ids.Int(sizes[s]), "stage")
		}
	}
	following := c.turn(stage, 1, stages)
	yield := loop.Body.Ops[len(loop.Body.Ops)-1]
	yield.Args = append(yield.Args, following)
	rest := c.ops
	for _, op := range loop.Body.Ops {
		if !gone[op] {
			rest = append(rest, op)
		}
	}
	loop.Body.Ops = shiftReads(rest, offsets, ids)
	r.Notes = append(r.Notes, fmt.Sprintf("%s: %d asynchronous copies a thread and iteration, %d stages in flight", loop.Line, len(pairs), stages))
	return append(before, r.prepareAhead(c, stage, following, stages)...)
}

// first starts the copies of all stages but one before the loop.
func (c *ringBuilder) first(stages int, again bool) []*simt.Op {
	at, hi, step := c.loop.Args[0], c.loop.Args[1], c.loop.Args[2]
	if again { // threads may still read what the loop left when it ran before
		c.ops = append(c.ops, &simt.Op{Kind: simt.Barrier, Line: c.loop.Line})
	}
	for stage := range stages - 1 {
		if stage > 0 {
			at = c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{at, step}}, at.Type, "")
		}
		more := c.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{at, hi}}, simt.Scalar(dtype.Bool), "more")
		c.start(at, more, func(size int) *simt.Value { return c.ids.Int(stage * size) })
	}
	return c.ops
}

// next begins the loop's body: it waits for the stage that this iteration reads, which it returns, and starts to fill the one before it.
func (c *ringBuilder) next(stages int) (stage *simt.Value) {
	stage = c.carry(c.ids.Int(0))
	c.ops = []*simt.Op{{Kind: simt.CopyWait, Pending: stages - 2, Line: c.loop.Line}, {Kind: simt.Barrier, Line: c.loop.Line}}
	next, more := c.ahead(c.loop, c.binary(simt.Mul, c.loop.Args[2], c.ids.Int(stages-1), ""), "ahead")
	fill := c.turn(stage, -1, stages)
	c.start(next, more, func(size int) *simt.Value { return c.binary(simt.Mul, fill, c.ids.Int(size), "") })
	return stage
}

// ringBuilder adds a ring's ops to a loop.
type ringBuilder struct {
	cloner
	pairs []copyPair
	slice []*simt.Op
	loop  *simt.Op
	sizes map[*simt.Shared]int
}

// start emits the copies of the iteration with an index, if there is one, to a stage given by its offset, and
// commits them as a group.
func (c *ringBuilder) start(index, more *simt.Value, offset func(size int) *simt.Value) {
	c.values = map[*simt.Value]*simt.Value{c.loop.Body.Args[0]: index}
	var pure []*simt.Op
	for _, op := range c.slice {
		if op.Kind != simt.Load {
			pure = append(pure, op)
		}
	}
	c.clone(pure)
	at := func(v *simt.Value) *simt.Value {
		if moved := c.values[v]; moved != nil {
			return moved
		}
		return v
	}
	var copies []*simt.Op
	for _, p := range c.pairs {
		s := p.store.Shared
		to := c.shift(p.store.Args[0], offset(c.sizes[s]))
		op := &simt.Op{Kind: simt.CopyAsync, Shared: s, Buffer: p.load.Buffer, Line: p.store.Line, Cost: p.store.Cost,
			Count: p.store.Args[1].Type.Width, Args: []*simt.Value{to, at(p.load.Args[0])}}
		if p.store.Packed {
			op.Count *= simt.PerWord(s.Elem)
		}
		if mask := p.load.Mask(); mask != nil {
			op.Args = append(op.Args, at(mask))
		}
		copies = append(copies, op)
	}
	c.ops = append(c.ops,
		&simt.Op{Kind: simt.If, Args: []*simt.Value{more}, Body: &simt.Block{Ops: copies}, Line: c.loop.Line},
		&simt.Op{Kind: simt.CopyCommit, Line: c.loop.Line})
}

// binary emits an integer op unless it folds.
func (c *cloner) binary(kind simt.Kind, x, y *simt.Value, hint string) *simt.Value {
	if v := c.ids.Fold(kind, x, y); v != nil {
		return v
	}
	return c.emit(&simt.Op{Kind: kind, Args: []*simt.Value{x, y}}, x.Type, hint)
}

// turn is the stage after one, or before it.
func (c *ringBuilder) turn(stage *simt.Value, by, stages int) *simt.Value {
	last, first := c.ids.Int(stages-1), c.ids.Int(0)
	if by < 0 {
		last, first = first, last
	}
	end := c.emit(&simt.Op{Kind: simt.Eq, Args: []*simt.Value{stage, last}}, simt.Scalar(dtype.Bool), "")
	moved := c.binary(simt.Add, stage, c.ids.Int(by), "")
	return c.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{end, first, moved}}, stage.Type, "stage")
}

// carry makes the loop carry one value more, whose next one its Yield still lacks.
func (c *ringBuilder) carry(initial *simt.Value) *simt.Value {
	now, final := c.ids.NewValue(initial.Type, "stage"), c.ids.NewValue(initial.Type, "stage")
	final.Op = c.loop
	c.loop.Args = append(c.loop.Args, initial)
	c.loop.Body.Args = append(c.loop.Body.Args, now)
	c.loop.Out = append(c.loop.Out, final)
	return now
}

// shiftReads makes loads from rings read the stage at an offset.
func shiftReads(ops []*simt.Op, offsets map[*simt.Shared]*simt.Value, ids *simt.Builder) (out []*simt.Op) {
	for _, op := range ops {
		for _, body := range op.Blocks() {
			body.Ops = shiftReads(body.Ops, offsets, ids)
		}
		if by := offsets[op.Shared]; by != nil && op.Kind != simt.CopyAsync {
			c := cloner{ids: ids}
			op.Args[0] = c.shift(op.Args[0], by)
			out = append(out, c.ops...)
		}
		out = append(out, op)
	}
	return out
}

// shift is an index moved by an offset. A constant part is added last: accesses add it for nothing, and no register holds
// the sum through a loop.
func (c *cloner) shift(index, by *simt.Value) *simt.Value {
	var constant *simt.Value
	if op := index.Op; op != nil && op.Kind == simt.Add {
		if _, ok := simt.ConstOf(op.Args[1]); ok {
			index, constant = op.Args[0], op.Args[1]
		}
	}
	sum := c.ids.Fold(simt.Add, index, by)
	if sum == nil {
		sum = c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{index, by}}, index.Type, "")
	}
	if constant != nil {
		sum = c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{sum, constant}}, index.Type, "")
	}
	return sum
}

// copyPairs finds the loads and stores of a loop that asynchronous copies can take the place of.
func (r *Context) copyPairs(loop *simt.Op, loads []*simt.Op) (pairs []copyPair) {
	ahead := map[*simt.Op]bool{}
	for _, op := range loads {
		ahead[op] = true
	}
	uses, inside := map[*simt.Value]int{}, map[*simt.Value]bool{}
	total, within := map[*simt.Shared]int{}, map[*simt.Shared]int{} // accesses to an array
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		for _, a := range op.Args {
			uses[a]++
		}
		total[op.Shared]++
	})
	for _, v := range loop.Body.Args {
		inside[v] = true
	}
	simt.Walk(loop.Body, func(op *simt.Op) {
		for _, v := range op.Out {
			inside[v] = true
		}
		within[op.Shared]++
	})
	stores, fit := map[*simt.Shared]int{}, map[*simt.Shared]int{}
	simt.Walk(loop.Body, func(op *simt.Op) {
		if op.StoresShared() {
			stores[op.Shared]++
		}
	})
	var all []copyPair
	for _, op := range loop.Body.Ops {
		if op.Kind != simt.SharedStore || op.Mask() != nil || inside[op.Args[0]] || total[op.Shared] != within[op.Shared] {
			continue
		}
		if load := op.Args[1].Op; load != nil && ahead[load] && uses[op.Args[1]] == 1 && copies(load, op) {
			all = append(all, copyPair{load, op})
			fit[op.Shared]++
		}
	}
	for _, p := range all {
		if s := p.store.Shared; fit[s] == stores[s] {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// copies reports whether a store of what a load gave is a copy of 4, 8 or 16 bytes.
func copies(load, store *simt.Op) bool {
	e, width := load.Buffer.Elem, load.Result().Type.Width
	bytes := width * 4
	if !load.Packed {
		bytes = width * e.Size()
	}
	return e == store.Shared.Elem && !load.Buffer.Write && load.Packed == store.Packed && (load.Packed || simt.Register(e) == e) &&
		(load.Mask() == nil || load.Fill == 0) && (bytes == 4 || bytes == 8 || bytes == 16)
}

// fitStages is how many stages of the pairs' arrays there is room for, at most those that are asked for.
func (r *Context) fitStages(loop *simt.Op, pairs []copyPair) int {
	seen, stage := map[*simt.Shared]bool{}, 0
	for _, p := range pairs {
		if s := p.store.Shared; !seen[s] {
			seen[s] = true
			stage += s.Bytes()
		}
	}
	var after map[*simt.Shared]bool // what will alias the circular buffers
	if slices.Contains(r.Kernel.Body.Ops, loop) {
		_, after = lateArrays(r.Kernel, func(s *simt.Shared) bool { return seen[s] })
	}
	stages, room := r.Stages, r.Caps.SharedBytes
	need := func() int {
		rest, late := r.unstagedBytes(seen, after, room-stages*stage)
		return rest + max(stages*stage, late)
	}
	for stages > 1 && room > 0 && need() > room {
		stages--
	}
	return stages
}
