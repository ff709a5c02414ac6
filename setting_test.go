package weft_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
)

// A variable of the environment that has a value which means nothing is not taken for none.
func TestWrongSettings(t *testing.T) {
	for name, want := range map[string]string{"WEFT_TUNE": "0 or 1", "WEFT_CPU": "go, avx2, avx512 or neon", "WEFT_CHECK": "0 or 1"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "7")
			if dev, err := weft.Open("cpu"); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), name+"=7, want "+want) {
				t.Errorf("opened: %v, %v", dev, err)
			}
			var log bytes.Buffer
			weft.SetLogger(slog.New(slog.NewTextHandler(&log, nil)))
			t.Cleanup(func() { weft.SetLogger(nil) })
			dev, err := backend.Open("cpu")
			if err != nil {
				t.Fatal(err)
			}
			weft.NewDevice(dev).Close()
			if !strings.Contains(log.String(), "setting ignored") || !strings.Contains(log.String(), name+"=7") {
				t.Errorf("logged of a device that was not opened by name: %s", log.String())
			}
		})
	}
}

// The error of a device that the environment names says so.
func TestWrongDeviceOfTheEnvironment(t *testing.T) {
	for _, name := range []string{"abacus", "cpu:7", "cpu:x"} {
		t.Setenv(weft.DeviceEnv, name)
		if dev, err := weft.Open(""); err == nil || !strings.HasPrefix(err.Error(), "weft: open: WEFT_DEVICE: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, dev, err)
		}
		if dev, err := weft.Open(name); err == nil || strings.Contains(err.Error(), "WEFT_DEVICE") {
			t.Errorf("%s, named by the call: %v, %v", name, dev, err)
		}
	}
}
