package simt

import "slices"

// An Editor changes a kernel that exists. Passes make their changes with it. What it builds, as a Builder does but
// without merging equal ops, goes to a list of its own, which Rewrite puts in place of a block, and Take hands out.
//
//	e := simt.Edit(k)
//	e.Rewrite(k.Body, func(op *simt.Op) {
//		zero := e.Int(0)             // what is built here precedes the op
//		e.Do(op)                     // an op that is not appended again is removed
//		e.Replace(op.Result(), zero) // in the ops that follow
//	})
type Editor struct {
	Builder
	values map[*Value]*Value
	loops  int
}

// Edit returns an editor of a kernel, with an empty list.
func Edit(k *Func) *Editor { return edit(&numbering{Func: k}) }

// New returns another editor of the same kernel. Its list is empty, and each value stands for itself.
func (e *Editor) New() *Editor { return edit(e.numbering) }

func edit(n *numbering) *Editor {
	return &Editor{Builder: Builder{numbering: n, block: &Block{}, keepsAll: true}}
}

// Take removes the ops of the list and returns them.
func (e *Editor) Take() []*Op {
	ops := e.block.Ops
	e.block.Ops = nil
	return ops
}

// Append appends ops to the list.
func (e *Editor) Append(ops ...*Op) { e.block.Ops = append(e.block.Ops, ops...) }

// Name suggests a name for a value, if the list's last op computes it.
func (e *Editor) Name(hint string, v *Value) *Value {
	if v.Op != nil && v.Op == e.Last() {
		v.Suggest(hint)
	}
	return v
}

// Rewrite calls write for each op of a block and of the blocks within, which come before the op that they belong to. The ops that
// write appends to the list are those of the block afterwards. Operands are replaced as Replace says before write sees them.
func (e *Editor) Rewrite(b *Block, write func(op *Op)) {
	ops := b.Ops
	e.within(&Block{Ops: make([]*Op, 0, len(ops))}, func() {
		for _, op := range ops {
			e.operands(op)
			if op.Kind.IsLoop() {
				e.loops++
			}
			for _, body := range op.Blocks() {
				e.Rewrite(body, write)
			}
			if op.Kind.IsLoop() {
				e.loops--
			}
			write(op)
		}
		if added := len(b.Ops) - len(ops); added > 0 { // constants at the kernel's entry
			e.block.Ops = slices.Concat(b.Ops[:added], e.block.Ops)
		}
		b.Ops = e.block.Ops
	})
}

// InLoop reports whether a loop is around the block that Rewrite is at.
func (e *Editor) InLoop() bool { return e.loops > 0 }

// Same is the result of an op before a pure one that computes the same, nil if there is none: one that Same saw in the block that Rewrite is at, or in a
// block around it.
func (e *Editor) Same(op *Op) *Value { return e.known.same(op) }

// Replace lets a value stand for another one: in what Rewrite, ReplaceUses and Copy come to from then on.
func (e *Editor) Replace(v, by *Value) {
	if e.values == nil {
		e.values = map[*Value]*Value{}
	}
	e.values[v] = by
}

// Value is what stands for a value: itself if nothing else does.
func (e *Editor) Value(v *Value) *Value {
	if by := e.values[v]; by != nil {
		return by
	}
	return v
}

// Replaced reports whether another value stands for one.
func (e *Editor) Replaced(v *Value) bool { return e.values[v] != nil }

func (e *Editor) operands(op *Op) {
	if len(e.values) == 0 {
		return
	}
	for i, a := range op.Args {
		op.Args[i] = e.Value(a)
	}
}

// ReplaceUses replaces the operands of all ops of a block and of the blocks within.
func (e *Editor) ReplaceUses(b *Block) { Walk(b, e.operands) }

// Copy is an op, with copies of its bodies, that computes new values, which stand for those of the op from then on. Its operands are what stands
// for those of the op. It is in no list.
func (e *Editor) Copy(op *Op) *Op {
	cell := e.ops.take()
	c := &cell.op
	*c = *op
	c.Args = append(cell.args[:0], op.Args...)
	e.operands(c)
	c.Body, c.Else = e.CopyBlock(op.Body), e.CopyBlock(op.Else)
	c.Out = e.fresh(cell.out[:0], op.Out, c)
	return c
}

// CopyBlock copies the ops of a block; nil is a copy of nil.
func (e *Editor) CopyBlock(b *Block) *Block {
	if b == nil {
		return nil
	}
	c := &Block{Args: e.fresh(nil, b.Args, nil), Ops: make([]*Op, len(b.Ops))}
	for i, op := range b.Ops {
		c.Ops[i] = e.Copy(op)
	}
	return c
}

// fresh appends new values, which stand for others, to a list.
func (e *Editor) fresh(list, values []*Value, op *Op) []*Value {
	for _, v := range values {
		c := e.NewValue(v.Type, v.Hint)
		c.Op = op
		e.Replace(v, c)
		list = append(list, c)
	}
	return slices.Clip(list)
}

// Carry lets a loop carry one value more. It returns what the body has as it and what the loop gives in the end; the yield still lacks the next one.
func (e *Editor) Carry(loop *Op, initial *Value, hint string) (now, final *Value) {
	now, final = e.NewValue(initial.Type, hint), e.NewValue(initial.Type, hint)
	final.Op = loop
	loop.Args, loop.Body.Args, loop.Out = append(loop.Args, initial), append(loop.Body.Args, now), append(loop.Out, final)
	return now, final
}

// DropResults removes results of an op with bodies, by their numbers, and what a loop carries for them.
func (op *Op) DropResults(dead func(i int) bool) {
	initial, params := op.Carried()
	if initial != nil {
		op.Args = dropped(op.Args, len(op.Args)-len(initial), dead)
		op.Body.Args = dropped(op.Body.Args, len(op.Body.Args)-len(params), dead)
	}
	for _, b := range op.Blocks() {
		b.Yield().Args = dropped(b.Yield().Args, 0, dead)
	}
	op.Out = dropped(op.Out, 0, dead)
}

// dropped is a list without those values that are dead, which are counted from first on.
func dropped(values []*Value, first int, dead func(i int) bool) []*Value {
	kept := slices.Clone(values[:first])
	for i, v := range values[first:] {
		if !dead(i) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Erase removes ops of a block and of the blocks within.
func Erase(b *Block, dead func(op *Op) bool) {
	b.Ops = slices.DeleteFunc(b.Ops, dead)
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			Erase(body, dead)
		}
	}
}

// Insert puts ops before one of a block, InsertAfter after it.
func (b *Block) Insert(at *Op, ops ...*Op) {
	b.Ops = slices.Insert(b.Ops, slices.Index(b.Ops, at), ops...)
}

// InsertAfter puts ops after one of a block.
func (b *Block) InsertAfter(at *Op, ops ...*Op) {
	b.Ops = slices.Insert(b.Ops, slices.Index(b.Ops, at)+1, ops...)
}
