package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The examples of the guide to the command do what they say, in an empty folder.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	n := 0
	for example := range strings.Lines(string(text)) {
		args, ok := strings.CutPrefix(strings.TrimRight(example, "\n"), "    weft ")
		if !ok {
			continue
		}
		n++
		words := strings.Fields(args)
		code, out, log := line(context.Background(), words...)
		if code != 0 {
			t.Errorf("weft %s: %d, %s", args, code, log)
		}
		if at := len(words) - 1; words[at-1] == "-o" {
			if info, err := os.Stat(words[at]); err != nil || info.Size() == 0 {
				t.Errorf("weft %s: %v", args, err)
			}
		} else if out == "" {
			t.Errorf("weft %s prints nothing", args)
		}
	}
	if n < 5 {
		t.Errorf("the guide has %d examples", n)
	}
}
