package ops_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/ops"
)

// Options that are nil are errors, in every place of the list and in every op that has options.
func TestNilOptions(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	tensors := map[int]*weft.Tensor{}
	for rank, shape := range map[int][]int{1: {4}, 2: {4, 4}, 4: {1, 1, 4, 4}} {
		if tensors[rank], err = weft.Zeros(dev, weft.F32, shape...); err != nil {
			t.Fatal(err)
		}
	}
	x, image := tensors[2], tensors[4]
	q, err := ops.Quantize(x, ops.QuantScheme{Bits: 8})
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Zeros(dev, weft.F32, 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := ops.Im2Col(image, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	number, err := weft.Zeros(dev, weft.F32)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		f    any
		args []any
	}{
		"MatMul": {ops.MatMul, []any{x, x}}, "MatMulInto": {ops.MatMulInto, []any{out, x, x}},
		"Linear": {ops.Linear, []any{x, x, tensors[1]}}, "LinearInto": {ops.LinearInto, []any{out, x, x, tensors[1]}},
		"QuantizedMatMul": {ops.QuantizedMatMul, []any{x, q}}, "QuantizedMatMulInto": {ops.QuantizedMatMulInto, []any{out, x, q}},
		"Sum": {ops.Sum, []any{x}}, "SumInto": {ops.SumInto, []any{number, x}}, "ArgMax": {ops.ArgMax, []any{x}}, "Var": {ops.Var, []any{x}},
		"Softmax": {ops.Softmax, []any{x}}, "SoftmaxInto": {ops.SoftmaxInto, []any{out, x}}, "LogSoftmax": {ops.LogSoftmax, []any{x}},
		"LayerNorm": {ops.LayerNorm, []any{x, tensors[1], tensors[1]}}, "LayerNormInto": {ops.LayerNormInto, []any{out, x, tensors[1], tensors[1]}},
		"RMSNorm": {ops.RMSNorm, []any{x, tensors[1]}}, "RMSNormInto": {ops.RMSNormInto, []any{out, x, tensors[1]}},
		"Rotary": {ops.Rotary, []any{image}}, "RotaryInto": {ops.RotaryInto, []any{image, image}},
		"RotaryAppend": {ops.RotaryAppend, []any{image, image, image, image, image, image, image}},
		"Attention":    {ops.Attention, []any{image, image, image}},
		"Conv2D":       {ops.Conv2D, []any{image, image}}, "Conv2DInto": {ops.Conv2DInto, []any{image, image, image}},
		"Im2Col": {ops.Im2Col, []any{image, 1, 1}}, "Im2ColInto": {ops.Im2ColInto, []any{columns, image, 1, 1}},
	} {
		f := reflect.ValueOf(c.f)
		var args []reflect.Value
		for _, a := range c.args {
			args = append(args, reflect.ValueOf(a))
		}
		args = append(args, reflect.Zero(f.Type().In(f.Type().NumIn()-1).Elem()))
		results := f.Call(args)
		err, _ := results[len(results)-1].Interface().(error)
		var e *weft.Error
		if !errors.Is(err, weft.ErrArgument) || !errors.As(err, &e) || e.Arg != "options" {
			t.Errorf("%s with a nil option: %v", name, err)
		}
	}
}

// Functions of the package take nil tensors and operands as errors.
func TestNilOperands(t *testing.T) {
	for name, f := range map[string]any{
		"Abs": ops.Abs, "AbsInto": ops.AbsInto, "Add": ops.Add, "AddInto": ops.AddInto, "ArgMax": ops.ArgMax, "ArgMaxInto": ops.ArgMaxInto,
		"Attention": ops.Attention, "AttentionInto": ops.AttentionInto, "Clamp": ops.Clamp, "ClampInto": ops.ClampInto, "Conv2D": ops.Conv2D,
		"Conv2DInto": ops.Conv2DInto, "Copy": ops.Copy, "CopyInto": ops.CopyInto, "Dequantize": ops.Dequantize, "DequantizeInto": ops.DequantizeInto,
		"Dropout": ops.Dropout, "DropoutInto": ops.DropoutInto, "GELU": ops.GELU, "GELUInto": ops.GELUInto, "Im2Col": ops.Im2Col, "Im2ColInto": ops.Im2ColInto,
		"LayerNorm": ops.LayerNorm, "LayerNormInto": ops.LayerNormInto, "Linear": ops.Linear, "LinearInto": ops.LinearInto, "LogSoftmax": ops.LogSoftmax,
		"LogSoftmaxInto": ops.LogSoftmaxInto, "MatMul": ops.MatMul, "MatMulInto": ops.MatMulInto, "Max": ops.Max, "MaxInto": ops.MaxInto,
		"Normal": ops.Normal, "NormalInto": ops.NormalInto, "Permute": ops.Permute, "PermuteInto": ops.PermuteInto, "Pow": ops.Pow, "PowInto": ops.PowInto,
		"Quantize": ops.Quantize, "QuantizeInto": ops.QuantizeInto, "QuantizeWith": ops.QuantizeWith, "NewQuantized": ops.NewQuantized,
		"QuantizedMatMul": ops.QuantizedMatMul, "QuantizedMatMulInto": ops.QuantizedMatMulInto, "RMSNorm": ops.RMSNorm, "RMSNormInto": ops.RMSNormInto,
		"Softmax": ops.Softmax, "SoftmaxInto": ops.SoftmaxInto, "Sum": ops.Sum, "SumInto": ops.SumInto, "Transpose": ops.Transpose,
		"TransposeInto": ops.TransposeInto, "Uniform": ops.Uniform, "UniformInto": ops.UniformInto, "Var": ops.Var, "VarInto": ops.VarInto,
		"Where": ops.Where, "WhereInto": ops.WhereInto,
	} {
		v := reflect.ValueOf(f)
		n := v.Type().NumIn()
		if v.Type().IsVariadic() {
			n--
		}
		for _, zero := range []*weft.Tensor{nil, {}} {
			args := make([]reflect.Value, n)
			for i := range args {
				if args[i] = reflect.Zero(v.Type().In(i)); v.Type().In(i) == reflect.TypeFor[*weft.Tensor]() || v.Type().In(i) == reflect.TypeFor[weft.TensorOrNumber]() {
					args[i] = reflect.ValueOf(zero)
				}
			}
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s of %v panics: %v", name, zero, r)
					}
				}()
				results := v.Call(args)
				err, _ := results[len(results)-1].Interface().(error)
				var e *weft.Error
				if !errors.As(err, &e) {
					t.Errorf("%s of %v: %v is no error of weft", name, zero, err)
				}
			}()
		}
	}
}
