package weft

import (
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// AsStrided is a view of the tensor's whole memory through any layout that stays within it,
// whatever the tensor's own is.
// Error: ErrShape for a layout that leaves the memory.
func (t *Tensor) AsStrided(l layout.Layout) (*Tensor, error) {
	if err := t.hold("as strided", "t"); err != nil {
		return nil, err
	}
	defer t.mem.release()
	if lo, hi := l.Bounds(); lo <= hi && (lo < 0 || int64(hi) >= t.mem.buf.Bytes()/int64(t.elem.Size())) {
		return nil, fault.New(ErrShape, "as strided", "the layout %v reaches outside of the tensor's memory of %d bytes", l, t.mem.buf.Bytes())
	}
	return t.view(l), nil
}
