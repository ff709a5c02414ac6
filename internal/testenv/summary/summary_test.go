package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

const pkg = "m/backend/vulkan"

// feed runs the summary over events and returns what it printed and its verdict.
func feed(t *testing.T, require []string, events ...event) (string, bool) {
	t.Helper()
	var in, out strings.Builder
	enc := json.NewEncoder(&in)
	for _, e := range events {
		if e.Package == "" && e.ImportPath == "" {
			e.Package = pkg
		}
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	r := newRun(&out, false)
	for line := range strings.Lines("# a linker speaks\n" + in.String()) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	ok := r.report(require)
	return out.String(), ok
}

func say(test, text string) event    { return event{Action: "output", Test: test, Output: text} }
func end(test, action string) event  { return event{Action: action, Test: test} }
func begin(test string) event        { return event{Action: "run", Test: test} }
func whole(pkg, action string) event { return event{Action: action, Package: pkg} }

func TestSummary(t *testing.T) {
	dev := suite + "/vulkan:0_llvmpipe"
	good := []event{
		begin(suite), begin(dev), begin(dev + "/add"), begin(dev + "/matmul"),
		say(dev, "    v_test.go:3: "+testenv.Mark+"device: llvmpipe\n"),
		end(dev+"/add", "pass"),
		say(dev+"/matmul", "    v_test.go:9: no f16:\n"), say(dev+"/matmul", "        driver too old\n"),
		say(dev+"/matmul", "    --- SKIP: x (0.00s)\n"),
		end(dev+"/matmul", "skip"), end(dev, "pass"), end(suite, "pass"), whole(pkg, "pass"),
	}
	for _, c := range []struct {
		name    string
		require []string
		events  []event
		ok      bool
		want    []string
	}{
		{"good", []string{"vulkan"}, good, true, []string{
			"# a linker speaks",
			"vulkan   vulkan:0_llvmpipe: 1 passed, 0 failed, 1 skipped",
			"  device: llvmpipe\n",
			"vulkan: no f16: driver too old [" + dev + "/matmul]",
			"Tests: 1 passed, 0 failed, 1 skipped; packages: 1 passed, 0 failed",
		}},
		{"missing backend", []string{"vulkan", "cpu"}, good, false, []string{"Required but not run:\n  cpu\n"}},
		{"all skipped", []string{"vulkan"}, []event{
			begin(suite), say(suite, "    v_test.go:9: no vulkan\n"), end(suite, "skip"), whole(pkg, "pass"),
		}, false, []string{"Required but not run:\n  vulkan\n", "vulkan: no vulkan [TestConformance]"}},
		{"slow", nil, []event{
			begin("TestA"), {Action: "pass", Test: "TestA", Elapsed: 5.4},
			begin("TestB"), {Action: "pass", Test: "TestB", Elapsed: 4.9},
			begin("TestC"), {Action: "pass", Test: "TestC", Elapsed: 61}, whole(pkg, "pass"),
		}, true, []string{"Slowest tests:\n     61s m/backend/vulkan TestC\n      5s m/backend/vulkan TestA\n\n"}},
		{"failure", nil, []event{
			begin("TestA"), say("TestA", "    a_test.go:1: 3 != 4\n"), end("TestA", "fail"), whole(pkg, "fail"),
		}, false, []string{"FAIL  m/backend/vulkan TestA\n    a_test.go:1: 3 != 4\n", "Failed:\n  m/backend/vulkan TestA\n"}},
		{"crash", nil, []event{
			begin("TestA"), say("TestA", "SIGABRT\n"), say("", "goroutine 1\n"), whole(pkg, "fail"),
		}, false, []string{"TestA did not finish\nSIGABRT\ngoroutine 1\n", "Failed:\n  m/backend/vulkan TestA\n"}},
		{"no build", nil, []event{
			{Action: "build-output", ImportPath: pkg, Output: "a.go:1: syntax error\n"}, whole(pkg, "fail"),
		}, false, []string{"a.go:1: syntax error\n", pkg + " (did not build"}},
		{"nothing ran", nil, nil, false, []string{"no package with tests ran"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, ok := feed(t, c.require, c.events...)
			if ok != c.ok {
				t.Errorf("verdict %v, want %v", ok, c.ok)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in:\n%s", want, out)
				}
			}
		})
	}
}
