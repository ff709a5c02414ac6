package endtoend

import (
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

var update = flag.Bool("update", false, "write the golden list of errors anew")

func second(_ any, err error) error { return err }

// slips makes mistakes that users make, and hands each one's error to p.
type slips struct {
	t         *testing.T
	dev, away *weft.Device // and another device
	p         func(err error)
}

func (s slips) zeros(d *weft.Device, elem weft.DType, shape ...int) *weft.Tensor {
	s.t.Helper()
	x, err := weft.Zeros(d, elem, shape...)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

func (s slips) ops() {
	dev, p, f := s.dev, s.p, s.zeros
	a, b := f(dev, weft.F32, 3, 5), f(dev, weft.F32, 7, 2)
	i, h := f(dev, weft.I32, 3, 5), f(dev, weft.F16, 3, 5)
	bo := f(dev, weft.Bool, 3, 5)
	closed := f(dev, weft.F32, 3, 5)
	closed.Close()
	p(second(ops.MatMul(a, b)))
	p(second(ops.MatMul(f(dev, weft.F32, 3, 1), b)))
	p(second(ops.MatMul(a, f(dev, weft.F16, 5, 2))))
	p(second(ops.MatMul(bo, bo)))
	p(second(ops.MatMul(f(dev, weft.F32), a)))
	p(second(ops.MatMul(f(dev, weft.F32, 2, 3, 5), f(dev, weft.F32, 3, 5, 2))))
	p(second(ops.MatMul(a, nil)))
	p(second(ops.MatMul(closed, b)))
	p(ops.MatMulInto(f(dev, weft.F32, 3, 3), a, f(dev, weft.F32, 5, 2)))
	p(ops.MatMulInto(f(dev, weft.I32, 3, 2), a, f(dev, weft.F32, 5, 2)))
	p(second(ops.MatMul(a, a.T(), ops.Fuse(nil))))
	p(second(ops.MatMul(f(dev, weft.I8, 3, 5), f(dev, weft.I8, 5, 2), ops.Alpha(0.5))))
	p(second(ops.Add(a, f(dev, weft.F32, 4))))
	p(second(ops.Add(a, i)))
	p(second(ops.Add(a, h)))
	p(second(ops.Add(bo, bo)))
	p(second(ops.Add(1, 2)))
	p(second(ops.Add(a, "x")))
	p(second(ops.Add(a, nil)))
	p(second(ops.Add(a, closed)))
	p(second(ops.Add(f(dev, weft.I8, 3), 1000)))
	p(second(ops.GELU(i)))
	p(second(ops.GELU(nil)))
	p(second(ops.Sum(a, ops.Axis(5))))
	p(second(ops.Sum(a, ops.Axis(1, -1))))
	p(second(ops.Mean(i)))
	p(second(ops.Max(f(dev, weft.F32, 0, 3), ops.Axis(0))))
	p(second(ops.Softmax(i)))
	p(second(ops.Softmax(f(dev, weft.F32))))
	p(second(ops.Softmax(a, ops.Temperature(-1))))
	p(second(ops.Softmax(a, nil)))
	p(second(ops.LayerNorm(a, f(dev, weft.F32, 4), nil)))
	p(second(ops.Attention(a, a, a)))
	q := f(dev, weft.F32, 1, 2, 8, 16)
	p(second(ops.Attention(q, f(dev, weft.F32, 1, 3, 8, 16), f(dev, weft.F32, 1, 3, 8, 16))))
	p(second(ops.Attention(q, q, f(dev, weft.F32, 1, 2, 9, 16))))
	p(second(ops.Conv2D(a, a)))
	x, w := f(dev, weft.F32, 1, 3, 8, 8), f(dev, weft.F32, 4, 2, 3, 3)
	p(second(ops.Conv2D(x, w)))
	p(second(ops.Conv2D(f(dev, weft.F32, 1, 2, 2, 2), w)))
	p(second(ops.Linear(a, f(dev, weft.F32, 4, 6), nil)))
	p(second(ops.Dropout(a, 1.5, ops.Stream{}, nil)))
}

func (s slips) tensors() {
	dev, p, f := s.dev, s.p, s.zeros
	a := f(dev, weft.F32, 3, 5)
	p(second(a.Reshape(4, 4)))
	p(second(a.Reshape(-1, 4)))
	p(second(a.Slice(0, 2, 9)))
	p(second(a.Slice(4, 0, 1)))
	p(second(a.Select(0, 9)))
	p(second(a.Permute(0, 0)))
	p(second(a.Squeeze(0)))
	p(second(a.Broadcast(3, 6)))
	p(second(a.T().Reshape(15)))
	p(second(a.Item()))
	p(second(a.At(1)))
	p(second(a.At(3, 0)))
	p(second(weft.ToSlice[int32](a)))
	p(second(weft.FromSlice(dev, []float32{1, 2}, 3)))
	p(second(weft.FromSlice(dev, []float32{1, 2}, -2)))
	p(second(weft.Empty(dev, weft.DType(99), 3)))
	p(second(weft.Empty(nil, weft.F32, 3)))
	p(second(weft.Arange(dev, weft.F32, 0, 1, 0)))
	p(second(weft.FromNumbers(dev, weft.I8, []int{1, 1000}, 2)))

}

func (s slips) launches() {
	dev, away, p, f := s.dev, s.away, s.p, s.zeros
	a := f(dev, weft.F32, 3, 5)
	saxpy := weft.NewKernel("saxpy", func(k *tile.Builder, block int) {
		x, y := k.In("x", weft.F32, 1), k.InOut("y", weft.F32, 1)
		s := k.Scalar("factor", weft.F32)
		k.Grid(k.CDiv(x.Dim(0), block))
		i := k.ProgramID(0)
		y.Block(block).Store(x.Block(block).Load(i).Mul(s).Add(y.Block(block).Load(i)), i)
	})
	v := f(dev, weft.F32, 8)
	sc := weft.Scalars{2.0}
	p(saxpy.LaunchWith(4, sc, a, v))
	p(saxpy.LaunchWith(4, sc, f(dev, weft.F16, 8), v))
	p(saxpy.LaunchWith(4, sc, v))
	p(saxpy.Launch(4, v, v))
	p(saxpy.LaunchWith(4, weft.Scalars{"2"}, v, v))
	p(saxpy.LaunchWith(4, sc, v, nil))
	p(saxpy.LaunchWith(4, sc, v, f(away, weft.F32, 8)))
	p(saxpy.LaunchWith(3, sc, v, v))
	p(saxpy.LaunchWith(0, sc, v, v))
	c8 := f(dev, weft.F32, 8)
	c8.Close()
	p(saxpy.LaunchWith(4, sc, v, c8))
	repeated, err := f(dev, weft.F32, 1).Broadcast(8)
	if err != nil {
		s.t.Fatal(err)
	}
	p(saxpy.LaunchWith(4, sc, v, repeated))
	mm := weft.NewMap("mm", []string{"x", "y"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[1]) })
	p(second(mm.Apply(a)))
	p(second(mm.Apply(a, f(dev, weft.F32, 7, 2))))
	reducing := weft.NewMap("reducing", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Sum(0) })
	p(second(reducing.Apply(a)))
}

func (s slips) kernels() {
	dev, p := s.dev, s.p
	v := s.zeros(dev, weft.F32, 8)
	build := func(describe func(k *tile.Builder)) {
		p(weft.NewKernel("bad", func(k *tile.Builder, _ int) {
			k.Grid(1)
			describe(k)
		}).Launch(0, v))
	}
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		b := x.Block(4)
		b.Store(b.Load(0).Add(b.Load(0).Cast(weft.F16)), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0).Add(x), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0).Cast(weft.F16), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0).Add(x.Block(8).Load(0)), 0)
	})
	build(func(k *tile.Builder) {
		x := k.In("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0, 1), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0).Sum(3), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(nil, 0)
	})
	build(func(k *tile.Builder) { k.Out("x", weft.F32, 1) })
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(x.Block(4).Load(0).Add(v), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(tile.GELU(nil), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(tile.Dot(nil, nil, nil, 0), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(4).Store(k.Where(nil, 1, 2), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		t := x.Block(16).Load(0).Reshape(4, 4)
		x.Block(16).Store(tile.Dot(t, t.Cast(weft.F16), t, 0).Reshape(16), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		t := x.Block(16).Load(0)
		x.Block(16).Store(k.Where(t, t, 0), 0)
	})
	build(func(k *tile.Builder) {
		x := k.InOut("x", weft.F32, 1)
		x.Block(16).Store(x.Block(16).Load(0).Add(math.Inf(1)).Cast(weft.I32).Add(1.5), 0)
	})
	build(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 3})
		k.InOut("x", weft.F32, 1)
	})
	nogrid := weft.NewKernel("nogrid", func(k *tile.Builder, _ int) {
		x := k.InOut("x", weft.F32, 1)
		i := k.ProgramID(0)
		x.Block(4).Store(x.Block(4).Load(i), i)
	})
	p(nogrid.Launch(0, v))
	hugeg := weft.NewKernel("huge", func(k *tile.Builder, _ int) {
		x := k.InOut("x", weft.F32, 1)
		k.Grid(1<<20, 1<<20, 1<<10)
		i := k.ProgramID(0)
		x.Block(4).Store(x.Block(4).Load(i), i)
	})
	p(hugeg.Launch(0, v))
	if ir, err := hugeg.Build(0); err == nil {
		p(s.away.LaunchBuilt(ir, nil, weft.TensorView{Tensor: v, Layout: v.Layout()}))
	}
}

// Errors as users see them are in one list, which reads well. It is one for all devices, but for their names. go test -update writes it.
func TestComposedErrors(t *testing.T) {
	for _, name := range []string{"cpu", "vulkan"} {
		t.Run(name, func(t *testing.T) {
			dev, err := weft.Open(name)
			if err != nil {
				testenv.Skip(t, name, err.Error())
			}
			defer dev.Close()
			away, err := weft.Open(map[string]string{"cpu": "cpu", "vulkan": "cpu"}[name])
			if err != nil {
				t.Fatal(err)
			}
			defer away.Close()
			var list strings.Builder
			s := slips{t, dev, away, func(err error) { fmt.Fprintln(&list, err) }}
			for _, mistakes := range []func(){s.ops, s.tensors, s.launches, s.kernels} {
				mistakes()
			}
			got := regexp.MustCompile(`_test\.go:\d+`).ReplaceAllString(list.String(), "_test.go:LINE")
			got = regexp.MustCompile(`the tensor is on .*: (open a device once and share it, or )?copy`).ReplaceAllString(got, "the tensor is on ANOTHER: copy")
			got = strings.ReplaceAll(got, name+":0", "DEVICE")
			const golden = "testdata/errors.txt"
			if *update && name == "cpu" {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
			for i, line := range strings.Split(got, "\n") {
				if i >= len(want) || line != want[i] {
					t.Errorf("line %d is\n%s\nwant\n%s", i+1, line, append(want, make([]string, i+1)...)[i])
				}
				if strings.Contains(line, "<nil>") || strings.Contains(line, ": :") || strings.Count(line, "weft: ") > 1 {
					t.Errorf("line %d is no error, or says a thing twice: %s", i+1, line)
				}
			}
		})
	}
}
