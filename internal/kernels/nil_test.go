package kernels

import (
	"errors"
	"reflect"
	"testing"

	"github.com/weftgpu/weft/fault"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/target"
)

// nothing are problems without elements and of no element type.
var nothing = []any{
	AttentionProblem{}, ConvProblem{}, Im2ColProblem{}, MatMulProblem{A: MatrixView(0, 0, 1), B: MatrixView(0, 0, 1)},
	NormProblem{X: MatrixView(0, 0, 1)}, QuantRangeProblem{}, QuantizeProblem{}, QuantizedProblem{}, RandomProblem{},
	ReduceProblem{X: MatrixView(0, 0, 1)}, SoftmaxProblem{Rows: MatrixView(0, 0, 1)},
}

// Zero configs are refused, and their kernels, too, or are those of one element: nothing panics.
func TestZeroConfigs(t *testing.T) {
	for _, caps := range []target.Caps{{}, {Language: target.TileIR, WholeTiles: true}, {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Registers: 255}} {
		for _, x := range append([]any{AttentionConfig{}, ImageBlock{}, MatMulConfig{}}, nothing...) {
			legal := reflect.ValueOf(x).MethodByName("Legal")
			args := []reflect.Value{reflect.ValueOf(caps)}
			for i := 1; i < legal.Type().NumIn(); i++ {
				args = append(args, reflect.Zero(legal.Type().In(i)))
			}
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("Legal of a zero config for %T on %v panics: %v", x, caps.Language, r)
					}
				}()
				if out := legal.Call(args); out[0].IsNil() {
					t.Errorf("a zero config for %T is legal on %v", x, caps.Language)
				}
			}()
		}
	}
	for name, kernel := range map[string]any{
		"Attention": Attention, "Conv2DImplicit": Conv2DImplicit, "Dequantize": Dequantize, "Dropout": Dropout, "Im2Col": Im2Col, "MatMul": MatMul,
		"Interleave": Interleave, "Norm": Norm, "NormParts": NormParts, "NormSpread": NormSpread, "QuantRange": QuantRange, "QuantScales": QuantScales, "Quantize": Quantize, "Reduce": Reduce, "Softmax": Softmax,
		"SoftmaxOnline": SoftmaxOnline, "SoftmaxParts": SoftmaxParts, "SoftmaxSpread": SoftmaxSpread, "SumParts": SumParts, "Uniform": Uniform,
	} {
		build := reflect.ValueOf(kernel).MethodByName("Build")
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s of a zero config panics: %v", name, r)
				}
			}()
			err, _ := build.Call([]reflect.Value{reflect.Zero(build.Type().In(0))})[1].Interface().(error)
			if !errors.Is(err, fault.ErrKernel) && !errors.Is(err, fault.ErrShape) {
				t.Errorf("%s of a zero config: %v, want ErrKernel or ErrShape", name, err)
			}
		}()
	}
}

// checked are the functions that are for problems which the ops have checked, and panic of a scalar's layout or of sizes of 0: the package's
// documentation says so.
var checked = map[string]bool{
	"CeilDiv": true, "Fastest": true, "TensorBeside": true, "Conv2DConfigFor": true, "ReduceCombineConfigFor": true, "SoftmaxConfigFor": true,
	"ConvProblem.Rule": true, "ConvProblem.List": true, "Im2ColProblem.Rule": true, "Im2ColProblem.List": true, "MatMulProblem.Rule": true,
	"QuantizedProblem.Rule": true, "QuantizedProblem.List": true, "ReduceProblem.Rule": true, "ReduceProblem.List": true,
}

// Other rules and lists of configs choose something, or nothing, for no element type, no elements and a device of which nothing is known.
func TestRulesOfNothing(t *testing.T) {
	functions := map[string]any{
		"AttentionConfigFor": AttentionConfigFor, "AttentionConfigs": AttentionConfigs, "Conv2DConfigFor": Conv2DConfigFor,
		"MatMulConfigFor": MatMulConfigFor, "MatMulConfigs": MatMulConfigs, "MatMulOf": MatMulOf,
		"InterleaveWeightsFor": InterleaveWeightsFor, "QuantScalesConfigFor": QuantScalesConfigFor, "ReduceCombineConfigFor": ReduceCombineConfigFor, "SoftmaxConfigFor": SoftmaxConfigFor,
		"SumPartsConfigFor": SumPartsConfigFor, "CeilDiv": CeilDiv, "countOf": countOf,
		"Fastest": Fastest, "takesMap": takesMap, "TensorBeside": BroadcastOf,
	}
	for _, p := range nothing {
		for _, method := range []string{"Rule", "List"} {
			functions[reflect.TypeOf(p).Name()+"."+method] = reflect.ValueOf(p).MethodByName(method).Interface()
		}
	}
	for name, f := range functions {
		v := reflect.ValueOf(f)
		for _, language := range []target.Language{0, target.CUDA, target.TileIR, target.WGSL} {
			func() {
				defer func() {
					if r := recover(); r != nil && !checked[name] {
						t.Errorf("%s of zeros on %v panics: %v", name, language, r)
					}
				}()
				var args []reflect.Value
				for i := range v.Type().NumIn() {
					if v.Type().IsVariadic() && i == v.Type().NumIn()-1 {
						break
					}
					arg := reflect.Zero(v.Type().In(i))
					if arg.Type() == reflect.TypeFor[target.Caps]() {
						arg = reflect.ValueOf(target.Caps{Language: language, WholeTiles: language == target.TileIR})
					}
					args = append(args, arg)
				}
				v.Call(args)
			}()
		}
	}
}
