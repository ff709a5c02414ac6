package catalog

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/offline"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/target"
)

// missing are the ops that the catalogue leaves out, with the reason.
var missing = map[string]string{
	"ConvTranspose2D":  "its sizes follow from those of a convolution",
	"Conv2DWeightGrad": "likewise",
	"ConvTranspose":    "likewise",
	"ConvWeightGrad":   "likewise",
	"Einsum":           "its shape is a specification",
	"DotGeneral":       "its shape is a specification, as that of Einsum",
	"QuantizeWith":     "Quantize less its first two kernels; it has no form that writes into given tensors",
}

// opsFunctions are the functions of package ops that return a new tensor, or write into one without a form that returns one.
func opsFunctions(t *testing.T) (list []string) {
	t.Helper()
	packages, err := parser.ParseDir(token.NewFileSet(), "../../ops", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range packages["ops"].Files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			if only, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && only.Name == "error" && !strings.HasSuffix(f.Name.Name, "Into") {
				list = append(list, f.Name.Name)
			}
			if len(f.Type.Results.List) != 2 {
				continue
			}
			star, ok := f.Type.Results.List[0].Type.(*ast.StarExpr)
			if !ok || strings.HasPrefix(f.Name.Name, "New") {
				continue
			}
			switch x := star.X.(type) {
			case *ast.SelectorExpr:
				if x.Sel.Name == "Tensor" {
					list = append(list, f.Name.Name)
				}
			case *ast.Ident:
				if x.Name == "Quantized" {
					list = append(list, f.Name.Name)
				}
			}
		}
	}
	return list
}

func TestEveryOpIsThere(t *testing.T) {
	functions := opsFunctions(t)
	if len(functions) < 60 {
		t.Fatalf("found %d functions only", len(functions))
	}
	known := map[string]bool{}
	for _, op := range Ops() {
		known[op.Function] = true
		if !slices.Contains(functions, op.Function) {
			t.Errorf("%s: package ops has no %s", op.Name, op.Function)
		}
	}
	for _, f := range functions {
		if !known[f] && missing[f] == "" {
			t.Errorf("ops.%s is not in the catalogue, and no reason says why", f)
		}
		if known[f] && missing[f] != "" {
			t.Errorf("ops.%s is there although a reason says why not", f)
		}
	}
}

// parse reads arguments as a command would: the shape, and flags "--name value".
func parse(t *testing.T, op *Op, args string) (*Call, error) {
	t.Helper()
	fields := strings.Fields(args)
	o := DefaultOptions()
	var given []string
	for i := 1; i < len(fields); i++ {
		name := strings.TrimPrefix(fields[i], "--")
		given = append(given, name)
		at := slices.IndexFunc(Flags(), func(f Flag) bool { return f.Name == name })
		if at < 0 {
			t.Fatalf("%s: no flag %s", args, name)
		}
		if b, ok := Flags()[at].Value(&o).(*bool); ok {
			*b = true
			continue
		}
		i++
		set(t, Flags()[at].Value(&o), fields[i])
	}
	return op.Parse(fields[0], o, given...)
}

func example(t *testing.T, op *Op) *Call {
	t.Helper()
	c, err := parse(t, op, op.Example)
	if err != nil {
		t.Fatalf("%s: %v", op.Name, err)
	}
	return c
}

// types are element types of which every op takes one.
var types = []weft.DType{weft.F32, weft.I32, weft.Bool}

// small are shapes that the CPU computes at once.
var small = map[string]string{
	"matmul": "5x6x7", "linear": "5x6x7", "conv2d": "2x3x8x9,4x3x3x3", "conv": "2x3x4x5x6,4x3x2x3x2", "im2col": "2x3x8x9,3x3", "attention": "1x2x9x16",
	"embedding": "5x7x6", "embedding_grad": "5x7x6", "linear_swiglu": "2x7x5", "cache_append": "2x3x2x5x8", "rotary": "2x3x5x8", "rotary_append": "2x6x3x2x5x8",
	"permute": "2x3x4x5", "index_select": "5x7x6", "take_along": "5x7", "gather": "5x7x6", "dynamic_slice": "5x7",
	"index_update": "5x7x6", "scatter_along": "5x7", "scatter": "5x7x6", "dynamic_update_slice": "5x7", "concat": "2x3x4", "stack": "2x3x4", "pad": "2x3x4", "roll": "2x3x4", "quantize": "4x8", "dequantize": "4x8", "quantized_matmul": "3x4x8",
	"max_pool": "2x3x8x9,3x3", "max_pool_indices": "2x3x8x9,3x3", "max_unpool": "2x3x4x5,8x10", "avg_pool": "2x3x8x9,3x3", "reduce_window": "2x3x8x9,2x3", "reduce_window_grad": "2x3x8x9,2x3", "adaptive_pool": "2x3x7x9,3x4", "adaptive_pool_grad": "2x3x7x9,3x4", "resize": "2x3x7x9,13x4", "resize_grad": "2x3x7x9,13x4",
}

// Each op, with the example's arguments, compiles for each preset, and a small one runs on the CPU.
func TestEveryOpCompilesAndRuns(t *testing.T) {
	cpu, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close()
	for _, op := range Ops() {
		t.Run(op.Name, func(t *testing.T) {
			c := example(t, op)
			for _, name := range []string{"h200", "webgpu", "llvmpipe", "cpu"} {
				p, _ := target.PresetNamed(name)
				dev, record := offline.Open(p.Name, p.Caps)
				if err := run(c, dev, (Problem).Empty, c.Values(), c.Options.Elem()); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if list := record.Take(); len(list) == 0 {
					t.Errorf("%s: nothing is launched", name)
				}
			}
			shape, known := small[op.Name]
			if !known {
				shape = "3x7"
			}
			c, err := op.Parse(shape, DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			if err := run(c, cpu, (Problem).Tensors, c.Values(), types...); err != nil {
				t.Error(err)
			}
		})
	}
}

// run runs a call, with the first of the types that it takes.
func run(c *Call, dev *weft.Device, tensors func(Problem, *weft.Device) (Tensors, error), sizes []int, types ...weft.DType) (last error) {
	for _, elem := range types {
		o := c.Options
		o.DType = elem.String()
		again, err := c.Op.Parse(c.Shape, o)
		if err != nil {
			return err
		}
		p := again.Problem(sizes)
		t, err := tensors(p, dev)
		if err != nil {
			return err
		}
		if err = errors.Join(p.Run(t.Out, t.In), dev.Synchronize(), t.Close()); !errors.Is(err, fault.ErrUnsupported) {
			return err
		}
		last = err
	}
	return last
}

func TestBadShapes(t *testing.T) {
	for _, c := range []struct {
		op, args string
		kind     error
		says     string
	}{
		{"matmul", "12", fault.ErrShape, "want MxNxK"},
		{"matmul", "12xAx3", fault.ErrShape, `"A" is not a size`},
		{"matmul", "-1x2x3", fault.ErrShape, `"-1" is not a size`},
		{"matmul", "", fault.ErrShape, "not a size"},
		{"matmul", "1x2x3,4", fault.ErrShape, "want MxNxK"},
		{"matmul", "99999999999999999999999x2x3", fault.ErrLimit, "2^31"},
		{"matmul", "1x2x3 --layout nx", fault.ErrArgument, "nn, nt, tn or tt"},
		{"matmul", "1x2x3 --causal", fault.ErrArgument, "no option --causal"},
		{"matmul", "1x2x3 --dtype f99", fault.ErrArgument, "want one of"},
		{"softmax", "4x4 --axis 2", fault.ErrArgument, "--axis 2"},
		{"softmax", "4x4 --axis x", fault.ErrArgument, "--axis x"},
		{"permute", "4x5x6 --dims 0,1", fault.ErrArgument, "--dims 0,1"},
		{"permute", "4x5x6 --dims 0,1,1", fault.ErrArgument, "--dims 0,1,1"},
		{"permute", "4x5x6 --dims 0,1,x", fault.ErrArgument, "--dims 0,1,x"},
		{"conv2d", "1x2x3x4", fault.ErrShape, "want NxCxHxW,KxCxRxS"},
		{"conv2d", "1x2x8x8,4x3x3x3", fault.ErrShape, "channels"},
		{"conv2d", "1x2x8x8,4x2x9x9", fault.ErrShape, "a kernel of size 9"},
		{"conv2d", "1x2x8x8,4x2x3x3 --stride 0", fault.ErrArgument, "stride 0"},
		{"attention", "1x6x8x8 --kv-heads 4", fault.ErrArgument, "--kv-heads 4"},
		{"rotary", "1x2x3x5", fault.ErrShape, "rows of 5"},
		{"quantize", "4x6 --block 4", fault.ErrShape, "does not divide"},
		{"quantize", "4x6 --bits 3", fault.ErrArgument, "want 4 or 8"},
		{"quantize", "4x6 --bits 4 --codes f4", fault.ErrArgument, "want nf4, fp4, mxfp4, fp8 or mxfp8"},
		{"quantize", "4x64 --bits 8 --codes nf4", fault.ErrArgument, "want the 4 of codes of NF4"},
		{"dequantize", "4x64 --codes mxfp4 --block 16", fault.ErrArgument, "--block 16, want the 32 of mxfp4"},
		{"dequantize", "4x33 --codes mxfp8", fault.ErrShape, "--block 32 does not divide rows of 33"},
		{"dequantize", "4x256 --bits 4 --block 64 --interleaved", fault.ErrShape, "of blocks of 128 that do not divide rows of 256 and --block 64"},
		{"quantized_matmul", "2x4x96 --interleaved", fault.ErrShape, "of blocks of 64 that do not divide rows of 96"},
		{"dequantize", "4x64 --scales f64", fault.ErrArgument, "--scales f64, want f32, f16 or bf16, or none with mxfp4 and mxfp8"},
		{"dequantize", "4x64 --bits 4 --codes mxfp4 --block 32 --scales f16", fault.ErrArgument, "--scales f16, want f32, f16 or bf16, or none with mxfp4 and mxfp8"},
		{"quantize", "4x256 --interleaved", fault.ErrArgument, "no option --interleaved"},
	} {
		op, err := Find(c.op)
		if err != nil {
			t.Fatal(err)
		}
		if c.args == "" {
			_, err = op.Parse("", DefaultOptions())
		} else {
			_, err = parse(t, op, c.args)
		}
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v, want %v that says %q", c.op, c.args, err, c.kind, c.says)
		}
	}
}

// The scales of few-bit weights are of the type that is asked for.
func TestScaleTypes(t *testing.T) {
	op, err := Find("dequantize")
	if err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]weft.DType{"": weft.F32, " --scales f16": weft.F16, " --scales bf16": weft.BF16, " --codes mxfp4": weft.U8} {
		c, err := parse(t, op, "4x64"+flag)
		if err != nil {
			t.Fatal(err)
		}
		if in := c.Problem(c.Values()).In[1]; in.Name != "scales" || in.Elem != want {
			t.Errorf("%q: %s of %v, want scales of %v", flag, in.Name, in.Elem, want)
		}
	}
}

// Code books and formats say how many bits and which blocks there are.
func TestCodes(t *testing.T) {
	op, err := Find("dequantize")
	if err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string][2][]int{
		"":                          {{4, 64}, {4, 1}},
		" --bits 4 --block 16":      {{4, 32}, {4, 4}},
		" --codes nf4 --block 64":   {{4, 32}, {4, 1}},
		" --codes mxfp4":            {{4, 32}, {4, 2}},
		" --codes fp8":              {{4, 64}, {4, 1}},
		" --codes mxfp8 --block 32": {{4, 64}, {4, 2}},
	} {
		c, err := parse(t, op, "4x64"+flags)
		if err != nil {
			t.Fatal(err)
		}
		in := c.Problem(c.Values()).In
		if got := [2][]int{in[0].Shape, in[1].Shape}; !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Errorf("%q: integers and scales of shapes %v, want %v", flags, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{"matmul": "matmul", "MatMul": "matmul", "GELUTanh": "gelu_tanh", "conv2d": "conv2d"} {
		if op, err := Find(name); err != nil || op.Name != want {
			t.Errorf("%s: %v, %v", name, op, err)
		}
	}
	for name, says := range map[string]string{"matmull": `"matmul"`, "sofmax": `"softmax"`, "zzzzzz": "lists them"} {
		if _, err := Find(name); !errors.Is(err, fault.ErrArgument) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", name, err, says)
		}
	}
}

// set sets a flag's value from text.
func set(t *testing.T, value any, text string) {
	t.Helper()
	var err error
	switch v := value.(type) {
	case *string:
		*v = text
	case *int:
		*v, err = strconv.Atoi(text)
	case *float64:
		*v, err = strconv.ParseFloat(text, 64)
	}
	if err != nil {
		t.Fatal(err)
	}
}
