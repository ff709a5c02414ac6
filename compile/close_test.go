package compile

import (
	"bytes"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// A compiler that is closed while kernels are launched for the first time closes every program that
// it loaded, and each launch succeeds or says that the device is closed.
func TestCloseWhileCompiling(t *testing.T) {
	for range 30 {
		dev := newRecorder()
		c := New(dev)
		var wg sync.WaitGroup
		for g := range 4 {
			k := copyKernel(t, 64<<g)
			wg.Go(func() {
				for i := 1; ; i++ {
					x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
					if err := c.Launch(k, []Arg{arg(t, x, 5, i), arg(t, y, 5, i)}, nil); err != nil {
						if !errors.Is(err, fault.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		wg.Go(func() {
			runtime.Gosched()
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		if dev.closed != dev.compiled {
			t.Errorf("%d programs were loaded, %d closed", dev.compiled, dev.closed)
		}
	}
}

// However many shapes are launched, the programs and what is remembered of launches stay bounded: programs that
// nothing launches any longer are closed.
func TestManyShapesStayBounded(t *testing.T) {
	dev := newRecorder()
	const prepared, entries = 8, 4
	c := newCompiler(dev, prepared, entries)
	x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
	const kernels = 60
	for i := range kernels {
		k := copyKernelOf(t, 64, i)
		for rows := range 5 {
			if err := c.Launch(k, []Arg{arg(t, x, rows+1, 64), arg(t, y, rows+1, 64)}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := c.entries.Len(); n > 2*entries {
		t.Errorf("%d kernels are kept, want %d at most", n, 2*entries)
	}
	if n := c.prepared.Len(); n > 2*prepared {
		t.Errorf("%d kernels are kept ready, want %d at most", n, 2*prepared)
	}
	open := func() int {
		dev.mu.Lock()
		defer dev.mu.Unlock()
		return dev.compiled - dev.closed
	}
	for end := time.Now().Add(10 * time.Second); open() > 2*(entries+prepared) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	if n := open(); n > 2*(entries+prepared) {
		t.Errorf("%d programs of %d are open, want %d at most", n, dev.compiled, 2*(entries+prepared))
	}
	if n := open(); n < entries {
		t.Errorf("%d programs are open, the last %d must be", n, entries)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if dev.closed > dev.compiled {
		t.Errorf("%d programs were loaded, %d closed", dev.compiled, dev.closed)
	}
}

// A program stays open for as long as something may launch it, however many others were compiled since.
func TestWhatIsPreparedStaysOpen(t *testing.T) {
	dev := newRecorder()
	c := newCompiler(dev, 1, 1)
	x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
	args := []Arg{arg(t, x, 3, 64), arg(t, y, 3, 64)}
	kept, err := c.Prepare(copyKernel(t, 64), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := c.Launch(copyKernelOf(t, 64, i+1), args, nil); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
		dev.mu.Lock()
		closed := dev.closed
		dev.mu.Unlock()
		if closed >= 16 {
			break
		}
	}
	if dev.closed < 16 || dev.closed > 20 {
		t.Errorf("%d of 21 programs are closed, want nearly all but the one that is kept", dev.closed)
	}
	if kept.entry.program.(*program).closed {
		t.Error("the program that is kept is closed")
	}
	runtime.KeepAlive(kept)
}

// lines is a log that may be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A compilation that takes long is told of while it lasts, again and again, and when it ends; one that
// does not is not.
func TestSlowCompilationsAreLogged(t *testing.T) {
	var log lines
	logging.Set(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { logging.Set(nil) })
	launch := func(dev *recorder) error {
		x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
		return New(dev).Launch(copyKernel(t, 64), []Arg{arg(t, x, 5, 64), arg(t, y, 5, 64)}, nil)
	}
	if err := launch(newRecorder()); err != nil || log.String() != "" {
		t.Errorf("%v, a fast compilation is logged:\n%s", err, log.String())
	}

	defer func(d time.Duration) { slowAfter = d }(slowAfter)
	slowAfter = time.Millisecond
	dev := newRecorder()
	dev.compiles = make(chan struct{})
	done := make(chan error)
	go func() { done <- launch(dev) }()
	for end := time.Now().Add(time.Minute); strings.Count(log.String(), `step="compile source"`) < 3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the log of a minute's compilation says %q", log.String())
		}
	}
	if strings.Contains(log.String(), "ended") {
		t.Errorf("the end is logged before it came:\n%s", log.String())
	}
	close(dev.compiles)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	text := log.String()
	for _, want := range []string{"level=INFO", "kernel=copy", "backend=fake", `step="compile source"`, "took=", "compilation ended"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "took=") {
			t.Errorf("no time in %q", line)
		}
	}
}
