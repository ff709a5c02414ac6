package kernels

import (
	"errors"
	"reflect"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Zero configs are refused, and their kernels, too, or are those of one element: nothing panics.
func TestZeroConfigs(t *testing.T) {
	for _, caps := range []target.Caps{{}, {Language: target.TileIR}, {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Registers: 255}} {
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
	builds := map[string]func(k *tile.Builder){
		"matmul":  func(k *tile.Builder) { DescribeMatMul(k, MatMulConfig{}) },
		"softmax": func(k *tile.Builder) { DescribeSoftmax(k, SoftmaxConfig{}) },
	}
	for name, describe := range builds {
		if _, err := tile.Build(name, describe); !errors.Is(err, fault.ErrKernel) && !errors.Is(err, fault.ErrShape) {
			t.Errorf("%s of a zero config: %v", name, err)
		}
	}
}
