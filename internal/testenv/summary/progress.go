package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// running is a package whose tests run.
type running struct {
	since, last time.Time // when it began, and when it said something last
	test        string    // that began last
}

// progress is what has been done and what is being done, by the events so far.
type progress struct {
	now      func() time.Time
	start    time.Time
	packages int // in all, 0 if unknown
	done     int
	tests    int // that ended
	running  map[string]*running
}

func newProgress(packages int, now func() time.Time) *progress {
	return &progress{now: now, start: now(), packages: packages, running: map[string]*running{}}
}

func (p *progress) take(e event) {
	if e.Package == "" {
		return
	}
	now, ended := p.now(), e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
	switch {
	case e.Test == "" && ended:
		delete(p.running, e.Package)
		p.done++
		return
	case e.Action == "start":
		p.running[e.Package] = &running{since: now}
	case e.Test != "" && ended:
		p.tests++
	}
	r := p.running[e.Package]
	if r == nil { // output without a start: the package did not build, or has no tests
		return
	}
	r.last = now
	if e.Action == "run" {
		r.test = e.Test
	}
}

// String says what goes on, in one line.
func (p *progress) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d", clock(p.now().Sub(p.start)), p.done)
	if p.packages > 0 {
		fmt.Fprintf(&b, " of %d", p.packages)
	}
	fmt.Fprintf(&b, " packages and %d tests done; ", p.tests)
	if len(p.running) == 0 {
		b.WriteString("compiling")
		return b.String()
	}
	b.WriteString("running ")
	for i, name := range slices.Sorted(maps.Keys(p.running)) {
		r := p.running[name]
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s (%s)", short(name), r.test, clock(p.now().Sub(r.since)))
	}
	return b.String()
}

// stalled lists the packages whose tests began and have said nothing for longer than a limit. What
// is still being compiled has no limit: compilers end, on a slow machine later.
func (p *progress) stalled(limit time.Duration) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p.running)) {
		if r := p.running[name]; limit > 0 && p.now().Sub(r.last) > limit {
			names = append(names, fmt.Sprintf("%s %s", name, r.test))
		}
	}
	return names
}

// short is a package's name without its host and owner.
func short(name string) string {
	if parts := strings.SplitN(name, "/", 4); len(parts) == 4 {
		return parts[3]
	}
	return name
}

// clock writes a duration as minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
