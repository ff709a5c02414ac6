package main

import (
	"context"
	"strings"
	"testing"

	"github.com/weftgpu/weft/tune"
)

// A choice is said to be that of a rule, of the model or of a measurement.
func TestSources(t *testing.T) {
	for source, want := range map[string]string{
		"rule": ", by the rule\n", "model": ", by the model\n", "measured": ", as measured\n",
		"interrupted race": ", as measured by an interrupted race\n", "imported": ", as measured elsewhere\n",
	} {
		var b strings.Builder
		printChoice(&b, tune.Choice{Op: "add", Config: []byte("{}"), Source: source}, 0)
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: want %q in %q", source, want, b.String())
		}
	}
}

// explain says what a time means: expected where the machine is known, a bound where it is not or where launching takes
// longest, and none where there are no facts.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		args       string
		says, hush string
	}{
		{"explain matmul 4096x4096x4096 --dtype f16 --on h200", " expected\n", "at least"},
		{"explain matmul 4096x4096x4096 --dtype f16 --on a100", "at least 441µs on NVIDIA A100 80GB\n", " expected\n"},
		{"explain matmul 4096x4096x4096 --on apple-m2", "on Apple M2\n", " expected\n"},
		{"explain matmul 4096x4096x4096 --on webgpu", "by the rule\n", " at least"},
		{"explain add 4096 --on h200", "on NVIDIA H200\n", " expected\n"},
		{"explain add 4096 --on cpu", "by the rule\n", "µs"},
		{"explain add 4096 --on llvmpipe", "by the rule\n", "µs"},
	} {
		code, out, log := line(context.Background(), strings.Fields(c.args)...)
		if code != 0 || !strings.Contains(out, c.says) || strings.Contains(out, c.hush) {
			t.Errorf("%s: %d, %s\nwant %q and no %q in\n%s", c.args, code, log, c.says, c.hush, out)
		}
	}
}
