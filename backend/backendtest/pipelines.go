package backendtest

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// BenchmarkPipelines measures how long a driver takes to load the kernels of ops, for
// square tensors of 1024, from the device's own binary, and to launch them once, with one
// workgroup that finds nothing to do: some drivers compile no sooner. Drivers keep
// what they compiled: turn that off, in Mesa by MESA_SHADER_CACHE_DISABLE=true.
func BenchmarkPipelines(b *testing.B, name string) {
	dev, err := backend.Open(name)
	if err != nil {
		testenv.Skip(b, name, err.Error())
	}
	defer dev.Close()
	const side = 1024
	var bufs []backend.Buffer
	for range 3 {
		buf, err := dev.NewBuffer(4 * side * side)
		if err != nil {
			b.Fatal(err)
		}
		bufs = append(bufs, buf)
	}
	plain := dev.Caps()
	plain.SubgroupSize, plain.F16, plain.F16Nearest = 0, false, false
	for _, elem := range []weft.DType{weft.F32, weft.F16} {
		for form, caps := range map[string]target.Caps{"core": plain, "extended": dev.Caps()} {
			for name, k := range pipelineKernels(b, caps, elem, side) {
				b.Run(fmt.Sprintf("%s/%v/%s", name, elem, form), func(b *testing.B) {
					benchmarkLoad(b, dev, k, caps, bufs, side)
				})
			}
		}
	}
}

func pipelineKernels(b *testing.B, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	l, err := layout.Contiguous(side, side)
	if err != nil {
		b.Fatal(err)
	}
	funcs := map[string]*tile.Func{}
	keep := func(k *tile.Func, err error) {
		if err != nil {
			b.Fatal(err)
		}
		funcs[k.Name] = k
	}
	softmax, _ := kernels.SoftmaxConfigFor(caps, elem, l)
	online := softmax
	online.Cols /= 4
	keep(ops.AddMap.Kernel.Build(elementwise.ConfigFor(caps, elem, elem, l, l, l)))
	keep(kernels.MatMul.Build(kernels.MatMulConfigFor(caps, elem, side, side, side)))
	keep(kernels.Softmax.Build(softmax))
	keep(kernels.SoftmaxOnline.Build(online))
	return funcs
}

func benchmarkLoad(b *testing.B, dev backend.Device, k *tile.Func, caps target.Caps, bufs []backend.Buffer, side int) {
	var args []compile.Arg
	for i, v := range k.Views {
		shape := make([]int, v.Rank)
		for d := range shape {
			shape[d] = side
		}
		l, err := layout.Contiguous(shape...)
		if err != nil {
			b.Fatal(err)
		}
		args = append(args, compile.Arg{Buffer: bufs[i], Elem: v.Elem, Layout: l})
	}
	facts, err := compile.FactsOf(k, args)
	if err != nil {
		b.Fatal(err)
	}
	a, err := compile.Emit(k, facts, caps)
	if err != nil {
		b.Fatal(err)
	}
	binary, err := dev.Compile(a.Source)
	if err != nil {
		b.Fatal(err)
	}
	launch := backend.Launch{Grid: [3]int{1, 1, 1}, Words: make([]uint32, a.Source.Words), Buffers: bufs[:len(a.Source.Bindings)]}
	for b.Loop() {
		p, err := dev.Load(a.Source, binary)
		if err == nil {
			err = dev.Stream().Launch(p, launch)
		}
		if err == nil {
			err = dev.Stream().Synchronize()
		}
		if err == nil {
			err = p.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
