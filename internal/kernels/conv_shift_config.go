package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/target"
)

const (
	maxUnrolled   = 128 // products that are added in one go
	longRow       = 64  // pixels: so many vectors of a row are whole that the parts at its ends do not matter
	leastChannels = 16  // that are a row of their own
)

// sizeShifts gives programs as many neighbours in memory as are worth starting one, and units some programs each.
func (cfg *Conv2DConfig) sizeShifts(caps target.Caps, s Conv2DShape) {
	cfg.Shifts = true
	positions, channels, filters := s.Kernel[0]*s.Kernel[1], max(s.GroupChannels(), 1), 1
	for filters < 8 && s.GroupFilters()%(2*filters) == 0 && 2*filters*positions <= maxUnrolled {
		filters *= 2
	}
	if cfg.Channels = 0; s.GroupChannels() > 0 && channels*positions*filters <= maxUnrolled {
		cfg.Channels = s.GroupChannels()
	}
	rows, columns := s.Result()
	elements := max(s.Images*s.Groups*rows*columns, 1)
	switch {
	case s.GroupChannels() != 1:
	case s.ChannelsLast:
		cfg.Transposed = s.Groups < leastChannels
	default:
		cfg.Transposed = s.Groups >= leastChannels && columns < longRow
	}
	area := 1 << 14
	for area > 1<<11 && CeilDiv(elements, area)*CeilDiv(s.GroupFilters(), filters) < 2*caps.Facts().Units {
		area /= 2
	}
	cfg.Block.Size[2] = filters
	cfg.shiftBlock(s, area)
}

// shiftBlock sizes the blocks of an area, for as many filters at once as before.
func (cfg *Conv2DConfig) shiftBlock(s Conv2DShape, area int) {
	filters := cfg.Block.Size[2]
	rows, columns := s.Result()
	most := [5]int{1, area, 1, area, area}
	if s.ChannelsLast != cfg.Transposed {
		most[1] = 8 * leastChannels // and several rows
	}
	cfg.Block = newImageBlock(s.shiftMemory(cfg.Transposed), [5]int{s.Images, s.Groups, 1, rows, columns}, most, area)
	cfg.Block.Size[2] = filters
}

// shiftMemory is the order in memory of the dimensions of the result, of one filter in each group.
func (s Conv2DShape) shiftMemory(transposed bool) [5]int {
	if s.ChannelsLast != transposed {
		return [5]int{0, 3, 4, 2, 1}
	}
	return [5]int{0, 1, 2, 3, 4}
}

func (cfg Conv2DConfig) legalShifts(s Conv2DShape) error {
	if cfg.Channels != 0 && cfg.Channels != s.GroupChannels() {
		return fmt.Errorf("%d channels of a group in one go, want 0 or all %d", cfg.Channels, s.GroupChannels())
	}
	if n := max(cfg.Channels, 1) * cfg.Kernel[0] * cfg.Kernel[1] * cfg.Block.Size[2]; n > maxUnrolled {
		return fmt.Errorf("%d products in one go, want at most %d", n, maxUnrolled)
	}
	return checkShifts(s, cfg.Block, s.shiftMemory(cfg.Transposed), -1)
}
