package timing

import (
	"time"

	"github.com/weftgpu/weft"
)

// Fastest is the device time of the best of five launches, or of as many as a second is enough for, two at least.
func Fastest(dev *weft.Device, launch func() error) (best time.Duration, err error) {
	for i, start := 0, time.Now(); i < 2 || i < 5 && time.Since(start) < time.Second; i++ {
		took, err := dev.Time(launch)
		if err != nil {
			return 0, err
		}
		if best == 0 || took < best {
			best = took
		}
	}
	return best, nil
}
