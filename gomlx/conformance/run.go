package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gomlx/gomlx/backends/notimplemented"
	"golang.org/x/sync/errgroup"
)

type options struct {
	backend, reference, run, write, dir string
	packages, skip                      *regexp.Regexp
	verbose, record, built              bool
	jobs                                int

	kept map[string]map[string]status // by package and test: what passed on the reference when it was recorded
}

// status is how a test ended.
type status string

const (
	passed  status = "PASS"
	failed  status = "FAIL"
	skipped status = "SKIP"
	missing status = "" // it did not end, or was not run
)

// outcome is how a test ended on a backend, and what it said.
type outcome struct {
	status
	text string
}

// row is a test's outcomes.
type row struct {
	pkg, test string
	got, want outcome
	refused   string // what the backend lacks
}

// exceptions lists tests that are about something that a backend may lack or do otherwise.
var exceptions = map[string]string{
	"pkg/core/graph TestDonate":                         "memory that GoMLX and the backend share",
	"backends/simplego TestExecSpecialOps_ConvertDType": "BF16 that truncates: weft rounds to nearest",
	"backends/simplego TestExecUnary_Exp":               "BF16 that truncates: weft rounds to nearest",
	"backends/simplego TestBackendIsSimpleGo":           "to be the backend in pure Go",
}

// lacking lists tests on devices of Vulkan and WebGPU that fail without a word of what is lacking.
var lacking = map[string]string{
	"pkg/core/graph TestTwoArgsOps":                     "division that rounds to nearest: Vulkan's and WebGPU's is within 2.5 units in the last place",
	"pkg/ml/layers TestRMSNorm":                         "division that rounds to nearest: Vulkan's and WebGPU's is within 2.5 units in the last place",
	"pkg/ml/context TestContextVariablesInitialization": "Float64", // it goes on without what the backend refused
}

// packagesOf lists the packages of GoMLX with tests of what backends compute. Of the examples they are those that need no data.
func (o *options) packagesOf(dir string) ([]string, error) {
	list, err := output(dir, "go", "list", "-mod=mod", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./pkg/...", "./backends/simplego",
		"./examples/ogbnmag/gnn", "./examples/ogbnmag/sampler")
	if err != nil {
		return nil, err
	}
	var out []string
	for p := range strings.FieldsSeq(list) {
		if p = strings.TrimPrefix(p, gomlxModule+"/"); o.packages.MatchString(p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// sources are GoMLX's packages in a folder, and the programs of their tests.
type sources struct{ dir string }

func (s sources) module() string           { return filepath.Join(s.dir, "gomlx") }
func (s sources) folder(pkg string) string { return filepath.Join(s.module(), pkg) }
func (s sources) program(pkg string) string {
	return filepath.Join(s.dir, "bin", strings.ReplaceAll(pkg, "/", "_")+".test")
}

// build builds the tests of a package. There is no program where it has none for this system.
func (s sources) build(pkg string) error {
	if err := os.MkdirAll(filepath.Join(s.dir, "bin"), 0o755); err != nil {
		return err
	}
	_, err := output(s.module(), "go", "test", "-mod=mod", "-vet=off", "-ldflags=-s -w", "-c", "-o", s.program(pkg), "./"+pkg)
	return err
}

// test runs everything and returns how many tests failed.
func (o *options) test() (int, error) {
	if o.dir == "" {
		dir, err := os.MkdirTemp("", "gomlx")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
		o.dir = dir
	}
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return 0, err
	}
	if o.kept, err = readReference(); err != nil {
		return 0, err
	}
	from := sources{dir}
	packages, err := o.prepare(from)
	if err != nil {
		return 0, err
	}
	var rows []row
	for _, p := range packages {
		if o.reference == "" && o.kept[p] == nil {
			fmt.Printf("%-45s left out: no outcomes are recorded\n", p)
			continue
		}
		if !o.built {
			if err := from.build(p); err != nil {
				return 0, err
			}
		}
		list, err := o.testPackage(from, p)
		if err != nil {
			return 0, err
		}
		rows = append(rows, list...)
	}
	if o.record {
		if err := o.writeReference(); err != nil {
			return 0, err
		}
	}
	if o.write != "" {
		if err := o.writeResults(o.write, rows); err != nil {
			return 0, err
		}
	}
	return o.report(rows), nil
}

// exception is what a test wants that the backend does not have, where the test does not say so.
func (o *options) exception(test string) string {
	if strings.HasPrefix(o.backend, "weft:vulkan") || strings.HasPrefix(o.backend, "weft:webgpu") {
		return cmp.Or(exceptions[test], lacking[test])
	}
	return exceptions[test]
}

// prepare lists the packages, the sources of which are then there.
func (o *options) prepare(s sources) ([]string, error) {
	if o.built {
		var list []string
		for p := range o.kept {
			if _, err := os.Stat(s.program(p)); err == nil && o.packages.MatchString(p) {
				list = append(list, p)
			}
		}
		slices.Sort(list)
		return list, nil
	}
	if err := prepare(s.module()); err != nil {
		return nil, err
	}
	return o.packagesOf(s.module())
}

// testPackage runs a package's tests on both backends.
func (o *options) testPackage(s sources, pkg string) ([]row, error) {
	exe, folder := s.program(pkg), s.folder(pkg)
	if _, err := os.Stat(exe); err != nil {
		return nil, nil
	}
	want, err := o.wanted(exe, folder, pkg)
	if err != nil {
		return nil, err
	}
	got, ended := o.outcomes(exe, folder, o.backend), map[string]string{}
	for test, r := range got {
		if why := refusal(r.text); why != "" && strings.Contains(r.text, "\npanic: ") {
			top, _, _ := strings.Cut(test, "/")
			ended[top] = why
		}
	}
	var rows []row
	for _, test := range slices.Sorted(keys(want, got)) {
		r := row{pkg: pkg, test: test, got: got[test], want: want[test]}
		top, _, _ := strings.Cut(test, "/")
		r.refused = cmp.Or(refusal(r.got.text), o.exception(pkg+" "+test))
		switch {
		case r.got.status == missing && got[top].status == skipped:
			r.got.status = skipped
		case r.got.status == missing: // the test ended before, perhaps in another part
			r.refused = cmp.Or(r.refused, ended[top], o.exception(pkg+" "+top))
		}
		rows = append(rows, r)
	}
	count := map[status]int{}
	for _, r := range rows {
		count[r.got.status]++
	}
	fmt.Printf("%-45s %d passed, %d failed, %d skipped, %d missing\n", pkg, count[passed], count[failed], count[skipped], count[missing])
	return rows, nil
}

// wanted are the outcomes on the reference: recorded ones, unless it is to run.
func (o *options) wanted(exe, folder, pkg string) (map[string]outcome, error) {
	if o.reference != "" {
		want := o.outcomes(exe, folder, o.reference)
		list := map[string]status{}
		for test, r := range want {
			list[test] = r.status
		}
		o.kept[pkg] = list
		return want, nil
	}
	want := map[string]outcome{}
	for test, s := range o.kept[pkg] {
		top, _, _ := strings.Cut(test, "/") // which -run chooses
		if m, err := regexp.MatchString(o.run, top); err != nil || m {
			want[test] = outcome{status: s}
		}
	}
	return want, nil
}

func keys(maps ...map[string]outcome) func(yield func(string) bool) {
	all := map[string]bool{}
	for _, m := range maps {
		for k := range m {
			all[k] = true
		}
	}
	return func(yield func(string) bool) {
		for k := range all {
			if !yield(k) {
				return
			}
		}
	}
}

var (
	begin = regexp.MustCompile(`\x16=== (?:RUN|CONT|NAME)\s+(\S+)`)
	end   = regexp.MustCompile(`\x16?\s*--- (PASS|FAIL|SKIP): (\S+)`)
)

// outcomes runs a package's tests on a backend, each in a process of its own, since many tests panic where they fail.
func (o *options) outcomes(exe, folder, backend string) map[string]outcome {
	all := map[string]outcome{}
	list, err := output(folder, exe, "-test.list="+cmp.Or(o.run, "."))
	if err != nil {
		return all
	}
	var mu sync.Mutex
	var jobs errgroup.Group
	jobs.SetLimit(o.jobs)
	for test := range strings.FieldsSeq(list) {
		if !strings.HasPrefix(test, "Test") || o.skip.String() != "" && o.skip.MatchString(test) {
			continue
		}
		jobs.Go(func() error {
			r := runTest(exe, folder, backend, test)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(all, r)
			return nil
		})
	}
	_ = jobs.Wait()
	return all
}

// runTest runs one test and returns its outcome and those of its parts.
func runTest(exe, folder, backend, test string) map[string]outcome {
	all := map[string]outcome{}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "-test.v=test2json", "-test.run=^"+test+"$")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOMLX_BACKEND="+backend)
	raw, _ := cmd.CombinedOutput()
	current, text := test, map[string]*strings.Builder{test: {}}
	all[test] = outcome{}
	for line := range strings.Lines(string(raw)) {
		if m := begin.FindStringSubmatch(line); m != nil {
			current = m[1]
		}
		if text[current] == nil {
			text[current] = &strings.Builder{}
			all[current] = outcome{}
		}
		text[current].WriteString(line)
		if m := end.FindStringSubmatch(line); m != nil && strings.HasPrefix(m[2], test) {
			all[m[2]] = outcome{status: status(m[1])}
		}
	}
	for name, b := range text {
		r := all[name]
		r.text = strings.ReplaceAll(b.String(), "\x16", "")
		all[name] = r
	}
	return all
}

// refused finds in what a test says that the backend lacks something.
var refused = []*regexp.Regexp{
	regexp.MustCompile(`weft: (\w+): (?:.*: )?` + regexp.QuoteMeta(notimplemented.NotImplementedError.Error())),
	regexp.MustCompile(`weft: \w+: \S+ has no elements of (\w+)`),
}

func refusal(text string) string {
	for _, r := range refused {
		if m := r.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	switch {
	case strings.Contains(text, "not *simplego."):
		return "the types of the backend in pure Go"
	case strings.Contains(text, "there are no shared buffers"):
		return exceptions["pkg/core/graph TestDonate"]
	}
	return ""
}
