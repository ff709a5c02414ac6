package command

import (
	"fmt"
	"io"
	"time"

	"github.com/weftgpu/weft/internal/statusline"
)

// progress says on a terminal what is measured, and how long the rest takes.
type progress struct {
	line  *statusline.Line
	began time.Time
}

func newProgress(out io.Writer) *progress {
	return &progress{statusline.Terminal(out), time.Now()}
}

// next says what is done next.
func (p *progress) next(done, total int, what string) {
	left := ""
	if done > 0 {
		rest := time.Since(p.began) / time.Duration(done) * time.Duration(total-done)
		left = fmt.Sprintf(", about %v left", rest.Round(time.Second))
	}
	p.line.Show(fmt.Sprintf("%d of %d%s: %s", done, total, left, what))
}

// close removes the line.
func (p *progress) close() { p.line.Clear() }
