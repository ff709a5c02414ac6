//go:build cgo && !js

package webgpu

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// TestUncapturedError makes an error outside every error scope. Without a
// callback of ours the library would abort the process.
func TestUncapturedError(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		dev := d.(*device)
		if !dev.gpu.timestamps {
			t.Skip("needs timestamps")
		}
		set, err := dev.gpu.newQuerySet(1)
		must(t, err)
		defer set.Release()
		b, err := dev.gpu.newBatch()
		must(t, err)
		commands, err := b.encoder.Finish(nil)
		must(t, err)
		defer commands.Release()
		defer b.encoder.Release()
		writeTimestamp(b.encoder, set, 0) // into an encoder that is finished
		if err := d.Stream().Synchronize(); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("a pass of a finished encoder: %v", err)
		}
		checkUsable(t, d)
	})
}
