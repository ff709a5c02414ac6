//go:build cgo && !js

package webgpu

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/logging"
)

// locked is a buffer that several threads may write to.
type locked struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// The logger hears the library, and the library is silent without one.
func TestLog(t *testing.T) {
	forEach(t, func(t *testing.T, _ backend.Device) {
		for _, c := range []struct {
			level slog.Level
			want  bool
		}{{slog.LevelDebug - 4, true}, {slog.LevelError + 1, false}} {
			var said locked
			logging.Set(slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: c.level})))
			d, err := backend.Open("webgpu")
			logging.Set(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(said.String(), "wgpu-native"); got != c.want {
				t.Errorf("level %v: the log says %q", c.level, said.String())
			}
			must(t, d.Close())
		}
	})
	listen()
}
