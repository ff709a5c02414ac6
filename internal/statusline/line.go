package statusline

import (
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// interval is the shortest time between two texts of Show.
const interval = 50 * time.Millisecond

// Line is the last line of a terminal. A nil Line shows nothing.
type Line struct {
	out   io.Writer
	shown int // characters
	at    time.Time
}

// Terminal is the last line of out if that is a terminal, else nil.
func Terminal(out io.Writer) *Line {
	if f, ok := out.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return New(out)
}

// New is the line that is written to out, whatever that is.
func New(out io.Writer) *Line { return &Line{out: out} }

// Show shows a text of one line, unless another was shown right before.
func (l *Line) Show(text string) {
	if l != nil && time.Since(l.at) >= interval {
		l.replace(text)
		l.at = time.Now()
	}
}

// Clear leaves the line empty, and the next text is shown at once.
func (l *Line) Clear() {
	if l != nil && l.shown > 0 {
		l.replace("")
		l.at = time.Time{}
	}
}

func (l *Line) replace(text string) {
	fmt.Fprintf(l.out, "\r%*s\r%s", l.shown, "", text)
	l.shown = utf8.RuneCountInString(text)
}
