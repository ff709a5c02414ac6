package weft

import (
	"encoding/binary"
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/recent"
)

const (
	maxPlans = 4096 // of a device
	maxSteps = 64   // launches of one call that are worth remembering
)

// Memoize is the base of package memo, which describes it: it runs an op's function, or launches what the
// function launched in an earlier call with the same id and tensors of the same types and layouts.
//
// Errors: those of the function; ErrArgument for nil.
func (d *Device) Memoize(id recent.ID, words []uint32, tensors []*Tensor, run func(words []uint32, tensors []*Tensor) error) error {
	if d == nil || run == nil {
		return fault.New(ErrArgument, "memoize", "the device or the function is nil")
	}
	c := newCall()
	defer c.done()
	if r := captureOf(tensors...); r != nil {
		return run(slices.Clone(words), r.useAll(tensors))
	}
	if c.operands(tensors) != d {
		return run(slices.Clone(words), slices.Clone(tensors))
	}
	c.key = appendOperands(c.header(id), tensors)
	c.words = append(c.words, words...)
	if p, ok := d.plans.Get(c.key); ok {
		return c.replay(p)
	}
	r := c.record()
	defer r.abandon()
	r.words = slices.Clone(words)
	return c.remember(r, 0, run(slices.Clone(words), r.useAll(tensors)))
}

// operands holds the tensors' memory and returns their device. It returns nil if the call must run as it is, because a tensor is
// unusable, which the op reports, or because the call is a part of another that is recorded.
func (c *call) operands(tensors []*Tensor) *Device {
	for _, t := range tensors {
		if !c.holdTensor(t) || t.recorder() != nil {
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

// plan is a sequence of launches without the memory that they run on. It is written down by a recorder, and started on the
// operands of a call (Device.Memoize) or on memory that it is bound to (Program, Recording).
type plan struct {
	steps []planStep
	rooms []int64 // bytes of the memory that the call takes for itself, below 0 for counters
	elem  DType   // of a Map: the type that inputs share
}

// planStep is a launch.
type planStep struct {
	kernel *compile.Prepared
	work   backend.Work // of a capture, instead of a kernel
	args   []int        // the arguments' memory: of a call the operands, and after them the rooms
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
		if bytes < 0 {
			m, err := dev.counterMemory(-bytes)
			if err != nil {
				return err
			}
			c.held = append(c.held, m)
			continue
		}
		buf, err := dev.newBuffer(bytes)
		if err != nil {
			return err
		}
		c.held = append(c.held, newMemory(dev, buf))
	}
	for _, m := range c.held {
		c.buffers = append(c.buffers, m.buf)
	}
	return c.start(p, dev.dev.Stream())
}

// start hands the launches of a plan to a queue, with c's buffers and words.
func (c *call) start(p *plan, to compile.Queue) error {
	for i := range p.steps {
		step := &p.steps[i]
		if step.work != nil {
			if err := startWork(to, step.work); err != nil {
				return err
			}
			continue
		}
		c.part = c.part[:0]
		for _, at := range step.args {
			c.part = append(c.part, c.buffers[at])
		}
		words := step.words
		if step.takes {
			words = c.words
		}
		if err := step.kernel.Launch(to, c.part, words); err != nil {
			return err
		}
	}
	return nil
}

// record begins to record a call on the operands that c holds.
func (c *call) record() *recorder {
	r := &recorder{dev: c.held[0].dev, memories: slices.Clone(c.held), index: map[*memory]int{}}
	for i, m := range c.held {
		if _, known := r.index[m]; !known {
			r.index[m] = i
		}
		m.use()
	}
	for _, m := range c.held {
		r.uses = append(r.uses, m.uses.Load())
	}
	return r
}

// remember ends the recording of a call, whose error it returns, and keeps its plan under c's key if it holds all of the call. elem is a Map's.
func (c *call) remember(r *recorder, elem DType, err error) error {
	if late := r.delayed.end(); err == nil {
		err = late
	}
	p, _, _ := r.end()
	for i, n := range r.uses {
		if c.held[i].uses.Load() != n { // by a launch that is not recorded, of the op or of another goroutine
			r.spoilt.Store(true)
		}
	}
	if err == nil && !r.spoilt.Load() && len(p.steps) <= maxSteps {
		p.elem = elem
		c.held[0].dev.plans.Put(c.key, &p)
	}
	return err
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
	if r := captureOf(c.tensors...); r != nil {
		if out.there("") == nil {
			out = r.use(out)
		}
		_, err := m.into(out, r.useInputs(in))
		return err
	}
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
	r := c.record()
	defer r.abandon()
	r.numbers = true
	elem, err := m.into(r.use(out), r.useInputs(in))
	return c.remember(r, elem, err)
}

// mapNumbers encodes the numbers among a map's inputs, whose shared type is elem. It is false for a number that is not a value of its type.
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
