package lower

import (
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// checkTypes reports the first op or view whose element type the target lacks.
func checkTypes(k *tile.Func, caps target.Caps) error {
	if caps.Int64 {
		return nil
	}
	if err := checkRegion(k.Body); err != nil {
		return err
	}
	for _, v := range k.Views {
		if v.Elem.Size() > 4 {
			return fault.New(fault.ErrUnsupported, k.Name, noLong, v.Elem).For(v.Name).At(v.Pos.String())
		}
	}
	return nil
}

const noLong = "%v: the device has no integers of 64 bits"

func checkRegion(r *tile.Region) error {
	for _, op := range r.Ops {
		for _, v := range append(op.Out[:len(op.Out):len(op.Out)], op.Args...) {
			if v.Type().Elem.Size() > 4 {
				return fault.New(fault.ErrUnsupported, op.Kind.String(), noLong, v.Type()).At(op.Pos.String())
			}
		}
		for _, body := range op.Regions() {
			if err := checkRegion(body); err != nil {
				return err
			}
		}
	}
	return nil
}
