package compile

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/tile"
)

// slowAfter is the time after which the log reports a compilation while it lasts; tests make it shorter.
var slowAfter = 2 * time.Second

// slow reports a compilation that takes long: at slowAfter, at twice that and so on, and when it ends.
type slow struct {
	kernel string
	device backend.Device
	start  time.Time

	mu    sync.Mutex
	step  string // what is done now
	next  time.Duration
	timer *time.Timer
	told  bool
	ended bool
}

func (c *Compiler) watchSlow(k *tile.Func) *slow {
	s := &slow{kernel: k.Name, device: c.dev, start: time.Now(), next: slowAfter}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(s.next, s.tell)
	return s
}

// enter notes what is done from now on.
func (s *slow) enter(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.step = step
}

func (s *slow) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.told = true
	s.log("still compiling", slog.String("step", s.step))
	s.next *= 2
	s.timer.Reset(s.next - time.Since(s.start))
}

func (s *slow) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.timer.Stop()
	if s.told {
		s.log("compilation ended")
	}
}

func (s *slow) log(what string, attrs ...slog.Attr) {
	info := s.device.Info()
	took := time.Since(s.start).Round(100 * time.Millisecond)
	attrs = append([]slog.Attr{
		slog.String("kernel", s.kernel), slog.String("backend", info.Backend), slog.Int("device", info.Index), slog.Duration("took", took),
	}, attrs...)
	logging.Waiting().LogAttrs(context.Background(), slog.LevelInfo, what, attrs...)
}
