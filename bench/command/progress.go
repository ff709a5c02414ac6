package command

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct {
	out io.Writer
	bar *progressbar.ProgressBar
}

func newProgress(out io.Writer) *progress {
	if f, ok := out.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		out = nil
	}
	return &progress{out: out}
}

// next says what is done next.
func (p *progress) next(done, total int, what string) {
	if p.out == nil {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(p.out), progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(20), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true))
	}
	p.bar.Describe(what)
	p.bar.Set(done)
}

// close removes the bar.
func (p *progress) close() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
