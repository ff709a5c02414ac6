package gomlx_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	. "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// device is the backend that is tested: the CPU, or what GOMLX_BACKEND names.
func device() string {
	if s := os.Getenv(backends.ConfigEnvVar); strings.HasPrefix(s, "weft") {
		return s
	}
	return "weft:cpu"
}

// What a configuration may say, and what is wrong with one.
func TestConfiguration(t *testing.T) {
	b := open(t, "weft:cpu,replay=off,precision=tf32")
	if b.Name() != "weft" || b.NumDevices() != 1 || !strings.Contains(b.Description(), "cpu") {
		t.Errorf("%s: %q", b.Name(), b.Description())
	}
	for config, says := range map[string]string{"weft:cpu,fast": `option "fast"`, "weft:none": "none"} {
		if _, err := backends.NewWithConfig(config); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error that says %s", config, err, says)
		}
	}
}

// Mistakes are errors that name the op.
func TestErrorsNameTheOp(t *testing.T) {
	b := open(t, device())
	c := b.Builder("mistakes")
	x, err := c.Parameter("x", shapes.Make(dtypes.Float32, 2, 3), nil)
	check(t, err)
	other, err := b.Builder("other").Constant([]float32{1})
	check(t, err)
	flag, err := c.Parameter("flag", shapes.Make(dtypes.Bool, 2), nil)
	check(t, err)
	for says, f := range map[string]func() error{
		"Add":              func() error { _, err := c.Add(x, nil); return err },
		"computation":      func() error { _, err := c.Mul(x, other); return err },
		"BitwiseAnd":       func() error { _, err := c.BitwiseAnd(x, x); return err },
		"ShiftLeft":        func() error { _, err := c.ShiftLeft(x, x); return err },
		"Pad":              func() error { _, err := c.Pad(x, x); return err },
		"Reverse":          func() error { _, err := c.Reverse(x, 2); return err },
		"DotGeneral":       func() error { _, err := c.DotGeneral(x, []int{0}, nil, x, []int{1}, nil); return err },
		"RNGBitGenerator":  func() error { _, _, err := c.RNGBitGenerator(x, shapes.Make(dtypes.Uint32)); return err },
		"FFT":              func() error { _, err := c.FFT(x, backends.FFTForward, []int{3}); return err },
		"Complex64":        func() error { _, err := c.ConvertDType(x, dtypes.Complex64); return err },
		"DynamicSlice":     func() error { _, err := c.DynamicSlice(x, nil, []int{1, 1}); return err },
		"ReduceLogicalAnd": func() error { _, err := c.ReduceLogicalAnd(x); return err },
		"Constant":         func() error { _, err := c.Constant(1); return err },
		"device 1":         func() error { return c.DeviceAssignment(1) },
		"2 devices":        func() error { return c.DeviceAssignment(0, 1) },
		"0 devices":        func() error { return c.DeviceAssignment() },
		"dimensions [-1]":  func() error { _, err := c.Constant([]int32{1}, -1); return err },
		"Concatenate":      func() error { _, err := c.Concatenate(2, x); return err },
		"no order":         func() error { _, err := c.LessThan(flag, flag); return err },
		"ReduceSum":        func() error { _, err := c.ReduceSum(x, 0, 0); return err },
		"ReduceMax":        func() error { _, err := c.ReduceMax(x, 0, 2); return err },
		"ReduceMin":        func() error { _, err := c.ReduceMin(x, 0, -1); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "weft: ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an error that says %s", err, says)
		}
	}
}

// Buffers that are gone, of other shapes or of other backends are errors.
func TestBuffers(t *testing.T) {
	b, other := open(t, device()), open(t, "go")
	shape := shapes.Make(dtypes.Float32, 2)
	buf, err := b.BufferFromFlatData(0, []float32{1, 2}, shape)
	check(t, err)
	c := b.Builder("double")
	x, err := c.Parameter("x", shape, nil)
	check(t, err)
	y, err := c.Add(x, x)
	check(t, err)
	e, err := c.Compile([]backends.Op{y}, nil)
	check(t, err)
	foreign, err := other.BufferFromFlatData(0, []float32{1, 2}, shape)
	check(t, err)
	small, err := b.BufferFromFlatData(0, []float32{1}, shapes.Make(dtypes.Float32, 1))
	check(t, err)
	for says, in := range map[string][]backends.Buffer{"0 inputs": nil, "not a buffer": {foreign}, "want (Float32)[2]": {small}} {
		if _, err := e.Execute(in, nil, 0); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an error that says %q", err, says)
		}
	}
	if _, err := e.Execute([]backends.Buffer{buf}, []bool{true}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Execute([]backends.Buffer{buf}, nil, 0); err == nil || !strings.Contains(err.Error(), "donated") {
		t.Errorf("a donated buffer: %v", err)
	}
	if err := b.BufferFinalize(buf); err == nil {
		t.Error("a donated buffer is finalized")
	}
	if _, err := b.BufferFromFlatData(0, []float32{1}, shape); err == nil {
		t.Error("one element for a buffer of two")
	}
	if _, err := b.BufferFromFlatData(1, []float32{1, 2}, shape); err == nil {
		t.Error("a second device")
	}
}

// Random bits differ from draw to draw, follow from the state, and have the moments of uniform numbers.
func TestRandomBits(t *testing.T) {
	b := open(t, device())
	draw := MustNewExec(b, func(g *Graph) []*Node {
		state := RNGStateFromSeedForGraph(g, 42)
		state, x := RandomUniform(state, shapes.Make(dtypes.Float32, 40_001))
		_, y := RandomUniform(state, shapes.Make(dtypes.Float32, 40_001))
		return []*Node{x, y}
	})
	var seen [][]float32
	for range 2 {
		for _, out := range draw.MustExec() {
			seen = append(seen, out.Value().([]float32))
		}
	}
	same := 0
	var mean, square, product float64
	n := float64(len(seen[0]))
	for i, x := range seen[0] {
		if x != seen[2][i] || seen[1][i] != seen[3][i] {
			t.Fatal("the same state gives other bits")
		}
		if x == seen[1][i] {
			same++
		}
		mean += float64(x) / n
		square += float64(x*x) / n
		product += float64(x*seen[1][i]) / n
	}
	if same > 3 || math.Abs(mean-0.5) > 0.01 || math.Abs(square-1./3) > 0.01 || math.Abs(product-0.25) > 0.01 {
		t.Errorf("mean %v, mean square %v, mean product %v, %d equal", mean, square, product, same)
	}
}
