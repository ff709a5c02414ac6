package weft

import (
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Kernel is a kernel written in Go: a function that describes, for a config of
// type C, what one program of a grid computes. Configs are plain structs; what
// they hold (block sizes, element types) is constant within the kernel, and each
// value is a separate kernel, built once.
//
// A Kernel may be used from many goroutines and with any device.
type Kernel[C comparable] struct {
	name     string
	describe func(k *tile.Builder, cfg C)

	built *recent.Table[C, *building]
}

// maxBuilt is how many configs of a kernel stay built.
const maxBuilt = 1024

// NewKernel makes a kernel from its description. Errors of the description
// are reported when it is built or launched, with their line.
func NewKernel[C comparable](name string, describe func(k *tile.Builder, cfg C)) *Kernel[C] {
	return &Kernel[C]{name: name, describe: describe, built: recent.NewTable[C, *building](maxBuilt)}
}

// Build returns the verified tile IR for a config.
// Error: ErrKernel or ErrShape with the line of the description; ErrKernel for a kernel that is used within its own
// description, directly or through others.
func (k *Kernel[C]) Build(cfg C) (*tile.Func, error) {
	if err := k.there(); err != nil {
		return nil, err
	}
	b := k.built.GetOrPut(cfg, func() *building { return newBuilding(k.name) })
	return b.get(func() (*tile.Func, error) {
		ir, err := tile.Build(k.name, func(b *tile.Builder) { k.describe(b, cfg) })
		if err == nil {
			ir.Config = cfg
		}
		return ir, err
	})
}

// there reports a kernel that is nil, that no function of this package made, or that has no description.
func (k *Kernel[C]) there() error {
	switch {
	case k == nil || k.built == nil:
		return fault.New(ErrArgument, "kernel", "the kernel is nil")
	case k.describe == nil:
		return fault.New(ErrArgument, k.name, "the description is nil").For("describe")
	}
	return nil
}

// Scalars are a kernel's scalar arguments in order of declaration: Go integers of any type
// for i32 and u32, integers or floats for f32.
type Scalars []any

// TensorView is a tensor as a kernel sees it: through a layout over the tensor's
// memory, which need not be the tensor's own, and as elements of a type, which need not be either: a kernel that moves
// elements may take two of 16 bits for one of 32. Sizes and strides of the layout count elements of that type.
type TensorView struct {
	Tensor *Tensor
	Layout layout.Layout
	Elem   DType // the tensor's own if it is not given
}

// elem is the element type that the kernel sees.
func (v TensorView) elem() DType {
	if v.Elem.Valid() {
		return v.Elem
	}
	return v.Tensor.elem
}

// Launch starts the kernel with one tensor for each of its views, in order. It
// returns once the work is queued.
//
// Errors: ErrShape if ranks of the tensors do not match the kernel's views, ErrArgument if their number or element
// types do not, or scalars are missing, ErrDevice if they are on different devices, ErrClosed,
// ErrUnsupported if a view that is written repeats elements, ErrKernel from the
// description, and what the device's compiler says.
func (k *Kernel[C]) Launch(cfg C, tensors ...*Tensor) error {
	return k.LaunchWith(cfg, nil, tensors...)
}

// LaunchWith is Launch for a kernel with scalar parameters.
func (k *Kernel[C]) LaunchWith(cfg C, scalars Scalars, tensors ...*Tensor) error {
	c, kernel, err := k.call(cfg, scalars)
	if err != nil {
		return err
	}
	defer c.done()
	c.views = appendViews(c.views, tensors)
	return c.launch(kernel, c.views)
}

// LaunchViews is LaunchWith for tensors seen through other layouts, which must
// stay within the tensors' memory (ErrShape otherwise).
func (k *Kernel[C]) LaunchViews(cfg C, scalars Scalars, views ...TensorView) error {
	c, kernel, err := k.call(cfg, scalars)
	if err != nil {
		return err
	}
	defer c.done()
	return c.launch(kernel, views)
}

// LaunchBuilt is Kernel.LaunchViews, on tensors of this device, for a kernel that was built by tile.Build.
//
// Errors: as for LaunchViews; ErrArgument for nil.
func (d *Device) LaunchBuilt(ir *tile.Func, scalars Scalars, views ...TensorView) error {
	if ir == nil {
		return fault.New(ErrArgument, "kernel", "the kernel is nil")
	}
	if err := d.check(ir.Name); err != nil {
		return err
	}
	if len(views) > 0 && len(ir.Views) > 0 && views[0].Tensor.there("") == nil {
		if err := sameDevice(ir.Name, ir.Views[0].Name, views[0].Tensor.mem.dev, "the launch", d); err != nil {
			return err
		}
	}
	c, err := callOf(ir, scalars)
	if err != nil {
		return err
	}
	defer c.done()
	return c.launch(ir, views)
}

// launchWords is LaunchViews for scalars that are words already.
func (k *Kernel[C]) launchWords(cfg C, words []uint32, views []TensorView) error {
	kernel, err := k.Build(cfg)
	if err != nil {
		return err
	}
	c := newCall()
	defer c.done()
	c.words = append(c.words, words...)
	return c.launch(kernel, views)
}
