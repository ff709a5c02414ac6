package standalone

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

var a100 = func() target.Caps { p, _ := target.PresetNamed("a100"); return p.Caps }()

// case_ is a call with options.
type case_ struct {
	op, shape string
	options   func(*catalog.Options)
	tries     [][]int // sizes at which it must be right
	on        string  // hardware, if not a100
}

func (c case_) String() string { return c.op + " " + c.shape }

func dtype(name string) func(*catalog.Options) { return func(o *catalog.Options) { o.DType = name } }

var cases = []case_{
	{op: "add", shape: "1048576", tries: [][]int{{1}, {1000}, {1024}, {4097}}},
	{op: "transpose", shape: "1000x1000", tries: [][]int{{1, 1}, {70, 33}, {1, 129}, {64, 128}}},
	{op: "transpose", shape: "4x512x512", options: dtype("f16"), tries: [][]int{{2, 70, 33}}},
	{op: "permute", shape: "32x64x56x56", options: func(o *catalog.Options) { o.Dims = "0,2,3,1" }, tries: [][]int{{1, 1, 1, 1}, {2, 5, 7, 9}}},
	{op: "permute", shape: "32x64x56x56", tries: [][]int{{1, 1, 1, 1}, {2, 5, 7, 9}, {40, 3, 2, 33}}},
	{op: "copy", shape: "4096", options: dtype("f16"), tries: [][]int{{1}, {7}, {1000}}},
	{op: "gelu", shape: "1024x1024", options: dtype("f16"), tries: [][]int{{1}, {2047}}},
	{op: "where", shape: "4096", tries: [][]int{{5}, {5000}}},
	{op: "matmul", shape: "1024x1024x1024", tries: [][]int{{1, 1, 1}, {129, 63, 17}, {128, 128, 32}, {5, 200, 1}}},
	{op: "matmul", shape: "4x256x256x64", options: dtype("f16"), tries: [][]int{{1, 5, 6, 7}, {3, 33, 129, 65}}},
	{op: "matmul", shape: "512x512x512", options: func(o *catalog.Options) { o.Layout = "nt" }, tries: [][]int{{7, 9, 11}, {65, 130, 33}}},
	{op: "matmul", shape: "1024x1024x1024", options: dtype("f16"), on: "h200", tries: [][]int{{5, 6, 7}, {129, 130, 65}}}, // by tensor cores
	{op: "linear", shape: "256x512x512", tries: [][]int{{3, 5, 7}, {70, 33, 65}}},
	{op: "softmax", shape: "65536x1000", tries: [][]int{{1, 1}, {3, 1000}, {5, 1024}, {2, 1025}, {3, 9001}}},
	{op: "log_softmax", shape: "100x20000", tries: [][]int{{2, 7}, {2, 5000}}},
	{op: "softmax", shape: "1x1", tries: [][]int{{1, 1}, {5, 3}, {3, 9001}}}, // shorter than any tile
	{op: "log_softmax", shape: "4096x8", tries: [][]int{{3, 7}, {2, 8}, {5, 1}}},
	{op: "layernorm", shape: "70000x2", tries: [][]int{{1, 1}, {7, 2}, {3, 9}}},
	{op: "softmax", shape: "1000000", tries: [][]int{{1}, {999}, {300000}}},
	{op: "layernorm", shape: "4096x4096", tries: [][]int{{1, 1}, {3, 4096}, {2, 4097}, {3, 10007}}},
	{op: "rmsnorm", shape: "128x100", options: dtype("bf16"), tries: [][]int{{3, 100}, {2, 129}}},
	{op: "layernorm", shape: "2x1000000", tries: [][]int{{1, 1}, {3, 4097}}}, // longer than many rows may be
	{op: "cumsum", shape: "1000000", tries: [][]int{{1, 1}, {3, 4097}}},
	{op: "sum", shape: "100000000", tries: [][]int{{1}, {4097}, {1000003}}},
	{op: "max", shape: "1000x1000", tries: [][]int{{1}, {70001}}},
	{op: "var", shape: "1048576", tries: [][]int{{1}, {5000}, {100001}}},
	{op: "mean", shape: "4096x4096", options: func(o *catalog.Options) { o.Axis = "1" }, tries: [][]int{{1, 1}, {5, 9001}, {3, 4096}}},
	{op: "sum", shape: "4096x4096", options: func(o *catalog.Options) { o.Axis = "0" }, tries: [][]int{{1, 1}, {301, 77}, {5, 4100}}},
	{op: "argmax", shape: "16x512x64", options: func(o *catalog.Options) { o.Axis = "1" }, tries: [][]int{{1, 1, 1}, {3, 70, 9}}},
	{op: "conv2d", shape: "32x64x56x56,64x64x3x3", options: func(o *catalog.Options) { o.Pad = 1 }, tries: [][]int{{1, 1, 5, 6, 1}, {2, 17, 9, 7, 5}, {1, 40, 8, 8, 70}}},
	{op: "conv2d", shape: "8x3x224x224,64x3x7x7", options: func(o *catalog.Options) { o.Pad, o.Stride = 3, 2 }, tries: [][]int{{1, 3, 20, 21, 4}}},
	{op: "conv2d", shape: "8x64x28x28,64x32x3x3", options: func(o *catalog.Options) { o.Groups = 2 }, tries: [][]int{{1, 6, 9, 9, 4}}},
	{op: "conv2d", shape: "8x64x28x28,128x64x1x1", tries: [][]int{{2, 6, 5, 5, 40}}},
	{op: "conv2d", shape: "8x64x56x56,64x1x3x3", options: func(o *catalog.Options) { o.Pad, o.Groups = 1, 64 }, tries: [][]int{{1, 64, 5, 6, 64}, {2, 128, 9, 7, 192}}},
	{op: "im2col", shape: "8x64x56x56,3x3", tries: [][]int{{1, 2, 5, 7}, {2, 3, 20, 9}}},
	{op: "attention", shape: "1x8x64x2048x32", options: func(o *catalog.Options) { o.DType = "f16" }, tries: [][]int{{1, 2, 5, 130, 32}}},
	{op: "attention", shape: "4x32x4096x64", tries: [][]int{{1, 1, 1, 64}, {2, 3, 77, 64}}},
	{op: "attention", shape: "1x8x1024x96", options: func(o *catalog.Options) { o.Causal, o.KVHeads = true, 2 }, tries: [][]int{{1, 4, 70, 96}}},
	{op: "uniform", shape: "1048576", tries: [][]int{{1}, {10001}}},
	{op: "dropout", shape: "1048576", tries: [][]int{{5}, {10001}}},
	{op: "quantize", shape: "4096x4096", options: func(o *catalog.Options) { o.Block = 128 }, tries: [][]int{{1, 128}, {5, 384}}},
	{op: "dequantize", shape: "4096x4096", options: func(o *catalog.Options) { o.Bits, o.Block = 4, 32 }, tries: [][]int{{3, 32}, {5, 96}}},
	{op: "quantized_matmul", shape: "512x4096x4096", options: func(o *catalog.Options) { o.Bits, o.Block = 4, 128 }, tries: [][]int{{3, 5, 128}, {20, 70, 256}}},
	{op: "quantized_matmul", shape: "512x4096x4096", options: func(o *catalog.Options) { o.Bits, o.Block, o.Codes = 4, 32, "mxfp4" }, tries: [][]int{{3, 5, 64}}},
	{op: "quantize", shape: "4096x4096", options: func(o *catalog.Options) { o.Bits, o.Block, o.Codes = 4, 64, "nf4" }, tries: [][]int{{3, 64}, {5, 192}}},
}

func (c case_) plan(t *testing.T) *Plan {
	t.Helper()
	p, err := c.tryPlan(t)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (c case_) tryPlan(t *testing.T) (*Plan, error) {
	t.Helper()
	op, err := catalog.Find(c.op)
	if err != nil {
		t.Fatal(err)
	}
	o := catalog.DefaultOptions()
	if c.options != nil {
		c.options(&o)
	}
	call, err := op.Parse(c.shape, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.on != "" {
		p, _ := target.PresetNamed(c.on)
		return New(call, p.Caps)
	}
	return New(call, a100)
}

// A plan made at some sizes gives, at any others, what the op itself gives.
func TestPlansHoldForAnySizes(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, c := range cases {
		t.Run(c.String(), func(t *testing.T) {
			testenv.Sample(t)
			p := c.plan(t)
			for _, sizes := range c.tries {
				problem := p.Call.Problem(sizes)
				x, err := problem.Tensors(dev)
				if err != nil {
					t.Fatal(err)
				}
				if err := problem.Run(x.Out, x.In); err != nil {
					t.Fatal(err)
				}
				var want [][]float64
				for _, out := range x.Out {
					want = append(want, floats(t, out))
					if out.DType() != weft.Bool {
						if err := out.Fill(77); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := p.launch(sizes, x.Out, x.In); err != nil {
					t.Fatal(err)
				}
				for i, out := range x.Out {
					if why := differ(out.DType(), floats(t, out), want[i]); why != "" {
						t.Errorf("sizes %v: %s: %s", sizes, p.Out[i].Name, why)
					}
				}
				x.Close()
			}
		})
	}
}

func floats(t *testing.T, x *weft.Tensor) []float64 {
	t.Helper()
	list, err := weft.ToFloats(x)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// differ compares what two orders of the same sums gave.
func differ(elem weft.DType, got, want []float64) string {
	least, relative := 2e-5, 1e-4
	if elem.IsFloat() && elem != weft.F32 {
		least, relative = 2e-2, 2e-2
	}
	if !elem.IsFloat() {
		least, relative = 1, 0 // quantised: the other side of a half
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= least+relative*math.Abs(want[i])) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
			return fmt.Sprintf("element %d of %d is %v, want %v", i, len(want), got[i], want[i])
		}
	}
	return ""
}

func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		e := Expr{Factor: 1 + random.Int64N(5), Less: -1}
		for v := range 4 {
			if random.IntN(2) == 0 {
				e.Vars = append(e.Vars, v)
			}
		}
		var values []int64
		var vars [][]int
		for range samples {
			at := within(many, long, batches, [2]int{100, 130})(random)
			vars, values = append(vars, at), append(values, e.eval(at))
		}
		got, ok := fitValues(values, vars)
		if !ok || fmt.Sprint(got) != fmt.Sprint(e) {
			t.Errorf("%v is taken for %v, %v", e, got, ok)
		}
		values[2]++
		if got, ok := fitValues(values, vars); ok {
			t.Errorf("%v with another value is taken for %v", e, got)
		}
	}
}

// What has no plan says why.
func TestNoPlan(t *testing.T) {
	op, _ := catalog.Find("softmax")
	o := catalog.DefaultOptions()
	o.Axis = "0"
	c, err := op.Parse("40x50", o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(c, a100); err == nil || !strings.Contains(err.Error(), "the axis is 0") {
		t.Errorf("softmax of columns: %v", err)
	}
	for _, options := range []func(*catalog.Options){
		dtype("f16"), func(o *catalog.Options) { o.ChannelsLast = true }, func(o *catalog.Options) { o.ChannelsLast, o.DType = true, "f16" },
	} {
		conv := case_{op: "conv2d", shape: "8x64x56x56,64x64x3x3", options: options}
		if _, err := conv.tryPlan(t); err == nil || !strings.Contains(err.Error(), "depends on the number of channels") {
			t.Errorf("channels as neighbours: %v", err)
		}
	}
	web, _ := target.PresetNamed("webgpu")
	if _, err := New(c, web.Caps); err == nil || !strings.Contains(err.Error(), "CUDA") {
		t.Errorf("on webgpu: %v", err)
	}
}
