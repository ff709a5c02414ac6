//go:build cgo && !js

package webgpu

/*
typedef void (*logCallback)(int level, char const *message, void *user);
extern void wgpuSetLogCallback(logCallback callback, void *user);
extern void weftWGPULog(int level, char *message, void *user);
*/
import "C"

import (
	"context"
	"log/slog"
	"slices"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"

	"github.com/weftgpu/weft/internal/logging"
)

// levels are those of the library, by what they are to the logger, the least talkative last.
var levels = []struct {
	theirs wgpu.LogLevel
	ours   slog.Level
}{
	{wgpu.LogLevelTrace, slog.LevelDebug - 4},
	{wgpu.LogLevelInfo, slog.LevelDebug},
	{wgpu.LogLevelWarn, slog.LevelWarn},
}

// listen sends what the library says to the logger, as far as that logs it. The library's
// level is the process's.
func listen() {
	level := wgpu.LogLevelOff
	for _, l := range slices.Backward(levels) {
		if logging.Logger().Enabled(context.Background(), l.ours) {
			level = l.theirs
		}
	}
	C.wgpuSetLogCallback(C.logCallback(C.weftWGPULog), nil)
	wgpu.SetLogLevel(level)
}

//export weftWGPULog
func weftWGPULog(level C.int, message *C.char, _ unsafe.Pointer) {
	var at slog.Level
	for _, l := range levels {
		if wgpu.LogLevel(level) <= l.theirs {
			at = l.ours
		}
	}
	logging.Logger().Log(context.Background(), at, "wgpu-native", "message", C.GoString(message))
}
