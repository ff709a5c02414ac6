package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/weftgpu/weft/tune"
)

// Terminal shows the progress of races on standard error, if that is a terminal; otherwise it is nil, which
// shows nothing:
//
//	tune.Auto(ctx, tune.Options{Progress: progress.Terminal()})
func Terminal() func(tune.Progress) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return To(os.Stderr)
}

// To shows the progress of races by a bar for each phase of a race, which disappears when the phase is done.
func To(w io.Writer) func(tune.Progress) {
	var (
		mu    sync.Mutex
		bar   *progressbar.ProgressBar
		shown string // the phase that bar is for
	)
	return func(p tune.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if phase := p.Op + p.Problem + p.Phase; bar == nil || phase != shown || p.Done < int(bar.State().CurrentNum) {
			if bar != nil {
				_ = bar.Clear()
			}
			shown = phase
			bar = progressbar.NewOptions(p.Total, progressbar.OptionSetWriter(w), progressbar.OptionThrottle(50*time.Millisecond),
				progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))
		}
		if p.Total != bar.GetMax() { // configs were dropped
			bar.ChangeMax(p.Total)
		}
		bar.Describe(describe(p))
		_ = bar.Set(p.Done) // what cannot be shown is not shown
	}
}

// describe is the text before the bar: "matmul: measure, 8 left, best 1.2ms".
func describe(p tune.Progress) string {
	text := fmt.Sprintf("%s: %s, %d left", p.Op, p.Phase, p.Left)
	if p.Best > 0 {
		text += fmt.Sprintf(", best %v", p.Best.Round(100*time.Nanosecond))
	}
	return text
}
