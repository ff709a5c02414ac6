package weft

import (
	"math"
	"sync"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Kernel is a kernel of one's own: a Go function that describes, for a config of
// type C, what one program of a grid computes. Configs are plain structs; what
// they hold (block sizes, element types) is constant within the kernel, and each
// value of them is a kernel of its own, built once.
//
// A Kernel may be used from many goroutines and with any device.
type Kernel[C comparable] struct {
	name     string
	describe func(k *tile.Builder, cfg C)
	built    sync.Map // C to func() (*tile.Kernel, error)
}

// NewKernel makes a kernel from its description. Errors of the description
// appear when it is built or launched, with the line that is at fault.
func NewKernel[C comparable](name string, describe func(k *tile.Builder, cfg C)) *Kernel[C] {
	return &Kernel[C]{name: name, describe: describe}
}

// BuiltKernel is a kernel whose tile IR was built before, by tile.Build.
func BuiltKernel(ir *tile.Kernel) *Kernel[struct{}] {
	k := &Kernel[struct{}]{name: ir.Name}
	k.built.Store(struct{}{}, func() (*tile.Kernel, error) { return ir, nil })
	return k
}

// Build returns the verified tile IR for a config.
// Error: ErrKernel or ErrShape with the line of the description.
func (k *Kernel[C]) Build(cfg C) (*tile.Kernel, error) {
	build, ok := k.built.Load(cfg)
	if !ok {
		once := sync.OnceValues(func() (*tile.Kernel, error) {
			ir, err := tile.Build(k.name, func(b *tile.Builder) { k.describe(b, cfg) })
			if err == nil {
				ir.Config = cfg
			}
			return ir, err
		})
		build, _ = k.built.LoadOrStore(cfg, once)
	}
	return build.(func() (*tile.Kernel, error))()
}

// Scalars are a kernel's scalar arguments in order of declaration: Go integers
// for i32 and u32, integers or floats for f32.
type Scalars []any

// View is a tensor as a kernel is to see it: through a layout over the tensor's
// memory, which need not be the tensor's own.
type View struct {
	Tensor *Tensor
	Layout layout.Layout
}

// Launch starts the kernel with one tensor for each of its views, in order. It
// returns once the work is queued.
//
// Errors: ErrShape if number, element types or ranks of the tensors do not match the
// kernel's views, ErrDevice if they are on different devices, ErrClosed,
// ErrUnsupported if a view that is written repeats elements, ErrKernel from the
// description, and what the device's compiler says.
func (k *Kernel[C]) Launch(cfg C, tensors ...*Tensor) error {
	return k.LaunchWith(cfg, nil, tensors...)
}

// LaunchWith is Launch for a kernel with scalar parameters.
func (k *Kernel[C]) LaunchWith(cfg C, scalars Scalars, tensors ...*Tensor) error {
	return k.LaunchViews(cfg, scalars, viewsOf(tensors)...)
}

// LaunchViews is LaunchWith for tensors seen through other layouts, which must
// stay within the tensors' memory (ErrShape otherwise).
func (k *Kernel[C]) LaunchViews(cfg C, scalars Scalars, views ...View) error {
	kernel, err := k.Build(cfg)
	if err != nil {
		return err
	}
	words, err := scalarWords(kernel, scalars)
	if err != nil {
		return err
	}
	args, release, err := arguments(kernel, views)
	defer release() // the launch itself then keeps the buffers
	if err != nil {
		return err
	}
	return views[0].Tensor.mem.dev.compiler.Launch(kernel, args, words)
}

// arguments checks the tensors for a kernel's views and holds their memory until
// release is called, which it must be even after an error.
func arguments(kernel *tile.Kernel, views []View) (args []compile.Arg, release func(), err error) {
	var held []*memory
	release = func() {
		for _, m := range held {
			m.release()
		}
	}
	if len(views) != len(kernel.Views) {
		return nil, release, fault.New(ErrShape, kernel.Name, "%d tensors given, the kernel has %d views", len(views), len(kernel.Views))
	}
	if len(views) == 0 {
		return nil, release, fault.New(ErrDevice, kernel.Name, "a kernel without views has no device to run on")
	}
	for i, v := range views {
		if err := v.Tensor.hold(kernel.Name, kernel.Views[i].Name); err != nil {
			return nil, release, err
		}
		held = append(held, v.Tensor.mem)
		if err := checkView(kernel, i, v, views[0].Tensor.mem.dev); err != nil {
			return nil, release, err
		}
		args = append(args, compile.Arg{Buffer: v.Tensor.mem.buf, Elem: v.Tensor.elem, Layout: v.Layout})
	}
	return args, release, nil
}

// checkView checks what package compile cannot know or says less well: device,
// element type, rank, memory and repeated elements of view i.
func checkView(kernel *tile.Kernel, i int, v View, dev *Device) error {
	p := kernel.Views[i]
	fail := func(kind error, format string, args ...any) error {
		return fault.New(kind, kernel.Name, format, args...).For(p.Name)
	}
	t := v.Tensor
	lo, hi := v.Layout.Bounds()
	switch {
	case t.mem.dev != dev:
		return fail(ErrDevice, "the tensor is on %v, %s on %v", t.mem.dev, kernel.Views[0].Name, dev)
	case t.elem != p.Elem:
		return fail(ErrShape, "the tensor holds %v, the kernel takes %v", t.elem, p.Elem)
	case v.Layout.Rank() != p.Rank:
		return fail(ErrShape, "shape %v has %d dimensions, the kernel takes %d", v.Layout.Shape(), v.Layout.Rank(), p.Rank)
	case lo <= hi && (lo < 0 || int64(hi) >= t.mem.buf.Bytes()/int64(t.elem.Size())):
		return fail(ErrShape, "layout %v leaves the tensor's memory of %d bytes", v.Layout, t.mem.buf.Bytes())
	case p.Access&tile.Out != 0 && !v.Layout.IsInjective():
		return fail(ErrUnsupported, "the layout %v repeats elements, it cannot be written", v.Layout)
	}
	return nil
}

// scalarWords encodes scalar arguments as a kernel's parameters want them.
func scalarWords(kernel *tile.Kernel, scalars Scalars) ([]uint32, error) {
	if len(scalars) != len(kernel.Scalars) {
		return nil, fault.New(ErrShape, kernel.Name, "%d scalars given, the kernel has %d", len(scalars), len(kernel.Scalars))
	}
	words := make([]uint32, len(scalars))
	for i, p := range kernel.Scalars {
		whole, isInt, float := number(scalars[i])
		switch {
		case p.Elem == F32 && (isInt || float != nil):
			if isInt {
				words[i] = math.Float32bits(float32(whole))
			} else {
				words[i] = math.Float32bits(float32(*float))
			}
		case p.Elem == I32 && isInt && whole >= math.MinInt32 && whole <= math.MaxInt32,
			p.Elem == U32 && isInt && whole >= 0 && whole <= math.MaxUint32:
			words[i] = uint32(whole)
		default:
			return nil, fault.New(ErrShape, kernel.Name, "%v (%T) is not a value of %v", scalars[i], scalars[i], p.Elem).For(p.Name)
		}
	}
	return words, nil
}

// number takes a Go number apart.
func number(x any) (whole int64, isInt bool, float *float64) {
	switch x := x.(type) {
	case int:
		return int64(x), true, nil
	case int32:
		return int64(x), true, nil
	case int64:
		return x, true, nil
	case uint32:
		return int64(x), true, nil
	case float32:
		f := float64(x)
		return 0, false, &f
	case float64:
		return 0, false, &x
	}
	return 0, false, nil
}
