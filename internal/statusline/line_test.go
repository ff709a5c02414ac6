package statusline

import (
	"bytes"
	"strings"
	"testing"
)

// screen is what a terminal shows of text on one line.
func screen(text string) string {
	var line []rune
	for part := range strings.SplitSeq(text, "\r") {
		now := []rune(part)
		line = append(now, line[min(len(now), len(line)):]...)
	}
	return strings.TrimRight(string(line), " ")
}

// A text replaces all of the one before, shows at most every interval, and none is left.
func TestLine(t *testing.T) {
	var out bytes.Buffer
	l := New(&out)
	l.Show("measure 1 of 12, 5 µs")
	for range 1000 {
		l.Show("too early")
	}
	if got := screen(out.String()); got != "measure 1 of 12, 5 µs" {
		t.Errorf("%q", got)
	}
	l.Clear()
	if got := screen(out.String()); got != "" {
		t.Errorf("%q is left behind", got)
	}
	l.Show("next")
	l.Clear()
	l.Show("add")
	if got := screen(out.String()); got != "add" {
		t.Errorf("%q", got)
	}
	length := out.Len()
	l.Clear()
	l.Clear()
	if out.Len() > length+len("\r   \r") {
		t.Errorf("an empty line is cleared: %q", out.String()[length:])
	}
}

// What is no terminal has no line, and no line shows nothing.
func TestNoTerminal(t *testing.T) {
	l := Terminal(&bytes.Buffer{})
	if l != nil {
		t.Fatal("a buffer is a terminal")
	}
	l.Show("text")
	l.Clear()
}
