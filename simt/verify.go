package simt

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Verify checks a kernel: values are defined before their use and in scope,
// types fit, loops are well formed, barriers stand where all threads pass, and
// buffers and shared arrays belong to the kernel.
func Verify(k *Func) error {
	v := &verifier{kernel: k, buffers: map[*Buffer]bool{}, shared: map[*Shared]bool{}, blocks: map[*Block]bool{}, maps: map[*TensorMap]bool{nil: true}}
	v.shared[nil] = true
	for _, m := range k.Maps {
		v.maps[m] = true
	}
	for _, b := range k.Buffers {
		v.buffers[b] = true
	}
	for _, s := range k.Shared {
		v.shared[s] = true
	}
	if k.Threads <= 0 || k.Threads > maxThreads || k.Threads&(k.Threads-1) != 0 {
		return fault.New(fault.ErrKernel, k.Name, "%d threads", k.Threads)
	}
	if err := declarations(k); err != nil {
		return err
	}
	if k.Body == nil || len(k.Body.Args) > 0 || slices.Contains(k.Body.Ops, nil) {
		return fault.New(fault.ErrKernel, k.Name, "no ops, or arguments of them")
	}
	v.blocks[k.Body] = true
	if err := v.block(k.Body, nil, false); err != nil {
		return err
	}
	if err := v.matrices(k); err != nil {
		return err
	}
	if err := v.uniform(k); err != nil {
		return err
	}
	return v.clusters(k)
}

// No device has larger workgroups, or larger shared arrays.
const (
	maxThreads = 1 << 12
	maxShared  = 1 << 24
	// maxConsumers is how many groups have barriers of their own: those of the hardware but the one of all threads.
	maxConsumers = 15
)

// declarations checks the memory and the launch words of a kernel.
func declarations(k *Func) error {
	for _, b := range k.Buffers {
		if !b.Elem.Valid() {
			return fault.New(fault.ErrKernel, k.Name, "buffer of %v", b.Elem).For(b.Name)
		}
		if b.Streamed && b.Write {
			return fault.New(fault.ErrKernel, k.Name, "a buffer that is streamed and written").For(b.Name)
		}
	}
	for _, m := range k.Maps {
		if err := checkMap(k, m); err != nil {
			return fault.New(fault.ErrKernel, k.Name, "%v", err).For(m.Name)
		}
	}
	if r := k.Registers; k.Resident < 0 || r != (Registers{}) && (k.Producers == 0 || min(r.Producer, r.Consumer) < 8 || r.Producer%8 != 0 || r.Consumer%8 != 0) {
		return fault.New(fault.ErrKernel, k.Name, "registers for %d workgroups, %d and %d of a thread, with %d threads of another role", k.Resident, r.Producer, r.Consumer, k.Producers)
	}
	if k.Producers < 0 || k.Producers%WarpThreads != 0 || k.LaunchThreads() > maxThreads {
		return fault.New(fault.ErrKernel, k.Name, "%d producer threads with %d others", k.Producers, k.Threads)
	}
	if k.Consumers < 0 || k.Consumers > maxConsumers || k.Consumers > 1 && (k.Producers == 0 || k.Threads%WarpThreads != 0) {
		return fault.New(fault.ErrKernel, k.Name, "%d consumer groups of %d threads with %d producers", k.Consumers, k.Threads, k.Producers)
	}
	if k.Cluster < 0 || k.Cluster > maxCluster || k.Cluster&(k.Cluster-1) != 0 {
		return fault.New(fault.ErrKernel, k.Name, "clusters of %d workgroups", k.Cluster)
	}
	for _, w := range k.Words {
		if w.Elem.Size() < 4 {
			return fault.New(fault.ErrKernel, k.Name, "word of %v", w.Elem).For(w.Name)
		}
		if w.Size && w.Elem != dtype.I32 {
			return fault.New(fault.ErrKernel, k.Name, "size of %v, sizes are of i32", w.Elem).For(w.Name)
		}
	}
	for _, s := range k.Shared {
		if s.Arrivals < 0 || s.Arrivals > 0 && (s.Elem != dtype.U64 || s.Stages > 0 || s.Late) {
			return fault.New(fault.ErrKernel, k.Name, "barriers of %v", s.Elem).For(s.Name)
		}
		if !s.Elem.Valid() || s.Len < 1 || s.Len > maxShared || s.Stages < 0 || s.Stages > 0 && s.Len%s.Stages != 0 {
			return fault.New(fault.ErrKernel, k.Name, "shared array of %d elements of %v", s.Len, s.Elem).For(s.Name)
		}
	}
	return nil
}

type verifier struct {
	kernel  *Func
	buffers map[*Buffer]bool
	shared  map[*Shared]bool
	values  Table[known]
	maps    map[*TensorMap]bool
	blocks  map[*Block]bool // that were met
	consume bool            // in the role of the consumers
}

// known is the one value of a number, and what is known of it so far.
type known struct {
	value *Value
	standing
}

type standing uint8

const (
	unmet standing = iota
	met            // not in scope: not yet, or no more
	inScope
)

// once reports whether v has not met a value, nor another of its number, before. Each stands in one place.
func (v *verifier) once(x *Value) bool {
	if x.ID < 0 || v.values.At(x).standing != unmet {
		return false
	}
	*v.values.At(x) = known{x, met}
	return true
}

func (v *verifier) fail(op *Op, format string, args ...any) error {
	return fault.New(fault.ErrKernel, "simt "+op.Kind.String(), format, args...).At(op.Line)
}

// block checks a body; of is the op that it belongs to, nil for the kernel's.
func (v *verifier) block(b *Block, of *Op, divergent bool) error {
	v.define(b.Args, inScope)
	checked := b.Ops[:0] // results of others may be no values
	defer func() {
		v.define(b.Args, met)
		for _, op := range checked {
			v.define(op.Out, met)
		}
	}()
	for i, op := range b.Ops {
		if op.Kind == Yield && (i != len(b.Ops)-1 || of == nil || of.Kind == If) {
			return v.fail(op, "not at the end of a loop")
		}
		if op.Kind == Roles && (of != nil || i != len(b.Ops)-1) {
			return v.fail(op, "not at the end of the kernel")
		}
		if op.Kind == Break && (of == nil || of.Kind != While) {
			return v.fail(op, "not in the body of a while")
		}
		if err := v.whole(op); err != nil {
			return err
		}
		for _, a := range op.Args {
			if v.of(a) != inScope {
				return v.fail(op, "operand is not defined here")
			}
			if a.Op != nil && a.Op.Kind == GroupMMA && op.Kind != GroupMMA && op.Kind != GroupWait && op.Kind != Yield {
				return v.fail(op, "the operand is an accumulator of an outstanding product")
			}
		}
		if err := check(op); err != nil {
			return v.fail(op, "%v", err)
		}
		if err := v.op(op, divergent); err != nil {
			return err
		}
		v.define(op.Out, inScope)
		checked = b.Ops[:i+1]
	}
	return nil
}

// define notes where values are in scope.
func (v *verifier) define(values []*Value, s standing) {
	for _, x := range values {
		v.values.At(x).standing = s
	}
}

// of is what is known of a value so far.
func (v *verifier) of(x *Value) standing {
	if x.ID < 0 {
		return unmet
	}
	if k := v.values.At(x); k.value == x {
		return k.standing
	}
	return unmet
}

// whole checks that nothing of an op is missing or stands elsewhere too, which
// all other checks take for granted.
func (v *verifier) whole(op *Op) error {
	if slices.Contains(op.Args, nil) {
		return v.fail(op, "an operand is missing")
	}
	for _, r := range op.Out {
		if r == nil || r.Op != op || !v.once(r) {
			return v.fail(op, "a result is missing, or another op's")
		}
	}
	if op.Else != nil && op.Kind != Branch && op.Kind != Roles || op.Body != nil && (op.Kind < For || op.Kind == Yield || op.Kind == Exit || op.Kind == Break) {
		return v.fail(op, "the op has a body that it does not take")
	}
	for _, b := range op.Blocks() {
		if err := v.wholeBlock(b, op); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) wholeBlock(b *Block, of *Op) error {
	if v.blocks[b] {
		return v.fail(of, "a body has two places")
	}
	v.blocks[b] = true
	for _, a := range b.Args {
		if a == nil || a.Op != nil || !v.once(a) {
			return v.fail(of, "an argument of a body is missing, or another's")
		}
	}
	if n := len(b.Ops); slices.Contains(b.Ops, nil) || n > 0 && slices.Contains(b.Ops[n-1].Args, nil) {
		return v.fail(of, "an op of a body is missing")
	}
	return nil
}

func (v *verifier) op(op *Op, divergent bool) error {
	switch {
	case op.Buffer != nil && !v.buffers[op.Buffer] || !v.shared[op.Shared] || !v.shared[op.Signals] || !v.maps[op.Map]:
		return v.fail(op, "memory of another kernel")
	case isCollective(op) && divergent:
		return v.fail(op, "under a condition that may differ between threads")
	case op.Kind == Param && (op.Word < 0 || op.Word >= len(v.kernel.Words) || Scalar(v.kernel.Words[op.Word].Elem) != op.Result().Type):
		return v.fail(op, "word %d", op.Word)
	case facts[op.Kind].threads > v.kernel.Threads: // which are powers of two
		return v.fail(op, "%d threads execute it together, the workgroup has %d", facts[op.Kind].threads, v.kernel.Threads)
	case op.Kind.has(ofConsumers) && !v.consume:
		return v.fail(op, "not in the role of the consumers")
	case (op.Kind == OrderBegin || op.Kind == OrderEnd) && v.kernel.Consumers > 1:
		return v.fail(op, "an order of warpgroups in each of %d groups of consumers", v.kernel.Consumers)
	case op.Kind == Roles:
		return v.roles(op)
	case op.Kind == If && op.Body == nil:
		return v.fail(op, "no body")
	case op.Kind == If:
		return v.block(op.Body, op, true)
	case op.Kind == For:
		return v.loop(op, divergent)
	case op.Kind == Branch || op.Kind == While:
		if divergent {
			return v.fail(op, "the condition must be the same for all threads, but may differ between threads")
		}
		return v.control(op)
	}
	return nil
}

// roles checks that each role has the ops that are its own.
func (v *verifier) roles(op *Op) error {
	if op.Body == nil || op.Else == nil || len(op.Body.Args) > 0 || len(op.Else.Args) > 0 || v.kernel.Producers == 0 {
		return v.fail(op, "no bodies, or no threads for them")
	}
	var own func(b *Block, producer bool) error
	own = func(b *Block, producer bool) error {
		for _, inner := range b.Ops {
			if producer && !inner.Kind.InProducer() || !producer && inner.Kind.has(ofProducer) {
				return v.fail(inner, "in the wrong role")
			}
			if producer && inner.Kind == Load && inner.Buffer.Write {
				return v.fail(inner, "from a buffer that the other role may write")
			}
			for _, body := range inner.Blocks() {
				if err := own(body, producer); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for i, b := range op.Blocks() {
		v.consume = i > 0
		if err := v.block(b, op, false); err != nil { // of which the next takes for granted that no block is in itself
			return err
		}
		if err := own(b, i == 0); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) loop(op *Op, divergent bool) error {
	n := len(op.Args) - 3
	if n < 0 || op.Body == nil || len(op.Body.Args) != n+1 || len(op.Out) != n || len(op.Body.Ops) == 0 {
		return v.fail(op, "malformed loop of %d operands and %d results", len(op.Args), len(op.Out))
	}
	if t := op.Body.Args[0].Type; t != Scalar(dtype.I32) {
		return v.fail(op, "counts in %v", t)
	}
	for _, a := range op.Args[:3] {
		if a.Type != Scalar(dtype.I32) {
			return v.fail(op, "bound is %v", a.Type)
		}
	}
	end := op.Body.Ops[len(op.Body.Ops)-1]
	if end.Kind != Yield || len(end.Args) != n {
		return v.fail(op, "the body does not yield %d values", n)
	}
	for i := range n {
		t := op.Args[3+i].Type
		if op.Body.Args[1+i].Type != t || op.Out[i].Type != t || end.Args[i].Type != t {
			return v.fail(op, "carried value %d changes its type", i)
		}
	}
	return v.block(op.Body, op, divergent)
}
