package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/weftgpu/weft/internal/statusline"
)

func main() {
	require := flag.String("require", "", "backends, separated by commas, whose conformance suite must have passed on a device")
	verbose := flag.Bool("v", false, "print the output of tests that pass, too")
	packages := flag.Int("packages", 0, "how many packages are tested, for the progress")
	stall := flag.Duration("stall", 10*time.Minute, "end tests of a package that say nothing for so long")
	flag.Parse()

	w := watch{every: 20 * time.Second, stall: *stall, grace: 30 * time.Second}
	r := newRun(os.Stdout, *verbose)
	if r.status != nil {
		w.every = time.Second
	}
	r.progress = newProgress(*packages, time.Now)
	if err := r.command(flag.Args(), w); err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(1)
	}
	if !r.report(strings.FieldsFunc(*require, func(c rune) bool { return c == ',' })) {
		os.Exit(1)
	}
}

// An event is a line of `go test -json`; see `go doc test2json`.
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Elapsed    float64
	Output     string
}

// A test is one test or subtest.
type test struct {
	pkg, name string
	state     string // "run", "pass", "fail" or "skip"
	output    []string
	hasSub    bool
	seconds   float64
}

// A run is all tests of one `go test`, in the order in which they began.
type run struct {
	*progress
	out     io.Writer
	status  *statusline.Line // of progress, nil if out is no terminal
	verbose bool
	tests   []*test
	index   map[[2]string]*test
	pkgOut  map[string][]string // output that belongs to no test
	broken  []string            // packages that failed
	passed  int                 // packages that passed
	gaveUp  []string            // packages that stalled
	exited  string              // how the command ended, if it failed
}

func newRun(out io.Writer, verbose bool) *run {
	return &run{out: out, status: statusline.Terminal(out), verbose: verbose, progress: newProgress(0, time.Now), index: map[[2]string]*test{}, pkgOut: map[string][]string{}}
}

// line takes an event and prints failures and packages as they come. Lines that are not events,
// such as those of a linker, are passed on.
func (r *run) line(text string) {
	var e event
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &e) != nil {
		r.status.Clear()
		fmt.Fprintln(r.out, text)
		return
	}
	r.progress.take(e)
	r.take(e)
}

func (r *run) take(e event) {
	switch {
	case e.Action == "build-output":
		r.status.Clear()
		fmt.Fprint(r.out, e.Output)
	case e.Package == "":
	case e.Test == "":
		r.takePackage(e)
	default:
		r.takeTest(e)
	}
}

func (r *run) takeTest(e event) {
	t := r.index[[2]string{e.Package, e.Test}]
	if t == nil {
		t = &test{pkg: e.Package, name: e.Test, state: "run"}
		r.index[[2]string{e.Package, e.Test}] = t
		r.tests = append(r.tests, t)
		if i := strings.LastIndexByte(e.Test, '/'); i > 0 {
			if parent := r.index[[2]string{e.Package, e.Test[:i]}]; parent != nil {
				parent.hasSub = true
			}
		}
	}
	switch e.Action {
	case "output":
		if !isFrame(e.Output) {
			t.output = append(t.output, e.Output)
		}
	case "pass", "fail", "skip":
		t.state, t.seconds = e.Action, e.Elapsed
		if e.Action == "fail" || r.verbose {
			r.printTest(t)
		}
	}
}

func (r *run) takePackage(e event) {
	switch e.Action {
	case "output":
		r.pkgOut[e.Package] = append(r.pkgOut[e.Package], e.Output)
	case "pass":
		r.status.Clear()
		r.passed++
		fmt.Fprintf(r.out, "ok    %-40s %6.1fs\n", e.Package, e.Elapsed)
	case "fail":
		r.status.Clear()
		r.broken = append(r.broken, e.Package)
		r.printBroken(e.Package)
		fmt.Fprintf(r.out, "FAIL  %-40s %6.1fs\n", e.Package, e.Elapsed)
	}
}

// printTest prints what a finished test said.
func (r *run) printTest(t *test) {
	r.status.Clear()
	fmt.Fprintf(r.out, "%s  %s %s\n%s", strings.ToUpper(t.state), t.pkg, t.name, strings.Join(t.output, ""))
}

// printBroken prints what a failed package said outside of its failed tests: that
// is where a crash shows itself.
func (r *run) printBroken(pkg string) {
	for _, t := range r.tests {
		if t.pkg == pkg && t.state == "run" {
			t.state = "fail"
			fmt.Fprintf(r.out, "FAIL  %s %s did not finish\n%s", t.pkg, t.name, strings.Join(t.output, ""))
		}
	}
	for _, line := range r.pkgOut[pkg] {
		if !isFrame(line) {
			fmt.Fprint(r.out, line)
		}
	}
}

// isFrame tells the lines that `go test -v` puts around a test's own output.
func isFrame(line string) bool {
	line = strings.TrimLeft(line, " ")
	for _, p := range []string{"=== ", "--- PASS", "--- FAIL", "--- SKIP", "PASS\n", "FAIL\n", "FAIL\t", "ok  \t"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}
