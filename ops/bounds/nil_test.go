package bounds

import (
	"math"
	"reflect"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
)

// Bounds of nothing, of less than nothing and of no element type are numbers that are not negative.
func TestZeroArguments(t *testing.T) {
	for name, f := range map[string]any{
		"Activation": Activation, "Add": Add, "Attention": Attention, "AttentionLSE": AttentionLSE, "Conv2D": Conv2D, "Dequantize": Dequantize,
		"LogSoftmax": LogSoftmax, "LogSumExp": LogSumExp, "Norm2": Norm2, "MatMul": MatMul, "MatMulSum": MatMulSum, "Mean": Mean, "Norm": Norm, "Normal": Normal, "Prod": Prod,
		"Quantize": Quantize, "QuantizeCodes": QuantizeCodes, "QuantizedMatMul": QuantizedMatMul, "RelativeSoftmax": RelativeSoftmax, "RelativeSum": RelativeSum,
		"Smallest": Smallest, "Softmax": Softmax, "Sum": Sum, "Var": Var,
		"SoftmaxGrad": SoftmaxGrad, "LogSoftmaxGrad": LogSoftmaxGrad, "NormGrad": NormGrad, "NormWeightGrad": NormWeightGrad,
		"BatchNormInference": BatchNormInference, "BatchNormGrad": BatchNormGrad, "BatchNormWeightGrad": BatchNormWeightGrad,
		"CrossEntropy": CrossEntropy, "CrossEntropyGrad": CrossEntropyGrad,
	} {
		v := reflect.ValueOf(f)
		for _, elem := range []weft.DType{0, weft.F16, weft.I8, 99} {
			for _, n := range []int{0, -1, -1000, math.MaxInt} {
				args := make([]reflect.Value, v.Type().NumIn())
				for i := range args {
					switch in := v.Type().In(i); {
					case in == reflect.TypeFor[weft.DType]():
						args[i] = reflect.ValueOf(elem)
					case in.Kind() == reflect.Int:
						args[i] = reflect.ValueOf(n)
					default:
						args[i] = reflect.Zero(in)
					}
				}
				if got := v.Call(args)[0].Float(); !(got >= 0) {
					t.Errorf("%s of %v and %d is %v", name, elem, n, got)
				}
			}
		}
	}
}
