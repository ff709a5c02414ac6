package ops

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
)

// TestColumnOrdersAgree multiplies columns in either order, of x and of copies of x with its channels first and last, and with more channels, which are zeros.
func TestColumnOrdersAgree(t *testing.T) {
	s := newShifts(t)
	for i := range 16 {
		c := s.convolution(1+s.rng.IntN(3), 1+s.rng.IntN(9), 1+s.rng.IntN(9), i%2 == 0)
		if i%4 < 2 {
			c.Kernel, c.Stride, c.Padding = [2]int{1, 1}, [2]int{1, 1}, [4]int{}
		}
		c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
		out := s.filled(c.resultShape()...)
		var want []float32
		var temporary scratch
		s.poison()
		for _, x := range []*convolution{c, c.copied(&temporary, false), c.copied(&temporary, true), c.withLongerChannels(&temporary)} {
			for _, byPosition := range []bool{false, x.ChannelsLast} {
				s.agree(out, &want, x.Conv2DShape, func() error { return x.multiplyColumns(&temporary, out, byPosition) })
			}
		}
		s.must(nil, temporary.err)
		temporary.close()
	}
}

// TestCopiedWeightsAgree copies weights in all orders, which hold the same numbers.
func TestCopiedWeightsAgree(t *testing.T) {
	s := newShifts(t)
	c := s.convolution(3, 5, 4, false)
	c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
	positions := c.Kernel[0] * c.Kernel[1]
	var temporary scratch
	defer temporary.close()
	var want []float32
	out := s.filled(c.Groups, c.GroupFilters(), positions, c.GroupChannels())
	for _, filterByFilter := range []bool{false, true} {
		w := s.must(c.copiedWeights(&temporary, true, filterByFilter, c.Groups, c.GroupFilters(), positions, c.GroupChannels()), temporary.err)
		run := filtersInRuns
		if filterByFilter {
			run = eitherInRuns
		}
		if l := w.Layout(); !run.hold(l) || filtersInRuns.hold(l) == filterByFilter {
			t.Errorf("filter by filter %v: strides %v", filterByFilter, l.Strides())
		}
		s.agree(out, &want, filterByFilter, func() error { return out.CopyFrom(w) })
	}
}

// Weights are not copied for columns that are fewer, nor planes whose rows tensor maps take.
func TestColumnRules(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	s := kernels.Conv2DShape{Images: 1, Channels: 1024, Height: 16, Width: 16, Filters: 1024, Groups: 1, Kernel: [2]int{3, 3},
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, ChannelsLast: true}
	many := s
	many.Images = 8
	if s.ByPosition(h200.Caps) || !many.ByPosition(h200.Caps) {
		t.Errorf("columns by position: %v of one image, %v of 8", s.ByPosition(h200.Caps), many.ByPosition(h200.Caps))
	}
	for _, c := range []struct {
		side, channels int
		last, want     bool
	}{{14, 672, false, true}, {14, 672, true, false}, {16, 672, false, false}, {14, 673, false, false}, {1, 672, false, false}} {
		s := kernels.Conv2DShape{Images: 6, Channels: c.channels, Height: c.side, Width: c.side, Filters: 112, Groups: 1, Kernel: [2]int{1, 1},
			Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, ChannelsLast: c.last}
		if got := s.UnalignedPlanes(h200.Caps, weft.F16); got != c.want {
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
}
