package kernels

import (
	"errors"
	"reflect"
	"testing"

	"github.com/weftgpu/weft/fault"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/target"
)

// Zero configs are refused, and their kernels, too, or are those of one element: nothing panics.
func TestZeroConfigs(t *testing.T) {
	for _, caps := range []target.Caps{{}, {Language: target.TileIR, WholeTiles: true}, {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Registers: 255}} {
		for _, cfg := range []any{&AttentionConfig{}, &Conv2DConfig{}, &Im2ColConfig{}, &MatMulConfig{}, &NormSizes{}, &QuantizeConfig{}, &RandomConfig{},
			&ReduceSizes{}, &SoftmaxSizes{}, &ImageBlock{}} {
			legal := reflect.ValueOf(cfg).MethodByName("Legal")
			args := []reflect.Value{reflect.ValueOf(caps)}
			for i := 1; i < legal.Type().NumIn(); i++ {
				args = append(args, reflect.Zero(legal.Type().In(i)))
			}
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("Legal of a zero %T on %v panics: %v", cfg, caps.Language, r)
					}
				}()
				if out := legal.Call(args); out[0].IsNil() {
					t.Errorf("a zero %T is legal on %v", cfg, caps.Language)
				}
			}()
		}
	}
	for name, kernel := range map[string]any{
		"Attention": Attention, "Conv2DImplicit": Conv2DImplicit, "Dequantize": Dequantize, "Dropout": Dropout, "Im2Col": Im2Col, "MatMul": MatMul,
		"Norm": Norm, "QuantRange": QuantRange, "QuantScales": QuantScales, "Quantize": Quantize, "Reduce": Reduce, "Softmax": Softmax,
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
	"CeilDiv": true, "Fastest": true, "SoftmaxLines": true, "TensorBeside": true,
	"Conv2DConfigFor": true, "Conv2DConfigs": true, "Im2ColConfigFor": true, "Im2ColConfigs": true, "Im2colTiles": true,
	"QuantizedMatMulConfigFor": true, "QuantizedMatMulConfigs": true,
	"ReduceCombineConfigFor": true,
	"ReduceRule":             true, "ReduceSpace": true, "SoftmaxConfigFor": true, "SoftmaxSizesFor": true, "SoftmaxSpace": true,
}

// Other rules and lists of configs choose something, or nothing, for no element type, no elements and a device of which nothing is known.
func TestRulesOfNothing(t *testing.T) {
	for name, f := range map[string]any{
		"AttentionConfigFor": AttentionConfigFor, "AttentionConfigs": AttentionConfigs, "Conv2DConfigFor": Conv2DConfigFor, "Conv2DConfigs": Conv2DConfigs,
		"Im2ColConfigFor": Im2ColConfigFor, "Im2ColConfigs": Im2ColConfigs, "Im2colTiles": Im2colTiles, "CompleteMatMul": CompleteMatMul,
		"CompleteMatMulAll": CompleteMatMulAll, "MatMulConfigFor": MatMulConfigFor, "MatMulConfigs": MatMulConfigs, "NewMatMulConfig": NewMatMulConfig,
		"QuantizedMatMulConfigFor": QuantizedMatMulConfigFor, "QuantizedMatMulConfigs": QuantizedMatMulConfigs,
		"NormSizesFor": NormSizesFor, "NormSpace": NormSpace, "QuantScalesConfigFor": QuantScalesConfigFor,
		"QuantizeRule": QuantizeRule, "QuantizeSpace": QuantizeSpace, "RandomConfigFor": RandomConfigFor,
		"RandomConfigs": RandomConfigs, "ReduceCombineConfigFor": ReduceCombineConfigFor,
		"QuantRangeSizes": QuantRangeSizes, "ReduceRule": ReduceRule, "ReduceSpace": ReduceSpace, "SoftmaxConfigFor": SoftmaxConfigFor,
		"SoftmaxSizesFor": SoftmaxSizesFor, "SoftmaxSpace": SoftmaxSpace, "SumPartsConfigFor": SumPartsConfigFor, "CeilDiv": CeilDiv, "CountOf": CountOf,
		"Fastest": Fastest, "NormLength": NormLength, "SoftmaxLines": SoftmaxLines, "TakesMap": TakesMap, "TensorBeside": TensorBeside,
	} {
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
