package weft

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// call holds what one launch, or one call of an op, needs while it runs. Calls are reused, so
// that a repeated launch allocates nothing.
type call struct {
	held    []*memory // until done
	tensors []*Tensor // operands
	views   []TensorView
	args    []compile.Arg
	buffers []backend.Buffer
	part    []backend.Buffer // those of one launch
	words   []uint32
	key     []byte
}

var calls = sync.Pool{New: func() any { return new(call) }}

func newCall() *call { return calls.Get().(*call) }

// call builds the kernel for a config and begins a call with its scalars, which the caller ends by done.
func (k *Kernel[C]) call(cfg C, scalars Scalars) (*call, *tile.Func, error) {
	kernel, err := k.Build(cfg)
	if err != nil {
		return nil, nil, err
	}
	c, err := callOf(kernel, scalars)
	return c, kernel, err
}

// callOf begins a call of a kernel that is built.
func callOf(kernel *tile.Func, scalars Scalars) (c *call, err error) {
	c = newCall()
	if c.words, err = appendScalars(c.words, kernel, scalars); err != nil {
		c.done()
		return nil, err
	}
	return c, nil
}

// done releases the memory that is held; launches keep what they need.
func (c *call) done() {
	c.release()
	clear(c.views)
	clear(c.tensors)
	clear(c.part)
	c.views, c.tensors, c.part, c.words, c.key = c.views[:0], c.tensors[:0], c.part[:0], c.words[:0], c.key[:0]
	calls.Put(c)
}

func (c *call) release() {
	for _, m := range c.held {
		m.release()
	}
	clear(c.held)
	clear(c.args)
	clear(c.buffers)
	c.held, c.args, c.buffers = c.held[:0], c.args[:0], c.buffers[:0]
}

// launch starts a kernel on views, with c's words as scalars.
func (c *call) launch(kernel *tile.Func, views []TensorView) error {
	p, err := c.prepare(kernel, views, (*compile.Compiler).Begin)
	if err != nil {
		return err
	}
	for _, m := range c.held {
		c.buffers = append(c.buffers, m.buf)
	}
	r := recorderOf(views)
	if r != nil && r.captures {
		if recorded, err := r.note(p, c.held, c.words); recorded || err != nil {
			return err
		}
	}
	if r != nil && !r.captures && r.delay(p, c) {
		_, err = r.note(p, c.held, c.words)
		return err
	}
	if err := p.Launch(c.held[0].dev.dev.Stream(), c.buffers, c.words); err != nil {
		return err
	}
	if r != nil && !r.captures {
		_, err = r.note(p, c.held, c.words)
	}
	return err
}

// preparation is a method of a compiler: Prepare or Begin.
type preparation func(c *compile.Compiler, k *tile.Func, args []compile.Arg, scalars []uint32) (*compile.Prepared, error)

// prepare finds the kernel prepared for the views, or prepares it. It holds the views' memory.
func (c *call) prepare(kernel *tile.Func, views []TensorView, prepare preparation) (*compile.Prepared, error) {
	if len(views) == len(kernel.Views) && c.hold(views) {
		if p := c.held[0].dev.compiler.Find(kernel, c.args, c.words); p != nil {
			return p, nil
		}
	}
	c.release()
	if err := c.arguments(kernel, views); err != nil {
		return nil, err
	}
	return prepare(c.held[0].dev.compiler, kernel, c.args, c.words)
}

// hold holds the views' memory if all of it is there, on one device.
func (c *call) hold(views []TensorView) bool {
	for _, v := range views {
		if !c.holdTensor(v.Tensor) {
			return false
		}
		c.args = append(c.args, compile.Arg{Buffer: v.Tensor.mem.buf, Elem: v.elem(), Layout: v.Layout})
	}
	return len(views) > 0
}

func (c *call) holdTensor(t *Tensor) bool {
	if t.there("") != nil || t.closed.Load() || t.mem.dev.closed.Load() || len(c.held) > 0 && c.held[0].dev != t.mem.dev || !t.mem.retain() {
		return false
	}
	runtime.KeepAlive(t) // until here the tensor's own reference stood for it
	c.held = append(c.held, t.mem)
	return true
}

// arguments checks the tensors for a kernel's views and holds their memory.
func (c *call) arguments(kernel *tile.Func, views []TensorView) error {
	if len(views) != len(kernel.Views) {
		return fault.New(ErrArgument, kernel.Name, "%s given, the kernel has %s", fault.Count(len(views), "tensor"), fault.Count(len(kernel.Views), "view"))
	}
	if len(views) == 0 {
		return fault.New(ErrDevice, kernel.Name, "a kernel without views has no device to run on")
	}
	for i, v := range views {
		if err := v.Tensor.hold(kernel.Name, kernel.Views[i].Name); err != nil {
			return err
		}
		c.held = append(c.held, v.Tensor.mem)
		if err := checkView(kernel, i, v, views[0].Tensor); err != nil {
			return err
		}
		c.args = append(c.args, compile.Arg{Buffer: v.Tensor.mem.buf, Elem: v.elem(), Layout: v.Layout})
	}
	return nil
}

// checkView checks what package compile cannot know or reports less clearly: device,
// element type, rank, memory and repeated elements of view i.
func checkView(kernel *tile.Func, i int, v TensorView, first *Tensor) error {
	p := kernel.Views[i]
	fail := func(kind error, format string, args ...any) error {
		return fault.New(kind, kernel.Name, format, args...).For(p.Name)
	}
	t := v.Tensor
	lo, hi := v.Layout.Bounds()
	switch {
	case t.mem.dev != first.mem.dev:
		return t.CheckDevice(kernel.Name, p.Name, first, kernel.Views[0].Name)
	case v.elem() != p.Elem:
		return fail(ErrArgument, "the tensor holds %v, the kernel takes %v", v.elem(), p.Elem)
	case v.Layout.Rank() != p.Rank:
		return fail(ErrShape, "shape %v has %s, the kernel takes %d", v.Layout.Shape(), fault.Count(v.Layout.Rank(), "dimension"), p.Rank)
	case lo <= hi && (lo < 0 || int64(hi) >= t.mem.buf.Bytes()/int64(p.Elem.Size())):
		return fail(ErrShape, "the layout %v reaches outside of the tensor's memory of %d bytes", v.Layout, t.mem.buf.Bytes())
	case p.Access&tile.Out != 0 && !v.Layout.IsInjective():
		return fail(ErrUnsupported, "the layout %v repeats elements, so it cannot be written", v.Layout)
	}
	return nil
}

// appendScalars encodes scalar arguments as a kernel's parameters.
func appendScalars(words []uint32, kernel *tile.Func, scalars Scalars) ([]uint32, error) {
	if len(scalars) != len(kernel.Scalars) {
		missing := ""
		for i, p := range kernel.Scalars[min(len(scalars), len(kernel.Scalars)):] {
			missing += fmt.Sprintf("; %s, %v, is missing as scalar %d", p.Name, p.Elem, len(scalars)+i)
		}
		return words, fault.New(ErrArgument, kernel.Name, "%s given, the kernel has %d%s", fault.Count(len(scalars), "scalar"), len(kernel.Scalars), missing)
	}
	for i, p := range kernel.Scalars {
		word, ok := scalarWord(p.Elem, scalars[i])
		if !ok {
			return words, fault.New(ErrArgument, kernel.Name, "%v (%T) is not a value of %v", scalars[i], scalars[i], p.Elem).For(p.Name)
		}
		words = append(words, word)
	}
	return words, nil
}

// appendViews appends tensors seen through their own layouts.
func appendViews(views []TensorView, tensors []*Tensor) []TensorView {
	for _, t := range tensors {
		v := TensorView{Tensor: t}
		if t != nil {
			v.Layout = t.layout
		}
		views = append(views, v)
	}
	return views
}

// viewsOf are tensors seen through their own layouts.
func viewsOf(tensors ...*Tensor) []TensorView { return appendViews(nil, tensors) }
