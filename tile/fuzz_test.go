package tile_test

import (
	"testing"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// FuzzVerify changes ops at random. Verify must not panic, and what it accepts
// must print and run without a panic.
func FuzzVerify(f *testing.F) {
	kernels := []func(*tile.Builder){addKernel, matmulKernel, softmaxKernel, nestedKernel, pointsKernel, controlKernel, combinesKernel}
	for i := range kernels {
		f.Add([]byte{byte(i), 3, 0, byte(tile.OpMul)})
		f.Add([]byte{byte(i), 9, 1, 0, 4, 12, 1, 1, 2})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b)
		}
		k := build(t, "fuzz", kernels[next()%len(kernels)])
		ops, values := contents(k.Body, nil, nil)
		for len(data) > 0 {
			change(k, ops[next()%len(ops)], ops, values, next)
		}
		if tile.Verify(k) != nil {
			return
		}
		_ = k.String()
		for _, op := range ops {
			if op.Kind == tile.OpWhile || op.Kind == tile.OpPrint {
				return // it may not end, or print for ever
			}
		}
		runSmall(t, k)
	})
}

// contents lists the ops and values of a region, loops included.
func contents(r *tile.Region, ops []*tile.Op, values []*tile.Value) ([]*tile.Op, []*tile.Value) {
	values = append(values, r.Args...)
	for _, op := range r.Ops {
		ops, values = append(ops, op), append(values, op.Out...)
		for _, body := range op.Regions() {
			ops, values = contents(body, ops, values)
		}
	}
	return ops, values
}

// change does one thing to an op.
func change(k *tile.Func, op *tile.Op, ops []*tile.Op, values []*tile.Value, next func() int) {
	switch next() % 11 {
	case 0:
		op.Kind = tile.Kind(next())
	case 1:
		if len(op.Args) > 0 {
			op.Args[next()%len(op.Args)] = values[next()%len(values)]
		}
	case 2:
		op.Args = append(op.Args, values[next()%len(values)])
	case 3:
		op.Args = op.Args[:min(len(op.Args), next())]
	case 4:
		op.Axis = int(int8(next()))
	case 5:
		op.Number = float64(int8(next())) / 2
	case 6:
		op.Precision = tile.Precision(next())
	case 7:
		op.View = k.Views[next()%len(k.Views)]
	case 8:
		op.Body = ops[next()%len(ops)].Body
	case 9:
		op.Else = ops[next()%len(ops)].Else
	case 10:
		op.RMW, op.Order = tile.RMW(next()), tile.MemoryOrder(next())
	}
}

// runSmall runs a kernel on views of size 3 in each dimension.
func runSmall(t *testing.T, k *tile.Func) {
	p := &interp.Program{Kernel: k}
	var layouts []layout.Layout
	var buffers [][]byte
	for i, v := range k.Views {
		shape := []int{3, 3, 3, 3, 3}[:v.Rank]
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		p.Buffers = append(p.Buffers, i)
		layouts, buffers = append(layouts, l), append(buffers, make([]byte, l.Len()*v.Elem.Size()))
	}
	scalars := make([]uint32, len(k.Scalars))
	for i := range scalars {
		scalars[i] = 2
	}
	words, err := k.Words(layouts, scalars)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run([3]int{2, 1, 1}, buffers, words)
	t.Log(err) // a step that is not positive is an error
}
