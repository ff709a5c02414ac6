package main

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/weftgpu/weft/internal/testenv"
)

// suite is the test that runs the conformance suite, with a subtest for each device.
const suite = "TestConformance"

// counts is how many tests, those with subtests left out, ended how.
type counts struct{ pass, fail, skip int }

func (c *counts) add(state string) {
	switch state {
	case "pass":
		c.pass++
	case "skip":
		c.skip++
	default:
		c.fail++
	}
}

func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.pass, c.fail, c.skip)
}

// report prints the summary and says whether all is well.
func (r *run) report(require []string) bool {
	var all counts
	for _, t := range r.tests {
		if !t.hasSub {
			all.add(t.state)
		}
	}
	r.printDevices()
	r.printList("Slowest tests", r.slowest())
	r.printList("Said by tests", r.notes())
	r.printList("Skipped", r.skips())

	missing := r.missing(require)
	r.printList("Required but not run", missing)
	var failed []string
	for _, t := range r.tests {
		if t.state != "pass" && t.state != "skip" && !t.hasSub {
			failed = append(failed, t.pkg+" "+t.name)
		}
	}
	r.printList("Failed", append(failed, r.untested()...))
	r.printList("Stopped, because no test said anything for too long", r.gaveUp)
	unfinished := slices.Sorted(maps.Keys(r.running))
	r.printList("Not finished", unfinished)
	if r.passed+len(r.broken) == 0 {
		r.printList("Failed", []string{"no package with tests ran"})
	}
	ok := all.fail == 0 && len(r.broken) == 0 && len(missing) == 0 && r.passed > 0 && len(unfinished) == 0
	if ok && r.exited != "" {
		r.printList("Failed", []string{"the command itself: " + r.exited})
		ok = false
	}
	fmt.Fprintf(r.out, "\nTests: %v; packages: %d passed, %d failed\n", all, r.passed, len(r.broken))
	return ok
}

// untested lists failed packages without a failed test: they did not build, or
// they crashed.
func (r *run) untested() []string {
	var pkgs []string
	for _, pkg := range r.broken {
		if !slices.ContainsFunc(r.tests, func(t *test) bool { return t.pkg == pkg && t.state == "fail" }) {
			pkgs = append(pkgs, pkg+" (did not build, or failed outside of a test)")
		}
	}
	return pkgs
}

// A device is one device on which the conformance suite ran.
type device struct {
	backend, name string
	counts
}

// devices lists the devices on which the conformance suite ran.
func (r *run) devices() []device {
	var list []device
	for _, t := range r.tests {
		parts := strings.SplitN(t.name, "/", 3)
		if len(parts) < 2 || parts[0] != suite || t.hasSub {
			continue
		}
		d := device{backend: path.Base(t.pkg), name: parts[1]}
		i := slices.IndexFunc(list, func(o device) bool { return o.backend == d.backend && o.name == d.name })
		if i < 0 {
			i, list = len(list), append(list, d)
		}
		list[i].add(t.state)
	}
	return list
}

func (r *run) printDevices() {
	var lines []string
	for _, d := range r.devices() {
		lines = append(lines, fmt.Sprintf("%-8s %s: %v", d.backend, d.name, d.counts))
	}
	r.printList("Conformance suite, by device", lines)
}

// missing lists the required backends without a device on which a test passed.
func (r *run) missing(require []string) []string {
	return slices.DeleteFunc(slices.Clone(require), func(name string) bool {
		return slices.ContainsFunc(r.devices(), func(d device) bool { return d.backend == name && d.pass > 0 })
	})
}

// slowest lists the tests that take most of the time.
func (r *run) slowest() []string {
	slow := slices.DeleteFunc(slices.Clone(r.tests), func(t *test) bool { return t.hasSub || t.seconds < 5 })
	slices.SortStableFunc(slow, func(a, b *test) int { return cmp.Compare(b.seconds, a.seconds) })
	var lines []string
	for _, t := range slow[:min(len(slow), 8)] {
		lines = append(lines, fmt.Sprintf("%5.0fs %s %s", t.seconds, t.pkg, t.name))
	}
	return lines
}

// notes lists what tests reported, each line once.
func (r *run) notes() []string {
	var lines []string
	for _, t := range r.tests {
		for _, line := range t.output {
			if _, note, ok := strings.Cut(line, testenv.Mark); ok && !slices.Contains(lines, strings.TrimSpace(note)) {
				lines = append(lines, strings.TrimSpace(note))
			}
		}
	}
	return lines
}

// skips lists the reasons for skipping with the tests that gave them.
func (r *run) skips() []string {
	var reasons []string
	tests := map[string][]string{}
	for _, t := range r.tests {
		if t.state != "skip" || t.hasSub {
			continue
		}
		reason := path.Base(t.pkg) + ": " + skipReason(t)
		if tests[reason] == nil {
			reasons = append(reasons, reason)
		}
		tests[reason] = append(tests[reason], t.name)
	}
	for i, reason := range reasons {
		names := tests[reason]
		reasons[i] = fmt.Sprintf("%s [%s]", reason, names[0])
		if len(names) > 1 {
			reasons[i] = fmt.Sprintf("%s [%s and %d more]", reason, names[0], len(names)-1)
		}
	}
	return reasons
}

// place is the "file.go:31: " that package testing puts before a log line.
var place = regexp.MustCompile(`^\s*\S+\.go:\d+: `)

// skipReason is what a skipped test said last, with the lines that continue it.
func skipReason(t *test) string {
	var reason []string
	for _, line := range slices.Backward(t.output) {
		reason = append(reason, strings.TrimSpace(place.ReplaceAllString(line, "")))
		if place.MatchString(line) {
			break
		}
	}
	if len(reason) == 0 {
		return "no reason given"
	}
	slices.Reverse(reason)
	return strings.Join(reason, " ")
}

func (r *run) printList(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(r.out, "\n%s:\n", title)
	for _, line := range lines {
		fmt.Fprintf(r.out, "  %s\n", line)
	}
}
