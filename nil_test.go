package weft_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// quiet are methods that report nothing of a nil receiver: there is nothing to do.
var quiet = map[string]bool{"Close": true}

// zeroArgs are zero values for a function's parameters, none for a variadic one.
func zeroArgs(f reflect.Type) []reflect.Value {
	n := f.NumIn()
	if f.IsVariadic() {
		n--
	}
	args := make([]reflect.Value, n)
	for i := range args {
		args[i] = reflect.Zero(f.In(i))
	}
	return args
}

// callWithZeros calls a function with zero values. It must not panic, and where it has an error to return, it must return one.
func callWithZeros(t *testing.T, name string, f reflect.Value, silent bool) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s of zero values panics: %v", name, r)
		}
	}()
	out := f.Call(zeroArgs(f.Type()))
	if len(out) == 0 || silent {
		return
	}
	if err, isError := out[len(out)-1].Interface().(error); isError {
		var e *weft.Error
		if !errors.As(err, &e) || e.Kind == nil {
			t.Errorf("%s of zero values: %v is no error of weft", name, err)
		}
	} else if f.Type().Out(len(out)-1) == reflect.TypeFor[error]() {
		t.Errorf("%s of zero values reports nothing", name)
	}
}

// No method panics of a receiver that is nil or zero, and those with an error return one.
func TestNilReceivers(t *testing.T) {
	for _, receiver := range []any{
		(*weft.Tensor)(nil), &weft.Tensor{}, (*weft.Device)(nil), &weft.Device{}, (*weft.Map)(nil), &weft.Map{},
		(*weft.Kernel[int])(nil), &weft.Kernel[int]{}, weft.NewKernel[int]("k", nil), weft.NewMap("m", []string{"x"}, nil),
		(*weft.Recording)(nil), &weft.Recording{}, (*weft.Recorder)(nil), &weft.Recorder{}, (*weft.Program)(nil), &weft.Program{},
	} {
		v := reflect.ValueOf(receiver)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			if name == "Format" {
				continue // fmt calls it, with a state
			}
			callWithZeros(t, fmt.Sprintf("%T.%s", receiver, name), v.Method(i), quiet[name])
		}
	}
}

// Functions of the package take zero values as methods do.
func TestNilArguments(t *testing.T) {
	for name, f := range map[string]any{
		"ToBlas32": weft.ToBlas32, "ToBlas64": weft.ToBlas64, "ToDense": weft.ToDense, "ToFloats": weft.ToFloats,
		"ToSlice": weft.ToSlice[float32], "WriteNpy": weft.WriteNpy, "Arange": weft.Arange, "Empty": weft.Empty, "Eye": weft.Eye,
		"FromBlas32": weft.FromBlas32, "FromBlas64": weft.FromBlas64, "FromDense": weft.FromDense, "FromFloats": weft.FromFloats,
		"FromSlice": weft.FromSlice[float32], "FromNumbers": weft.FromNumbers[int], "Full": weft.Full, "ReadNpy": weft.ReadNpy, "Zeros": weft.Zeros,
	} {
		callWithZeros(t, name, reflect.ValueOf(f), false)
	}
}

// An open device with nothing else.
func TestNilBesideADevice(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	m := weft.NewMap("m", []string{"a"}, func(in []*tile.Value) *tile.Value { return in[1] })
	nothing := weft.NewMap("m", []string{"a"}, func([]*tile.Value) *tile.Value { return nil })
	var noContext context.Context
	for name, err := range map[string]error{
		"capture":         second(dev.Capture(nil)),
		"time":            second(dev.Time(nil)),
		"from a nil type": second(weft.Zeros(dev, 0, 3)),
		"no input":        second(m.Apply(nil)),
		"a nil tensor":    second(m.Apply((*weft.Tensor)(nil))),
		"into nil":        m.Into(nil, x),
		"in[1] of 1":      second(m.Apply(x)),
		"no result":       second(nothing.Apply(x)),
		"copy from nil":   x.CopyFrom(nil),
		"to nil":          second(x.To(nil)),
		"cast to nothing": second(x.Cast(0)),
		"no matrix":       second(weft.FromDense(dev, weft.F32, nil)),
		"a nil matrix":    second(weft.FromDense(dev, weft.F32, (*mat.Dense)(nil))),
		"no reader":       second(weft.ReadNpy(nil, dev)),
		"no writer":       weft.WriteNpy(nil, x),
		"no context":      dev.SynchronizeContext(noContext),
		"no tensor":       (&weft.Tensor{}).SetAt(1, 0),
		"no element":      second((&weft.Tensor{}).At(0)),
	} {
		var e *weft.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v is no error of weft", name, err)
		}
	}
	if n := x.Dim(-1); n != 3 {
		t.Errorf("the last dimension has %d elements", n)
	}
	if x.Dim(1) != 0 || x.Dim(-2) != 0 {
		t.Errorf("dimensions that there are not: %d, %d", x.Dim(1), x.Dim(-2))
	}
	want := map[error]string{
		second(weft.Zeros(dev, weft.F32, -1, 4)):             "zeros",
		second(weft.FromSlice(dev, []float32{1}, -1, 2)):     "from slice",
		second(weft.Full(dev, weft.F32, "a", 3)):             "full",
		second(weft.Full(dev, weft.F32, 1, -3)):              "full",
		second(weft.Eye(dev, weft.F32, -3)):                  "eye",
		second(weft.Empty(dev, weft.F32, -3)):                "empty",
		second(weft.Arange(dev, weft.F32, 0, 1, 0)):          "arange",
		second(weft.FromFloats(dev, weft.F32, nil, 2, 3, 4)): "from floats",
	}
	var none weft.Tensor
	if text := fmt.Sprint((*weft.Tensor)(nil), &none, none.String(), none.Describe()); strings.Count(text, "nil tensor") != 4 {
		t.Errorf("nil tensors are printed as %q", text)
	}
	for err, op := range want {
		var e *weft.Error
		if !errors.As(err, &e) || e.Op != op {
			t.Errorf("%v, want it to name %s", err, op)
		}
	}
}
