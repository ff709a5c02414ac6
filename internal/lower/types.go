package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// checkTypes reports the first op or view whose element type the target lacks, or op whose memory order.
func checkTypes(k *tile.Func, caps target.Caps) error {
	if caps.Int64 && caps.Float64 && caps.SystemOrder && caps.DeviceOrder {
		return nil
	}
	if err := checkRegion(k.Body, caps); err != nil {
		return err
	}
	for _, v := range k.Views {
		if text := lacks(caps, v.Elem); text != "" {
			return fault.New(fault.ErrUnsupported, k.Name, "%v: %s", v.Elem, text).For(v.Name).At(v.Pos.String())
		}
	}
	return nil
}

// lacks says what a target lacks for an element type, "" for nothing.
func lacks(caps target.Caps, e dtype.Type) string {
	switch {
	case e == dtype.F64 && !caps.Float64:
		return "the device has no floats of 64 bits"
	case e.Size() > 4 && e != dtype.F64 && !caps.Int64:
		return "the device has no integers of 64 bits"
	}
	return ""
}

// hasOrder reports whether the device has a memory order.
func hasOrder(caps target.Caps, o tile.MemoryOrder) bool {
	switch o {
	case tile.Relaxed:
		return true
	case tile.AcquireRelease:
		return caps.DeviceOrder
	}
	return caps.SystemOrder
}

func checkRegion(r *tile.Region, caps target.Caps) error {
	for _, op := range r.Ops {
		if !hasOrder(caps, op.Order) {
			return fault.New(fault.ErrUnsupported, op.Kind.String(), "%v: the device does not order accesses of kernels that run at the same time", op.Order).At(op.Pos.String())
		}
		for _, v := range append(op.Out[:len(op.Out):len(op.Out)], op.Args...) {
			if text := lacks(caps, v.Type().Elem); text != "" {
				return fault.New(fault.ErrUnsupported, op.Kind.String(), "%v: %s", v.Type(), text).At(op.Pos.String())
			}
		}
		for _, body := range op.Regions() {
			if err := checkRegion(body, caps); err != nil {
				return err
			}
		}
	}
	return nil
}
