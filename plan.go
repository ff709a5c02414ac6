package weft

import (
	"encoding/binary"
	"slices"
	"sync/atomic"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/recent"
)

const (
	maxPlans = 4096 // of a device
	maxSteps = 64   // launches of one call that are worth remembering
)

// Memoize is what package memo, where it is described, is made of: it runs an op's function, or launches what the
// function launched in a call before with the same id and tensors of the same types and layouts.
//
// Errors: those of the function; ErrArgument for nil.
func (d *Device) Memoize(id recent.ID, words []uint32, tensors []*Tensor, run func(words []uint32, tensors []*Tensor) error) error {
	if d == nil || run == nil {
		return fault.New(ErrArgument, "memoize", "the device or the function is nil")
	}
	c := newCall()
	defer c.done()
	if c.operands(tensors) != d {
		return run(slices.Clone(words), slices.Clone(tensors))
	}
	c.key = appendOperands(c.header(id), tensors)
	c.words = append(c.words, words...)
	if p, ok := d.plans.Get(c.key); ok {
		return c.replay(p)
	}
	t := c.newTape()
	t.words = slices.Clone(words)
	return c.tape(t, run(slices.Clone(words), t.clones(tensors)))
}

// operands holds the tensors' memory and returns their device: nil if the call is one to be run as it is, since a tensor is
// unusable, which is for the op to report, or since the call is a part of another that is taped.
func (c *call) operands(tensors []*Tensor) *Device {
	for _, t := range tensors {
		if !c.holdTensor(t) || t.taped() != nil {
			return nil
		}
	}
	if len(tensors) == 0 {
		return nil
	}
	return c.held[0].dev
}

// header begins the key of a plan.
func (c *call) header(id recent.ID) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(c.key, recent.Epoch()), uint64(id))
}

// appendOperands appends what a plan depends on of its tensors: types, layouts, and which share memory.
func appendOperands(key []byte, tensors []*Tensor) []byte {
	for i, t := range tensors {
		first := i
		for j, u := range tensors[:i] {
			if u.mem == t.mem {
				first = j
				break
			}
		}
		key = append(binary.AppendUvarint(key, uint64(first)), byte(t.elem))
		key = t.layout.AppendKey(key)
	}
	return key
}

// plan is what a call launched, without its tensors.
type plan struct {
	steps []planStep
	rooms []int64 // bytes of the memory that the call takes for itself
	elem  DType   // of a Map: the type that inputs share
}

// planStep is a launch.
type planStep struct {
	kernel *compile.Prepared
	args   []int // the arguments' memory: of the operands, and behind them the rooms
	words  []uint32
	takes  bool // the call's words instead
}

// replay launches a plan on the operands, whose memory c holds.
func (c *call) replay(p *plan) error {
	dev := c.held[0].dev
	for _, m := range c.held {
		m.use()
	}
	for _, bytes := range p.rooms {
		buf, err := dev.newBuffer(bytes)
		if err != nil {
			return err
		}
		c.held = append(c.held, newMemory(dev, buf))
	}
	for _, m := range c.held {
		c.buffers = append(c.buffers, m.buf)
	}
	for i := range p.steps {
		step := &p.steps[i]
		c.part = c.part[:0]
		for _, at := range step.args {
			c.part = append(c.part, c.buffers[at])
		}
		words := step.words
		if step.takes {
			words = c.words
		}
		if err := dev.launch(step.kernel, c.held, c.part, words); err != nil {
			return err
		}
	}
	return nil
}

// tape is a plan in the making. Tensors that carry it, and memory that is taken on the way, mark the
// launches that belong to it.
type tape struct {
	plan
	words    []uint32    // of the call
	numbers  bool        // the call is a Map's, whose kernels' scalars are all the call's words
	memories []*memory   // of the operands and the rooms
	uses     []uint64    // of the operands' memory when the tape began
	views    []*Tensor   // what stands for the operands, to be closed
	spoilt   atomic.Bool // something happened that a plan cannot hold
	over     atomic.Bool
}

// newTape begins a tape for the operands that c holds.
func (c *call) newTape() *tape {
	t := &tape{memories: slices.Clone(c.held)}
	for _, m := range c.held {
		m.use()
	}
	for _, m := range c.held {
		t.uses = append(t.uses, m.uses.Load())
	}
	return t
}

// clones are the tensors as the function gets them.
func (t *tape) clones(tensors []*Tensor) []*Tensor {
	list := make([]*Tensor, len(tensors))
	for i, x := range tensors {
		list[i] = t.clone(x)
	}
	return list
}

func (t *tape) clone(x *Tensor) *Tensor {
	view := x.view(x.layout)
	view.tape = t
	t.views = append(t.views, view)
	return view
}

// tape ends a tape and keeps its plan under c's key if it holds all of the call.
func (c *call) tape(t *tape, err error) error {
	t.over.Store(true)
	for _, v := range t.views {
		v.Close()
	}
	for i, n := range t.uses {
		if t.memories[i].uses.Load() != n { // by a launch that is not on the tape, of the op or of another goroutine
			t.spoilt.Store(true)
		}
	}
	if err == nil && !t.spoilt.Load() && len(t.steps) <= maxSteps {
		p := t.plan
		c.held[0].dev.plans.Put(c.key, &p)
	}
	return err
}

// note adds a launch.
func (t *tape) note(p *compile.Prepared, memories []*memory, words []uint32) {
	step := planStep{kernel: p, words: slices.Clone(words), takes: len(words) > 0 && (t.numbers || t.words != nil)}
	if step.takes && (p.GridReadsScalars() || !t.numbers && !slices.Equal(words, t.words)) {
		t.spoilt.Store(true)
	}
	for _, m := range memories {
		at := slices.Index(t.memories, m)
		if at < 0 {
			at = len(t.memories)
			t.memories, t.rooms = append(t.memories, m), append(t.rooms, m.buf.Bytes())
			if m.uses.Load() > 0 { // its contents come from elsewhere
				t.spoilt.Store(true)
			}
			m.tape.Store(t)
		}
		step.args = append(step.args, at)
	}
	t.steps = append(t.steps, step)
}

// tapeOf is the tape that a launch on the views belongs to, nil for none. Memory that is used without one is marked.
func tapeOf(views []TensorView) (t *tape) {
	for _, v := range views {
		if t == nil {
			t = v.Tensor.taped()
		}
	}
	for _, v := range views {
		if t == nil {
			v.Tensor.mem.use()
		}
	}
	return t
}

// taped is the tape that the tensor or its memory belongs to.
func (t *Tensor) taped() *tape {
	tape := t.tape
	if tape == nil {
		tape = t.mem.tape.Load()
	}
	if tape == nil || tape.over.Load() {
		return nil
	}
	return tape
}

// mapInto is Map.Into. Numbers among the operands are no part of a plan: they may be others in each call.
func (c *call) mapInto(m *Map, out *Tensor, in []TensorOrNumber) error {
	numbers := uint32(0)
	for i, x := range in {
		if t, isTensor := x.(*Tensor); isTensor || x == nil {
			c.tensors = append(c.tensors, t)
		} else {
			numbers |= 1 << i
		}
	}
	c.tensors = append(c.tensors, out)
	dev := c.operands(c.tensors)
	if dev == nil || len(in) != len(m.inputs) {
		_, err := m.into(out, in)
		return err
	}
	c.key = binary.LittleEndian.AppendUint32(c.header(m.id), numbers)
	c.key = appendOperands(c.key, c.tensors)
	if p, ok := dev.plans.Get(c.key); ok && c.mapNumbers(m, p.elem, in) {
		return c.replay(p)
	}
	t := c.newTape()
	t.numbers = true
	clones := slices.Clone(in)
	for i, x := range in {
		if x, isTensor := x.(*Tensor); isTensor {
			clones[i] = t.clone(x)
		}
	}
	elem, err := m.into(t.clone(out), clones)
	t.elem = elem
	return c.tape(t, err)
}

// mapNumbers encodes the numbers among a map's inputs, whose shared type is elem. It is false for what is no number of its type.
func (c *call) mapNumbers(m *Map, elem DType, in []TensorOrNumber) bool {
	for i, x := range in {
		if _, isTensor := x.(*Tensor); isTensor {
			continue
		}
		var err error
		if c.words, err = appendNumber(c.words, m.typeOf(i, elem), x); err != nil {
			return false
		}
	}
	return true
}
