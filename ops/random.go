package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// RandomConfig is what the kernels of Uniform, Normal and Dropout are built for.
type RandomConfig struct {
	Elem    weft.DType // F32, F16 or BF16
	Block   int        // numbers of one program, a power of two of at least 4
	Mask    bool       // Dropout stores which elements it kept
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// UniformKernel is the kernel of Uniform, and NormalKernel that of Normal. Their view is out [n]; their scalars are the
// low and the high half of the seed, and those of the first counter.
var (
	UniformKernel = weft.NewKernel("uniform", func(k *tile.Builder, cfg RandomConfig) { fillRandom(k, cfg, uniform) })
	NormalKernel  = weft.NewKernel("normal", func(k *tile.Builder, cfg RandomConfig) { fillRandom(k, cfg, normal) })
)

// fillRandom fills out with what f makes of the words of each counter.
func fillRandom(k *tile.Builder, cfg RandomConfig, f func(k *tile.Builder, cfg RandomConfig, w [4]*tile.Value) [4]*tile.Value) {
	out := k.Out("out", cfg.Elem, 1)
	key, first := streamScalars(k)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Grid(k.CDiv(out.Dim(0), cfg.Block))
	p := k.ProgramID(0)
	w := draw(k, key, first, p.Mul(cfg.Block/4), cfg.Block/4)
	out.Block(cfg.Block).Store(inOrder(f(k, cfg, w)), p)
}

// uniform takes the upper bits of each word, as many as the type holds below 1 without rounding.
func uniform(_ *tile.Builder, cfg RandomConfig, w [4]*tile.Value) [4]*tile.Value {
	bits := uniformBits(cfg.Elem)
	for i := range w {
		w[i] = w[i].Shr(32 - bits).Cast(dtype.F32).Mul(math.Ldexp(1, -bits)).Cast(cfg.Elem)
	}
	return w
}

// uniformBits is the precision of a type in bits.
func uniformBits(elem weft.DType) int { return -int(math.Log2(elem.Epsilon())) }

// Uniform returns a new tensor of random numbers of F32, F16 or BF16, uniform on [0,1): element i, in row-major order, is
// number s.Offset+i of the stream, a multiple of 2^-24, 2^-11 or 2^-8. Every device gives the same bits.
//
// Errors: ErrArgument for other element types or an offset that is no multiple of 4, and those of weft.Empty.
func Uniform(dev *weft.Device, elem weft.DType, s Stream, shape ...int) (*weft.Tensor, error) {
	return into(dev, elem, shape, func(out *weft.Tensor) error { return UniformInto(out, s) })
}

// UniformInto fills out, of any layout, as Uniform does.
//
// Errors: as for Uniform, and ErrUnsupported if out repeats elements.
func UniformInto(out *weft.Tensor, s Stream) error { return runRandom(false, out, s) }

// Normal returns a new tensor of random numbers of F32, F16 or BF16 with mean 0 and variance 1: multiples of 2^-21, below 6.7
// in magnitude, and then rounded to the type. Elements 2i and 2i+1 come from the numbers of the stream that they would be for Uniform.
// Every device gives the same bits.
//
// Errors: as for Uniform.
func Normal(dev *weft.Device, elem weft.DType, s Stream, shape ...int) (*weft.Tensor, error) {
	return into(dev, elem, shape, func(out *weft.Tensor) error { return NormalInto(out, s) })
}

// NormalInto fills out, of any layout, as Normal does.
//
// Errors: as for Normal, and ErrUnsupported if out repeats elements.
func NormalInto(out *weft.Tensor, s Stream) error { return runRandom(true, out, s) }

// runRandom fills out.
func runRandom(normal bool, out *weft.Tensor, s Stream) error {
	if err := checkStream(randomName(normal), s); err != nil {
		return err
	}
	w := s.words()
	return randomCalls.RunWith(normal, w[:], out)
}

func randomName(normal bool) string {
	if normal {
		return "normal"
	}
	return "uniform"
}

// randomInto fills out by the words of a stream.
func randomInto(normal bool, out *weft.Tensor, w []uint32) error {
	op, kernel := randomName(normal), UniformKernel
	if normal {
		kernel = NormalKernel
	}
	if err := checkOperands(op, dtype.Type.IsFloat, operand{"out", out}); err != nil {
		return err
	}
	if err := checkWritable(op, operand{"out", out}); err != nil {
		return err
	}
	return throughDense(out, func(flat *weft.Tensor) error {
		cfg := pick(randomTune, out.Device(), randomProblem{op, out.DType(), out.Len()})
		return kernel.LaunchWith(cfg, weft.Scalars{w[0], w[1], w[2], w[3]}, flat)
	})
}

func checkStream(op string, s Stream) error {
	if s.Offset%4 != 0 {
		return fault.New(weft.ErrArgument, op, "offset %d is no multiple of 4", s.Offset).For("stream")
	}
	return nil
}

// throughDense calls f with out as a vector, or where its elements are not one after the other with a
// dense vector that is copied to out afterwards.
func throughDense(out *weft.Tensor, f func(flat *weft.Tensor) error) error {
	if out.Len() == 0 {
		return nil
	}
	dense := out
	if !out.Layout().IsContiguous() {
		var err error
		if dense, err = weft.Empty(out.Device(), out.DType(), out.Shape()...); err != nil {
			return err
		}
		defer dense.Close()
	}
	flat, err := dense.Reshape(out.Len())
	if err != nil {
		return err
	}
	defer flat.Close()
	if err := f(flat); err != nil || dense == out {
		return err
	}
	return out.CopyFrom(dense)
}

// RandomConfigFor chooses the config for n numbers.
func RandomConfigFor(caps target.Caps, elem weft.DType, n int) RandomConfig {
	cfg := RandomConfig{Elem: elem, Block: 1 << 14}
	if caps.Language != target.TileIR {
		cfg.Threads, cfg.Block = 128, 1024 // 8 numbers a thread: two calls of Philox side by side
		cfg.Threads = caps.FitThreads(cfg.Threads)
	}
	cfg.Block = max(4, min(cfg.Block, pow2.Ceil(n)))
	return cfg
}

// RandomConfigs lists the configs to choose from for n numbers, the one of RandomConfigFor first.
func RandomConfigs(caps target.Caps, elem weft.DType, n int) []RandomConfig {
	list := []RandomConfig{RandomConfigFor(caps, elem, n)}
	for block := 256; block <= 1<<14; block *= 2 {
		for threads := 64; threads <= 512; threads *= 2 {
			cfg := RandomConfig{Elem: elem, Block: block, Threads: threads}
			if caps.Language == target.TileIR {
				cfg.Threads = 0
			}
			fits := caps.MaxThreads == 0 || cfg.Threads <= caps.MaxThreads
			if fits && block <= max(256, pow2.Ceil(n)) && cfg != list[0] && cfg != list[len(list)-1] {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// NormalBound is the largest error of a number of Normal, given the exact one and the radius
// from which it was made: half a step of 2^-21; that of root, sine and cosine; and that of the radius' square, of which the
// root makes much near 0.
func NormalBound(elem weft.DType, exact, radius float64) float64 {
	const square = 0x1p-28
	err := 0x1p-22 + radius*0x1p-25 + min(math.Sqrt(square), square/radius)
	return err + elem.Epsilon()*(math.Abs(exact)+err) + smallest(elem)
}
