package offline

import (
	"fmt"
	"iter"
	"reflect"
)

// Fields are the fields of a kernel's config that are not zero and mean something to readers: functions and pointers are
// left out, and fields of structs within are named by a path.
func Fields(config any) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) { eachField(reflect.ValueOf(config), "", yield) }
}

func eachField(v reflect.Value, path string, yield func(string, any) bool) bool {
	if v.Kind() != reflect.Struct {
		return true
	}
	for i := range v.NumField() {
		field, name := v.Field(i), path+v.Type().Field(i).Name
		_, prints := reflect.Zero(field.Type()).Interface().(fmt.Stringer)
		switch {
		case !v.Type().Field(i).IsExported() || field.IsZero() || opaque(field.Type()):
		case field.Kind() == reflect.Struct && !prints:
			if !eachField(field, name+".", yield) {
				return false
			}
		case !yield(name, field.Interface()):
			return false
		}
	}
	return true
}

// opaque types print as addresses.
func opaque(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Func, reflect.Pointer:
		return true
	case reflect.Array, reflect.Slice:
		return opaque(t.Elem()) || t.Elem().Kind() == reflect.Struct
	}
	return false
}
