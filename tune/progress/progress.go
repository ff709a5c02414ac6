package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/weftgpu/weft/internal/statusline"
	"github.com/weftgpu/weft/tune"
)

// Terminal shows the progress of races on standard error, if that is a terminal; otherwise it is nil, which
// shows nothing:
//
//	tune.Auto(ctx, tune.Options{Progress: progress.Terminal()})
func Terminal() func(tune.Progress) {
	if l := statusline.Terminal(os.Stderr); l != nil {
		return on(l)
	}
	return nil
}

// To shows the progress of races on one line, which disappears when a phase is done.
func To(w io.Writer) func(tune.Progress) { return on(statusline.New(w)) }

func on(l *statusline.Line) func(tune.Progress) {
	var (
		mu  sync.Mutex
		was tune.Progress
	)
	return func(p tune.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Op != was.Op || p.Problem != was.Problem || p.Phase != was.Phase || p.Done < was.Done || p.Done >= p.Total {
			l.Clear()
		}
		if was = p; p.Done < p.Total {
			l.Show(describe(p))
		}
	}
}

// describe is the line: "matmul: measure 3 of 12, 8 left, best 1.2ms".
func describe(p tune.Progress) string {
	text := fmt.Sprintf("%s: %s %d of %d, %d left", p.Op, p.Phase, p.Done, p.Total, p.Left)
	if p.Best > 0 {
		text += fmt.Sprintf(", best %v", p.Best.Round(100*time.Nanosecond))
	}
	return text
}
