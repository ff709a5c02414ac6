package gomlx

import (
	"reflect"
	"unsafe"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/dtypes/bfloat16"
	"github.com/pkg/errors"
	"github.com/x448/float16"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
)

// elementType is an element type of GoMLX with weft's.
type elementType struct {
	dtype    dtypes.DType
	elem     weft.DType
	on       func(target.Caps) bool // whether a device has it; nil for all
	upload   func(dev *weft.Device, flat any, dims []int) (*weft.Tensor, error)
	download func(t *weft.Tensor, flat any) error
}

// elementTypes lists what weft has.
var elementTypes = []elementType{
	typeOf[bool, bool](dtypes.Bool, nil),
	typeOf[int8, int8](dtypes.Int8, nil),
	typeOf[uint8, uint8](dtypes.Uint8, nil),
	typeOf[int16, int16](dtypes.Int16, nil),
	typeOf[uint16, uint16](dtypes.Uint16, nil),
	typeOf[int32, int32](dtypes.Int32, nil),
	typeOf[uint32, uint32](dtypes.Uint32, nil),
	typeOf[int64, int64](dtypes.Int64, nil),
	typeOf[uint64, uint64](dtypes.Uint64, nil),
	typeOf[float16.Float16, weft.Float16](dtypes.Float16, nil),
	typeOf[bfloat16.BFloat16, weft.BFloat16](dtypes.BFloat16, nil),
	typeOf[float32, float32](dtypes.Float32, nil),
	typeOf[float64, float64](dtypes.Float64, func(c target.Caps) bool { return c.Float64 }),
}

// typeOf is the entry for elements that are G in GoMLX and W, of the same bits, in weft.
func typeOf[G any, W weft.Element](name dtypes.DType, on func(target.Caps) bool) elementType {
	same := func(x []G) []W { return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(x))), len(x)) }
	return elementType{
		dtype: name, elem: dtype.Of[W](), on: on,
		upload: func(dev *weft.Device, flat any, dims []int) (*weft.Tensor, error) {
			x, ok := flat.([]G)
			if !ok {
				return nil, errors.Errorf("a %T does not hold elements of %s", flat, name)
			}
			if len(dims) == 0 { // FromSlice would make a vector
				t, err := weft.FromSlice(dev, same(x), len(x))
				if err != nil {
					return nil, err
				}
				defer t.Close()
				return t.Reshape()
			}
			return weft.FromSlice(dev, same(x), dims...)
		},
		download: func(t *weft.Tensor, flat any) error {
			x, ok := flat.([]G)
			if !ok {
				return errors.Errorf("a %T does not hold elements of %s", flat, name)
			}
			y, err := weft.ToSlice[W](t)
			if err != nil {
				return err
			}
			if len(x) != len(y) {
				return errors.Errorf("a slice of %d elements for a buffer of %d", len(x), len(y))
			}
			copy(same(x), y)
			return nil
		},
	}
}

// typeFor finds an element type.
func typeFor(name dtypes.DType) (elementType, bool) {
	for _, t := range elementTypes {
		if t.dtype == name {
			return t, true
		}
	}
	return elementType{}, false
}

// elem is the element type of weft, Invalid if it has none.
func elem(name dtypes.DType) weft.DType {
	t, _ := typeFor(name)
	return t.elem
}

// flatType is the element type and the length of a flat slice.
func flatType(flat any) (dtypes.DType, int, error) {
	v := reflect.ValueOf(flat)
	if v.Kind() != reflect.Slice {
		return dtypes.InvalidDType, 0, errors.Errorf("the data is a %T, want a slice", flat)
	}
	name := dtypes.FromGoType(v.Type().Elem())
	if name == dtypes.InvalidDType {
		return name, 0, errors.Errorf("the data is a %T, which holds elements of no type", flat)
	}
	return name, v.Len(), nil
}

// cloneFlat copies a flat slice.
func cloneFlat(flat any) any {
	v := reflect.ValueOf(flat)
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c.Interface()
}
