package main

import (
	"cmp"
	"fmt"
	"strings"
)

// verdict is what a test says about a backend.
type verdict int

const (
	agrees  verdict = iota // it passes
	refuses                // it needs an op or a type that the backend does not have
	differs                // it fails, and passes on the reference
	neither                // it fails, or is skipped, on both
	more                   // it passes, and fails on the reference
	verdicts
)

func (r row) verdict() verdict {
	switch {
	case r.got.status == passed && r.want.status == passed:
		return agrees
	case r.got.status == passed:
		return more
	case r.got.status == skipped, r.want.status != passed:
		return neither
	case r.refused != "":
		return refuses
	}
	return differs
}

// parents are tests of which a part is in rows, too: they fail if it does.
func parents(rows []row) map[string]bool {
	set := map[string]bool{}
	for _, r := range rows {
		for i, c := range r.test {
			if c == '/' {
				set[r.pkg+" "+r.test[:i]] = true
			}
		}
	}
	return set
}

// report prints what differs and returns how many tests do.
func (o *options) report(rows []row) int {
	above := parents(rows)
	var count [verdicts]int
	for _, r := range rows {
		v := r.verdict()
		if above[r.pkg+" "+r.test] && v != agrees {
			continue // its parts tell
		}
		count[v]++
		if v == differs || v == refuses || o.verbose && v == neither {
			fmt.Printf("%s %s: %s on %s, %s on %s %s\n", r.pkg, r.test, r.got.status, o.backend, r.want.status, o.other(), r.refused)
		}
		if v == differs && o.verbose {
			fmt.Println(indent(r.got.text))
		}
	}
	fmt.Printf("%d passed, %d more than on %s, %d refused, %d failed, %d on neither\n", count[agrees], count[more], o.other(), count[refuses], count[differs], count[neither])
	return count[differs]
}

// indent is the part of a text that says what is wrong.
func indent(text string) string {
	const most = 30
	lines := strings.Split(text, "\n")
	if len(lines) > most {
		lines = append(lines[:most:most], "…")
	}
	return "\t" + strings.Join(lines, "\n\t")
}

// other names the reference.
func (o *options) other() string { return cmp.Or(o.reference, "go") }
