package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/internal/statusline"
)

// scriptEnv makes a process of this test's binary one that plays a script and ends.
const scriptEnv = "WEFT_SUMMARY_SCRIPT"

func TestMain(m *testing.M) {
	if script := os.Getenv(scriptEnv); script != "" {
		play(script)
		return
	}
	os.Exit(m.Run())
}

// play prints events as go test does: of tests that end, or that hang.
func play(script string) {
	fmt.Println(`{"Action":"start","Package":"m/a"}`)
	fmt.Println(`{"Action":"run","Package":"m/a","Test":"TestA"}`)
	if script == "hang" {
		time.Sleep(time.Hour)
	}
	if script == "slow" {
		for range 8 { // each pause is shorter than the limit, all together are longer
			time.Sleep(time.Second / 2)
			fmt.Println(`{"Action":"output","Package":"m/a","Test":"TestA","Output":"still here\n"}`)
		}
	}
	fmt.Println(`{"Action":"pass","Package":"m/a","Test":"TestA"}`)
	fmt.Println(`{"Action":"pass","Package":"m/a"}`)
	if script == "exit" {
		os.Exit(3)
	}
}

func TestWatch(t *testing.T) {
	for _, c := range []struct {
		script string
		ok     bool
		want   []string
	}{
		{"good", true, []string{"Tests: 1 passed, 0 failed, 0 skipped; packages: 1 passed, 0 failed"}},
		{"slow", true, []string{"0 of 7 packages and 0 tests done; running m/a TestA (0:0", "Tests: 1 passed"}},
		{"hang", false, []string{"no test has said anything for 3s in:\n  m/a TestA\n", "Not finished:\n  m/a\n"}},
		{"exit", false, []string{"the command itself: exit status 3"}},
	} {
		t.Run(c.script, func(t *testing.T) {
			t.Setenv(scriptEnv, c.script)
			var out strings.Builder
			r := newRun(&out, false)
			r.progress = newProgress(7, time.Now)
			w := watch{every: 100 * time.Millisecond, stall: 3 * time.Second, grace: 100 * time.Millisecond}
			if c.script != "hang" && c.script != "slow" {
				w.stall = 0 // on a busy machine it may begin late
			}
			if err := r.command([]string{os.Args[0]}, w); err != nil {
				t.Fatal(err)
			}
			if ok := r.report(nil); ok != c.ok {
				t.Errorf("verdict %v, want %v", ok, c.ok)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in:\n%s", want, out.String())
				}
			}
		})
	}
}

// Only what runs can stall, and each event sets its package's time anew.
func TestStalled(t *testing.T) {
	now := time.Unix(1000, 0)
	p := newProgress(2, func() time.Time { return now })
	tell := func(pkg, action, test string) { p.take(event{Package: pkg, Action: action, Test: test}) }
	const limit = time.Minute
	now = now.Add(time.Hour) // of compiling
	if got := p.stalled(limit); got != nil || !strings.Contains(p.String(), "60:00: 0 of 2 packages and 0 tests done; compiling") {
		t.Errorf("%v while compiling; %v", got, p)
	}
	tell("h/o/m/a", "start", "")
	tell("h/o/m/b", "start", "")
	tell("h/o/m/a", "run", "TestA")
	now = now.Add(limit)
	tell("h/o/m/b", "output", "TestB")
	now = now.Add(time.Second)
	if got := p.stalled(limit); len(got) != 1 || got[0] != "h/o/m/a TestA" {
		t.Errorf("stalled: %q", got)
	}
	if got := p.stalled(0); got != nil {
		t.Errorf("without a limit: %q", got)
	}
	tell("h/o/m/a", "pass", "TestA")
	tell("h/o/m/a", "pass", "")
	tell("h/o/m/b", "run", "TestC/sub")
	if got, want := p.String(), "61:01: 1 of 2 packages and 1 tests done; running b TestC/sub (1:01)"; p.stalled(limit) != nil || got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A line of progress on a terminal gives way to what is printed.
func TestLive(t *testing.T) {
	var out strings.Builder
	r := newRun(&out, false)
	r.status = statusline.New(&out)
	r.tell()
	r.line("a linker speaks")
	if got := out.String(); !strings.HasPrefix(got, "\r\r0:00: 0 packages") || !strings.HasSuffix(got, "compiling\r"+strings.Repeat(" ", len(r.progress.String()))+"\ra linker speaks\n") {
		t.Errorf("%q", got)
	}
}
