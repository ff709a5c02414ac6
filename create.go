package weft

import (
	"math"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// fillMap writes a number to all elements.
var fillMap = NewMap("fill", []string{"x"}, identity)

// Fill sets all elements of the tensor, any view that can be written, to a number; see Operand.
//
// Errors: ErrArgument for a number that is not a value of the element type, ErrClosed,
// ErrUnsupported if the tensor repeats elements.
func (t *Tensor) Fill(x any) error { return fillMap.Into(t, x) }

// Full allocates a dense tensor of equal elements. Errors as for Empty and Fill.
func Full(dev *Device, elem DType, x any, shape ...int) (*Tensor, error) {
	return made("full", dev, elem, shape, func(t *Tensor) error { return t.Fill(x) })
}

// zeroUpload is the largest number of zero bytes that come from the host: a kernel would take longer.
const zeroUpload = 1 << 20

// Zeros allocates a dense tensor of zeros. Errors as for Empty.
func Zeros(dev *Device, elem DType, shape ...int) (*Tensor, error) {
	return made("zeros", dev, elem, shape, (*Tensor).zero)
}

// zero clears a dense tensor that is the whole of its memory: by words of 32 bits, which all devices have.
func (t *Tensor) zero() error {
	size := t.mem.buf.Bytes()
	words, err := layout.Contiguous(int(size / 4))
	if err != nil {
		return err
	}
	at := int64(0)
	if size > zeroUpload {
		all := &Tensor{mem: t.mem, elem: U32, layout: words, rec: t.rec} // no reference of its own: t has one
		if err := all.Fill(0); err != nil {
			return err
		}
		at = size &^ 3
	}
	if at == size {
		return nil
	}
	return t.upload("zeros", at, make([]byte, size-at))
}

// made allocates a dense tensor and fills it by f; it closes the tensor if f fails.
func made(op string, dev *Device, elem DType, shape []int, f func(*Tensor) error) (*Tensor, error) {
	t, err := empty(op, dev, elem, shape)
	if err != nil {
		return nil, err
	}
	if err := f(t); err != nil {
		t.Close()
		return nil, named(op, err)
	}
	return t, nil
}

// sequenceConfig is the config of the kernels of Arange and Eye.
type sequenceConfig struct {
	Elem    DType
	Block   int // elements of a program's tile, or columns
	Threads int
}

func sequenceConfigFor(caps target.Caps, elem DType, n int) sequenceConfig {
	cfg := sequenceConfig{Elem: elem, Block: min(pow2.Ceil(n), 1<<12)}
	if !caps.WholeTiles {
		cfg.Block, cfg.Threads = min(cfg.Block, 1<<10), 256
		cfg.Threads = caps.FitThreads(cfg.Threads)
	}
	return cfg
}

// arangeKernel computes start + i·step, integers modulo their range, floats in their accumulators.
var arangeKernel = NewKernel("arange", func(k *tile.Builder, cfg sequenceConfig) {
	elem := cfg.Elem
	if elem.IsFloat() {
		elem = elem.Accumulator()
	}
	out := k.Out("out", cfg.Elem, 1)
	start, step := numberParameter(k, "start", elem), numberParameter(k, "step", elem)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, cfg.Block)
	index := k.Arange(cfg.Block).Add(at[0].(*tile.Value).Mul(cfg.Block))
	out.Block(cfg.Block).Store(index.Cast(elem).Mul(step).Add(start).Cast(cfg.Elem), at...)
})

// Arange returns the numbers start, start + step, … before stop, or above it if step is
// negative, as NumPy's arange does: ⌈(stop - start) / step⌉ of them. Element i is start + i·step, computed in F32 for
// floats, of F64 in F64; for integers, start and step must be values of the type.
//
// Errors: ErrArgument for a step of 0, for infinities and NaN, and for numbers that are not values of
// the type; ErrUnsupported for Bool; ErrLimit for 2^31 elements and more, and as for Empty.
func Arange(dev *Device, elem DType, start, stop, step float64) (*Tensor, error) {
	const op = "arange"
	n := math.Ceil((stop - start) / step)
	switch {
	case !elem.IsFloat() && !elem.IsInt():
		return nil, fault.New(ErrUnsupported, op, "element type %v, want a type of floats or integers", elem)
	case step == 0 || n != n || math.IsInf(n, 0) || math.IsInf(step, 0):
		return nil, fault.New(ErrArgument, op, "from %v to %v by %v, want finite numbers and a step other than 0", start, stop, step)
	case n > math.MaxInt32:
		return nil, fault.New(ErrLimit, op, "%v elements, want at most 2^31-1", n)
	}
	scale := elem
	if elem.IsFloat() {
		scale = elem.Accumulator()
	}
	var words []uint32
	for _, x := range []struct {
		name  string
		value float64
	}{{"start", start}, {"step", step}} {
		var err error
		if words, err = appendNumber(words, scale, x.value); err != nil {
			return nil, fault.New(ErrArgument, op, "%v", err).For(x.name)
		}
		if scale == F32 && math.IsInf(float64(float32(x.value)), 0) { // 0 times that were no number
			return nil, fault.New(ErrArgument, op, "%v is not a value of %v", x.value, scale).For(x.name)
		}
	}
	return made(op, dev, elem, []int{max(int(n), 0)}, func(t *Tensor) error {
		return arangeKernel.launchWords(sequenceConfigFor(dev.Caps(), elem, t.Len()), words, viewsOf(t))
	})
}

// eyeKernel writes 1 where row and column are the same. Each program writes a row.
var eyeKernel = NewKernel("eye", func(k *tile.Builder, cfg sequenceConfig) {
	out := k.Out("out", cfg.Elem, 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, 1, cfg.Block)
	column := k.Iota(1, 1, cfg.Block).Add(at[1].(*tile.Value).Mul(cfg.Block))
	out.Block(1, cfg.Block).Store(column.Eq(at[0]).Cast(cfg.Elem), at...)
})

// Eye returns the identity matrix of n rows. Errors as for Empty.
func Eye(dev *Device, elem DType, n int) (*Tensor, error) {
	return made("eye", dev, elem, []int{n, n}, func(t *Tensor) error {
		return eyeKernel.Launch(sequenceConfigFor(dev.Caps(), elem, n), t)
	})
}

// Item is the element of a tensor that has only one, of any rank. Error: ErrShape for
// more elements or none, and as for ToFloats.
func (t *Tensor) Item() (float64, error) { return t.item("item") }

// item is Item for a call that errors name.
func (t *Tensor) item(op string) (float64, error) {
	if t != nil && t.Len() != 1 {
		return 0, fault.New(ErrShape, op, "shape %v has %s, want 1", t.Shape(), fault.Count(t.Len(), "element"))
	}
	x, err := toFloats(op, t)
	if err != nil {
		return 0, err
	}
	return x[0], nil
}
