package simt

import (
	"reflect"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// TestAttributes shows that the table of attributes has each field of Op that is one, that each attribute is one of
// some kind, and that an op that has another one is refused.
func TestAttributes(t *testing.T) {
	others := []string{"Kind", "Args", "Out", "Body", "Else", "Line", "Note"}
	op := reflect.TypeFor[Op]()
	rows := map[string]attr{}
	for a, row := range attributes {
		rows[row.name] = attr(a)
	}
	for i := range op.NumField() {
		name := op.Field(i).Name
		a, ok := rows[name]
		if ok == slices.Contains(others, name) {
			t.Errorf("the table of attributes has %s: %v", name, ok)
		}
		if !ok {
			continue
		}
		used := false
		for kind := range NumKinds {
			own := slices.Contains(facts[kind].attrs, a)
			used = used || own
			o := &Op{Kind: kind}
			setField(reflect.ValueOf(o).Elem().Field(i))
			if got, strange := strange(o); strange == own || strange && got != a {
				t.Errorf("%v with %s: strange is %v, %v", kind, name, got, strange)
			}
		}
		if !used {
			t.Errorf("no kind has %s", name)
		}
	}
}

func setField(f reflect.Value) {
	switch f.Kind() {
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Float64:
		f.SetFloat(1)
	case reflect.Int:
		f.SetInt(1)
	default: // Elem, RMW
		f.SetUint(1)
	}
}

// TestExprs shows that two pure ops that differ in an attribute do not compute the same.
func TestExprs(t *testing.T) {
	op := reflect.TypeFor[Op]()
	for kind := range NumKinds {
		if !kind.IsPure() {
			continue
		}
		for _, a := range facts[kind].attrs {
			f, _ := op.FieldByName(attributes[a].name)
			x := &Op{Kind: kind, Out: []*Value{{Type: Scalar(dtype.F32)}}}
			y := *x
			if !x.equal(&y) {
				t.Errorf("two equal %v differ", kind)
			}
			setField(reflect.ValueOf(x).Elem().FieldByIndex(f.Index))
			if x.equal(&y) {
				t.Errorf("%v of another %s is the same", kind, f.Name)
			}
		}
	}
}
