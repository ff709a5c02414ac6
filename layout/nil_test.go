package layout

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"testing"

	"github.com/weftgpu/weft/fault"
)

// queries are the functions without an error. They panic of a rank, a dimension or a value that a layout does not have, as indexing a
// slice does; the package's documentation says so.
var queries = map[string]bool{
	"Affine.At": true, "Layout.At": true, "Swizzled.At": true,
	"Layout.Size": true, "Layout.Stride": true, "Layout.Divisibility": true,
	"Linear.At": true, "Linear.AtAlong": true, "Linear.Index": true, "Linear.Eval": true, "Linear.Basis": true, "Linear.BasisAlong": true,
	"Linear.ContiguousRun": true, "Linear.Segments": true, "Linear.Drop": true, "Linear.DropRegister": true,
	"Linear.Transpose": true, "Blocked": true, "CoalesceTogether": true,
}

// poor are values of a type that say nothing, too little or what cannot be.
func poor(t reflect.Type) []reflect.Value {
	var list []any
	switch t {
	case reflect.TypeFor[int]():
		list = []any{0, -1, 3, math.MinInt, math.MaxInt}
	case reflect.TypeFor[[]int]():
		list = []any{[]int(nil), []int{-1}, []int{0, 0}, []int{3, 2, 5}, []int{math.MinInt, math.MaxInt}}
	case reflect.TypeFor[string]():
		list = []any{"", "none", "(", "(4,2):(1,", Thread}
	case reflect.TypeFor[[]string]():
		list = []any{[]string(nil), []string{""}, []string{"none", "none"}}
	case reflect.TypeFor[[]Input]():
		list = []any{[]Input(nil), []Input{{}}, []Input{{Name: Thread, Bases: [][]int{nil}}}, []Input{{Name: Thread, Bases: [][]int{{-1, 0}}}}}
	case reflect.TypeFor[Layout]():
		list = []any{Layout{}, must(Contiguous(0)), must(Strided([]int{3, 5}, []int{-5, 0}, 40))}
	case reflect.TypeFor[Linear]():
		list = []any{Linear{}, Blocked([]int{4, 8}, 8, []int{0, 1}, []int{1, 2}), must(NewLinear([]int{2}, nil))}
	case reflect.TypeFor[Swizzle]():
		list = []any{Swizzle{}, must(NewSwizzle(2, 1, 3))}
	case reflect.TypeFor[Swizzled]():
		list = []any{Swizzled{}, must(NewSwizzled(must(NewSwizzle(2, 1, 3)), must(Contiguous(4, 8))))}
	case reflect.TypeFor[Route]():
		list = []any{Route(0), Route(-1), Route(99)}
	default:
		list = []any{reflect.Zero(t).Interface()}
	}
	values := make([]reflect.Value, len(list))
	for i, x := range list {
		values[i] = reflect.ValueOf(x)
		if !values[i].IsValid() || values[i].Type() != t {
			values[i] = reflect.Zero(t)
		}
	}
	return values
}

// products calls a function with all tuples of poor values for its parameters.
func products(f reflect.Type, call func(args []reflect.Value)) {
	args := make([]reflect.Value, f.NumIn())
	var next func(i int)
	next = func(i int) {
		if i == len(args) {
			call(args)
			return
		}
		if f.IsVariadic() && i == len(args)-1 && f.In(i).Elem() != reflect.TypeFor[int]() && f.In(i).Elem() != reflect.TypeFor[string]() {
			args[i] = reflect.Zero(f.In(i))
			next(i + 1)
			all := poor(f.In(i).Elem())
			args[i] = reflect.Append(reflect.Zero(f.In(i)), all...)
			next(i + 1)
			return
		}
		for _, v := range poor(f.In(i)) {
			args[i] = v
			next(i + 1)
		}
	}
	next(0)
}

// Of arguments that are nil, zero, negative or too large, functions with an error return one of package fault or a
// result, and none but queries panic.
func TestPoorArguments(t *testing.T) {
	functions := map[string]reflect.Value{
		"BroadcastShapes": reflect.ValueOf(BroadcastShapes), "Contiguous": reflect.ValueOf(Contiguous), "Strided": reflect.ValueOf(Strided),
		"CoalesceTogether": reflect.ValueOf(CoalesceTogether), "NewLinear": reflect.ValueOf(NewLinear),
		"NewSwizzle": reflect.ValueOf(NewSwizzle), "NewSwizzled": reflect.ValueOf(NewSwizzled), "ConflictFree": reflect.ValueOf(ConflictFree),
		"ConflictFreeArray": reflect.ValueOf(ConflictFreeArray), "Plan": reflect.ValueOf(Plan),
		"NewExchange": reflect.ValueOf(NewExchange), "Wavefronts": reflect.ValueOf(Wavefronts), "DimName": reflect.ValueOf(DimName),
		"Blocked": reflect.ValueOf(Blocked),
	}
	for _, x := range []any{Layout{}, Linear{}, Swizzle{}, Swizzled{}, Affine{}, Conversion{}, Exchange{}, Round{}, Route(0)} {
		typ := reflect.TypeOf(x)
		for i := range typ.NumMethod() {
			functions[typ.Name()+"."+typ.Method(i).Name] = typ.Method(i).Func
		}
	}
	panicked := map[string]string{}
	for name, f := range functions {
		products(f.Type(), func(args []reflect.Value) {
			defer func() {
				if r := recover(); r != nil {
					panicked[name] = fmt.Sprint(r)
				}
			}()
			var out []reflect.Value
			if f.Type().IsVariadic() {
				out = f.CallSlice(args)
			} else {
				out = f.Call(args)
			}
			if all, ok := out[0].Interface().(iter.Seq[int]); ok {
				for range all {
				}
			}
			if err, ok := out[len(out)-1].Interface().(error); ok {
				var e *fault.Error
				if !errors.As(err, &e) || e.Kind == nil || e.Op == "" {
					t.Errorf("%s: %v is no error with an op", name, err)
				}
			}
		})
	}
	for name, what := range panicked {
		if !queries[name] {
			t.Errorf("%s panics: %s", name, what)
		}
	}
	for name := range queries {
		if panicked[name] == "" {
			t.Errorf("%s does not panic and is on the list of what does", name)
		}
	}
}
