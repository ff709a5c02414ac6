// Package onnxtest runs a file of ONNX's format, read by onnx-gomlx, on weft.
package onnxtest

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx"

	_ "github.com/weftgpu/weft/gomlx"
)

// The network of testdata/make.py gives what ONNX's reference gives, the first time and when it is replayed.
func TestModel(t *testing.T) {
	config := "weft:cpu"
	if s := os.Getenv(backends.ConfigEnvVar); s != "" {
		config = s
	}
	backend, err := backends.NewWithConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Finalize()
	model, err := onnx.ReadFile("testdata/model.onnx")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.New()
	if err := model.VariablesToContext(ctx); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("testdata/model.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ X, Y []float32 }
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	run := context.MustNewExec(backend, ctx.Reuse(), func(ctx *context.Context, x *graph.Node) *graph.Node {
		return model.CallGraph(ctx, x.Graph(), map[string]*graph.Node{"x": x})[0]
	})
	for range 6 {
		y := run.MustExec1(tensors.FromFlatDataAndDimensions(want.X, 2, 1, 8, 8)).Value().([][]float32)
		for i, want := range want.Y {
			if got := y[i/5][i%5]; math.Abs(float64(got-want)) > 1e-5 {
				t.Fatalf("element %d: %v, want %v", i, got, want)
			}
		}
	}
}
