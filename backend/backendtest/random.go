package backendtest

import (
	"encoding/binary"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernelgen"
	"github.com/weftgpu/weft/target"
)

// testRandom runs random kernels and compares what they leave in memory, padding
// included, with what the meaning of the language allows. In the quick form they are
// the same in every run, and small but on the CPU, which all devices are compared with; -rapid.checks says how many.
func testRandom(s *suite) {
	n, o := 20, kernelgen.Options{Elements: 64, Ops: 5, Buffers: 5}
	if s.full || s.dev.Caps().Language == target.TileIR {
		n, o = 300, kernelgen.Options{Elements: 1024}
	}
	o.Threads = []int{0, 32, 64, 256} // drivers need minutes to compile what few threads do to many elements
	o.NoInt64, o.NoFloat64 = !s.has(weft.I64), !s.has(weft.F64)
	kernelgen.Check(s.T, n, s.full, o, func(t kernelgen.TB, c *kernelgen.Case, r *kernelgen.Report) {
		if err := r.Run(c, func() ([][]byte, error) { return onDevice(s.dev, c) }); err != nil {
			t.Fatalf("%v", err)
		}
	})
}

// onDevice launches a case's kernel and returns what its buffers hold then.
func onDevice(dev *weft.Device, c *kernelgen.Case) (memory [][]byte, err error) {
	buffers := make([]*weft.Tensor, len(c.Elems))
	for i, e := range c.Elems {
		if buffers[i], err = upload(dev, e, c.Start[i]); err != nil {
			return nil, err
		}
		defer buffers[i].Close()
	}
	views := make([]weft.TensorView, len(c.Args))
	for i, a := range c.Args {
		views[i] = weft.TensorView{Tensor: buffers[a.Buffer], Layout: a.Layout}
	}
	var scalars weft.Scalars
	for i, p := range c.Kernel.Scalars {
		var x [1]float64
		dtype.Floats(p.Elem, x[:], kernelgen.Word(c.Scalars[i]))
		if p.Elem.IsFloat() {
			scalars = append(scalars, x[0])
		} else {
			scalars = append(scalars, int(x[0]))
		}
	}
	if err := dev.LaunchBuilt(c.Kernel, scalars, views...); err != nil {
		return nil, err
	}
	for i, e := range c.Elems {
		raw, err := download(buffers[i], e)
		if err != nil {
			return nil, err
		}
		memory = append(memory, raw)
	}
	return memory, nil
}

// upload copies elements in memory to a tensor of one dimension.
func upload(dev *weft.Device, e weft.DType, raw []byte) (*weft.Tensor, error) {
	if e.IsInt() && e.Size() == 8 { // which float64 does not hold
		x := make([]uint64, len(raw)/8)
		for i := range x {
			x[i] = binary.LittleEndian.Uint64(raw[8*i:])
		}
		if e == weft.U64 {
			return weft.FromSlice(dev, x)
		}
		signed := make([]int64, len(x))
		for i, n := range x {
			signed[i] = int64(n)
		}
		return weft.FromSlice(dev, signed)
	}
	x := make([]float64, len(raw)/e.Size())
	dtype.Floats(e, x, raw)
	return weft.FromFloats(dev, e, x)
}

// download undoes upload.
func download(t *weft.Tensor, e weft.DType) (raw []byte, err error) {
	switch e {
	case weft.U64:
		x, err := weft.ToSlice[uint64](t)
		for _, n := range x {
			raw = binary.LittleEndian.AppendUint64(raw, n)
		}
		return raw, err
	case weft.I64:
		x, err := weft.ToSlice[int64](t)
		for _, n := range x {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(n))
		}
		return raw, err
	}
	x, err := weft.ToFloats(t)
	raw = make([]byte, len(x)*e.Size())
	dtype.PutFloats(e, raw, x)
	return raw, err
}
