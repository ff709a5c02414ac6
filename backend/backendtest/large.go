package backendtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// testLargeViews: kernels on small views of a tensor that is larger than what a kernel can be given: at its
// start, across the end of what can be bound from the start on, and at its end.
func testLargeViews(s *suite) {
	const small = 1001
	limit := s.dev.Caps().MaxBindingBytes
	if limit == 0 || limit > 1<<28 && !s.full {
		limit = 1 << 27
	}
	for _, elem := range []weft.DType{weft.F32, weft.U8} {
		n := int((limit + 32<<20) / int64(elem.Size()))
		large, err := weft.Empty(s.dev, elem, n)
		if tooLarge(err) {
			s.Logf("%d bytes: %v", limit+32<<20, err)
			continue
		}
		s.try(err)
		across := int(limit)/elem.Size() - small/2
		starts := []int{5, across, across + 2*small, n - small}
		views, want := make([]*weft.Tensor, len(starts)), make([][]float64, len(starts))
		for i, at := range starts {
			views[i] = s.ok(large.Slice(0, at, at+small))
			h := s.random(elem, small)
			want[i] = h.x
			s.try(ops.CopyInto(views[i], s.tensor(h)))
		}
		// Two views that share a binding: near each other, and in reverse order.
		s.try(ops.CopyInto(views[1], s.ok(views[2].Flip(0))))
		for i, x := range want[2] {
			want[1][small-1-i] = x
		}
		// Views at the start and at the end are in no binding together, but have addresses.
		switch caps := s.dev.Caps(); {
		case caps.MaxBindingBytes != limit:
		case caps.DeviceAddresses:
			s.try(ops.CopyInto(views[0], views[3]))
			want[0] = want[3]
		default:
			s.refused(fmt.Sprintf("%v: views %d bytes apart", elem, limit), weft.ErrLimit, ops.CopyInto(views[0], views[3]))
		}
		// The same kernel and buffer from another place on, without a wait between the launches.
		for i := range views {
			copied := s.ok(weft.Empty(s.dev, elem, small))
			s.try(ops.CopyInto(copied, views[i]))
			s.compare(copied, want[i], nil)
			s.try(copied.Close())
		}
		for i := range views {
			s.compare(views[i], want[i], nil)
		}
		// Recorded launches reach the same places: four of them, enough for a command buffer.
		copies := s.ok(weft.Empty(s.dev, elem, len(views)*small))
		recording := must[*weft.Recording](s)(s.dev.Capture(func(rec *weft.Recorder) error {
			for i, v := range views {
				if err := ops.CopyInto(s.ok(copies.Slice(0, i*small, (i+1)*small)), rec.Use(v)); err != nil {
					return err
				}
			}
			return nil
		}))
		s.try(recording.Replay())
		s.compare(copies, slices.Concat(want...), nil)
		s.try(errors.Join(recording.Close(), copies.Close(), large.Close()))
	}
}
