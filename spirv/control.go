package spirv

import (
	"strings"

	"github.com/weftgpu/weft/simt"
)

// printers are the kinds that are no values of others. Kinds that neither they nor the table of instructions have are refused:
// the matrix instructions and the copies of CUDA.
var printers [simt.NumKinds]func(w *writer, op *simt.Op) error

func init() {
	for kind, print := range map[simt.Kind]func(w *writer, op *simt.Op) error{
		simt.Const: (*writer).nothing,
		simt.Yield: (*writer).nothing,

		simt.Load: (*writer).load, simt.SharedLoad: (*writer).load,
		simt.Store: (*writer).storing, simt.SharedStore: (*writer).storing,
		simt.Atomic: (*writer).atomic, simt.SharedAtomic: (*writer).sharedAtomic,

		simt.CooperativeLoad: (*writer).loadMatrix, simt.CooperativeStore: (*writer).storeMatrix, simt.CooperativeMulAdd: (*writer).multiply,

		simt.Barrier: (*writer).barrier, simt.Issue: (*writer).issue,
		simt.For: (*writer).loop, simt.While: (*writer).while, simt.Break: (*writer).leave,
		simt.If: (*writer).condition, simt.Branch: (*writer).branch, simt.Exit: (*writer).exit,
	} {
		printers[kind] = print
	}
	for kind := range instructions {
		printers[kind] = (*writer).value
	}
}

// nothing prints what is printed elsewhere: constants where they are used, what bodies yield by the op that has them.
func (w *writer) nothing(*simt.Op) error { return nil }

func (w *writer) storing(op *simt.Op) error {
	w.store(op)
	return nil
}

// block prints the ops of one. Masked stores that follow each other share a selection.
func (w *writer) block(b *simt.Block) error {
	for i := 0; i < len(b.Ops); {
		n := sameMask(b.Ops[i:])
		if n > 0 {
			if err := w.masked(b.Ops[i : i+n]); err != nil {
				return err
			}
			i += n
			continue
		}
		if err := w.op(b.Ops[i]); err != nil {
			return err
		}
		i++
	}
	return nil
}

func (w *writer) op(op *simt.Op) error {
	print := printers[op.Kind]
	if print == nil {
		return unsupported(op)
	}
	return print(w, op)
}

func isStore(op *simt.Op) bool { return op.Kind == simt.Store || op.Kind == simt.SharedStore }

// sameMask is how many ops, from a masked store on, are stores of its mask or compute values for them.
func sameMask(ops []*simt.Op) (n int) {
	if !isStore(ops[0]) || ops[0].Mask() == nil {
		return 0
	}
	for i, op := range ops {
		switch {
		case isStore(op) && op.Mask() == ops[0].Mask():
			n = i + 1
		case !op.Kind.IsPure():
			return n
		}
	}
	return n
}

// masked prints the values first, and then the stores.
func (w *writer) masked(ops []*simt.Op) error {
	for _, op := range ops {
		if isStore(op) {
			continue
		}
		if err := w.op(op); err != nil {
			return err
		}
	}
	w.comment(ops[0])
	return w.selection(w.of(ops[0].Mask()), func() error {
		for _, op := range ops {
			if isStore(op) {
				w.store(op)
			}
		}
		return nil
	})
}

// start begins a block.
func (w *writer) start(label string) {
	w.fn.lines = append(w.fn.lines, instruction(label, "OpLabel"))
	w.fn.label = label
}

// choose branches, to come together at a block.
func (w *writer) choose(condition, then, otherwise, after string) {
	w.line("OpSelectionMerge %s None", after)
	w.line("OpBranchConditional %s %s %s", condition, then, otherwise)
}

// selection prints a body that is executed if a condition holds.
func (w *writer) selection(condition string, body func() error) error {
	then, after := w.id(""), w.id("")
	w.choose(condition, then, after, after)
	w.start(then)
	err := w.scoped(body)
	w.line("OpBranch %s", after)
	w.start(after)
	return err
}

func (w *writer) condition(op *simt.Op) error {
	w.comment(op)
	return w.selection(w.of(op.Args[0]), func() error { return w.block(op.Body) })
}

// exit ends the workgroup if a condition holds.
func (w *writer) exit(op *simt.Op) error {
	w.comment(op)
	then, after := w.id(""), w.id("")
	w.choose(w.of(op.Args[0]), then, after, after)
	w.start(then)
	w.line("OpReturn")
	w.start(after)
	return nil
}

// branch prints a Branch, whose results come from the way that was taken.
func (w *writer) branch(op *simt.Op) error {
	w.comment(op)
	labels := []string{w.id(""), w.id("")}
	after := w.id("")
	w.choose(w.of(op.Args[0]), labels[0], labels[1], after)
	from := make([][]string, len(op.Out))
	for i, body := range op.Blocks() {
		w.start(labels[i])
		if err := w.scoped(func() error { return w.block(body) }); err != nil {
			return err
		}
		for j, v := range body.Yield().Args {
			from[j] = append(from[j], w.of(v), w.fn.label)
		}
		w.line("OpBranch %s", after)
	}
	w.start(after)
	for i, out := range op.Out {
		w.set(out, w.emit(out.Hint, "OpPhi", w.typ(out.Type), from[i]...))
	}
	return nil
}

// carried are the OpPhi of a loop's first block, which are complete when the loop's end is printed.
type carried struct {
	line   int    // of the first
	before string // the block before the loop
}

// carry begins a loop's first block, with an OpPhi for each of some values.
func (w *writer) carry(head string, params []*simt.Value) carried {
	c := carried{before: w.fn.label, line: len(w.fn.lines) + 2}
	w.line("OpBranch %s", head)
	w.start(head)
	for _, p := range params {
		id := w.id(p.Hint)
		w.set(p, id)
		w.fn.lines = append(w.fn.lines, instruction(id, "OpPhi "+w.typ(p.Type)))
	}
	return c
}

// complete adds where the values come from: from before the loop, or from the block at its end.
func (w *writer) complete(c carried, initial, next []string, end string) {
	for i := range initial {
		w.fn.lines[c.line+i] += " " + strings.Join([]string{initial[i], c.before, next[i], end}, " ")
	}
}

// loop prints a For with its test at the end, in a selection unless it is known to have an iteration: compilers then compute once, before the
// loop, what does not change in it.
func (w *writer) loop(op *simt.Op) error {
	w.comment(op)
	initial := w.all(op.Args[3:])
	if startsAlways(op) {
		next, err := w.repeat(op, initial)
		for i, out := range op.Out {
			w.set(out, next[i])
		}
		return err
	}
	before := w.fn.label
	then, after := w.id(""), w.id("")
	inside := w.pure("", "OpSLessThan", boolean, w.of(op.Args[0]), w.of(op.Args[1]))
	w.choose(inside, then, after, after)
	w.start(then)
	var next []string
	err := w.scoped(func() (err error) {
		next, err = w.repeat(op, initial)
		return err
	})
	if err != nil {
		return err
	}
	last := w.fn.label
	w.line("OpBranch %s", after)
	w.start(after)
	for i, out := range op.Out {
		w.set(out, w.emit(out.Hint, "OpPhi", w.typ(out.Type), initial[i], before, next[i], last))
	}
	return nil
}

// startsAlways reports whether a For is known to have an iteration.
func startsAlways(op *simt.Op) bool {
	lo, okLo := simt.ConstOf(op.Args[0])
	hi, okHi := simt.ConstOf(op.Args[1])
	return okLo && okHi && lo < hi
}

// control is what a driver is told about unrolling a For. A loop with barriers has its loads where they should be. A driver of NVIDIA that is not told
// makes eight copies of it, spills the registers of its matrices, and takes seconds.
func control(op *simt.Op) string {
	switch {
	case op.Unroll:
		return "Unroll"
	case synchronises(op.Body):
		return "DontUnroll"
	}
	return "None"
}

// synchronises reports whether a block has a barrier.
func synchronises(b *simt.Block) (does bool) {
	simt.Walk(b, func(op *simt.Op) { does = does || op.Kind == simt.Barrier })
	return does
}

// repeat prints the blocks of a For that has an iteration, and says what it carries in the end.
func (w *writer) repeat(op *simt.Op, initial []string) ([]string, error) {
	end, step := w.of(op.Args[1]), w.of(op.Args[2])
	head, body, next, after := w.id(""), w.id(""), w.id(""), w.id("")
	c := w.carry(head, op.Body.Args)
	index := w.of(op.Body.Args[0])
	w.line("OpLoopMerge %s %s %s", after, next, control(op))
	w.line("OpBranch %s", body)
	w.start(body)
	if err := w.scoped(func() error { return w.block(op.Body) }); err != nil {
		return nil, err
	}
	w.line("OpBranch %s", next)
	w.start(next)
	yielded := w.all(op.Body.Yield().Args)
	var advanced, again string
	_ = w.scoped(func() error {
		advanced = w.advance(op, index, end, step)
		again = w.pure("", "OpSLessThan", boolean, advanced, end)
		return nil
	})
	w.line("OpBranchConditional %s %s %s", again, head, after)
	w.complete(c, append([]string{w.of(op.Args[0])}, initial...), append([]string{advanced}, yielded...), next)
	w.start(after)
	return yielded, nil
}

// advance is the next index of a loop: its end where one more step leaves 32 bits.
func (w *writer) advance(op *simt.Op, index, end, step string) string {
	next := w.pure("", "OpIAdd", i32, index, step)
	if !op.MayWrap() {
		return next
	}
	left := w.pure("", "OpISub", i32, end, index)
	return w.pure("", "OpSelect", i32, w.pure("", "OpUGreaterThan", boolean, left, step), next, end)
}

// while prints a While: a loop that is left by its Break.
func (w *writer) while(op *simt.Op) error {
	w.comment(op)
	initial := w.all(op.Args)
	head, body, next, after := w.id(""), w.id(""), w.id(""), w.id("")
	c := w.carry(head, op.Body.Args)
	w.line("OpLoopMerge %s %s None", after, next)
	w.line("OpBranch %s", body)
	w.start(body)
	outer := w.fn.after
	w.fn.after = after
	err := w.scoped(func() error { return w.block(op.Body) })
	w.fn.after = outer
	if err != nil {
		return err
	}
	w.line("OpBranch %s", next)
	w.start(next)
	w.line("OpBranch %s", head)
	w.complete(c, initial, w.all(op.Body.Yield().Args), next)
	w.start(after)
	for i, out := range op.Out {
		w.set(out, w.of(op.Body.Args[i]))
	}
	return nil
}

// leave prints a Break.
func (w *writer) leave(op *simt.Op) error {
	w.comment(op)
	rest := w.id("")
	w.line("OpBranchConditional %s %s %s", w.of(op.Args[0]), w.fn.after, rest)
	w.start(rest)
	return nil
}

// Memory semantics: acquire and release, of shared memory and of buffers.
const (
	acquire        = 0x2
	acquireRelease = 0x8
	bufferMemory   = 0x40
	sharedMemory   = 0x100
	makeAvailable  = 0x2000
	makeVisible    = 0x4000
)

// issue is a barrier of a subgroup that orders accesses to buffers. Compilers move no load past it, and it waits for none.
func (w *writer) issue(op *simt.Op) error {
	w.comment(op)
	scope := w.word(subgroupScope)
	w.line("OpControlBarrier %s %s %s", scope, scope, w.word(acquireRelease|bufferMemory))
	return nil
}

// barrier makes the workgroup meet and orders the accesses of its threads.
func (w *writer) barrier(op *simt.Op) error {
	w.comment(op)
	semantics := uint32(acquireRelease | sharedMemory)
	if w.isExplicit() {
		semantics |= makeAvailable | makeVisible
	}
	if op.Buffers {
		semantics |= bufferMemory
	}
	scope := w.word(workgroupScope)
	w.line("OpControlBarrier %s %s %s", scope, scope, w.word(semantics))
	return nil
}
