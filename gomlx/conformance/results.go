package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// resultsFile is written by -write, in the folder conformance: what is known of each package, of this run or an earlier one.
const resultsFile = "conformance/results.json"

// result is what a package's tests say about a backend.
type result struct {
	Passed, More, Refused, Failed, Neither int
	Lacks                                  [][2]string `json:",omitempty"` // tests that are refused, with what the backend lacks
}

// results are those of packages by backend.
type results map[string]map[string]*result

func (r *result) add(x *result) {
	r.Passed, r.More, r.Refused, r.Failed, r.Neither = r.Passed+x.Passed, r.More+x.More, r.Refused+x.Refused, r.Failed+x.Failed, r.Neither+x.Neither
}

// cells are the counts as cells of a table.
func (r *result) cells() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d |", r.Passed, r.More, r.Refused, r.Failed, r.Neither)
}

const header = "passed | of them failing in pure Go | refused | failed | skipped, or failing on both |\n|---|---|---|---|---|---|\n"

// count sorts the tests of a run by package.
func count(rows []row) map[string]*result {
	above, list := parents(rows), map[string]*result{}
	for _, r := range rows {
		v := r.verdict()
		if above[r.pkg+" "+r.test] && v != agrees {
			continue // its parts tell
		}
		c := list[r.pkg]
		if c == nil {
			c = &result{}
			list[r.pkg] = c
		}
		switch v {
		case agrees:
			c.Passed++
		case more:
			c.Passed, c.More = c.Passed+1, c.More+1
		case refuses:
			c.Refused++
			c.Lacks = append(c.Lacks, [2]string{r.test, r.refused})
		case differs:
			c.Failed++
		case neither:
			c.Neither++
		}
	}
	return list
}

// writeResults adds the packages of this run to what is known, and writes the tables of both pages in a folder.
func (o *options) writeResults(folder string, rows []row) error {
	soFar, err := os.ReadFile(resultsFile)
	if err != nil {
		return err
	}
	all := results{}
	if err := json.Unmarshal(soFar, &all); err != nil {
		return err
	}
	if all[o.backend] == nil {
		all[o.backend] = map[string]*result{}
	}
	maps.Copy(all[o.backend], count(rows))
	raw, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile, append(raw, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "gomlx-tests.md"), []byte(all.page()), 0o644); err != nil {
		return err
	}
	return replacePart(filepath.Join(folder, "gomlx.md"), all.summary())
}

// page has all packages and what is refused.
func (all results) page() string {
	var b strings.Builder
	b.WriteString("# GoMLX's tests\n\nWhat GoMLX's own tests say about weft; [GoMLX on weft](gomlx.md#gomlxs-own-tests) says how they run. `go run ./conformance -write ../docs` writes this page.\n")
	for _, backend := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "\n## %s\n\n| package | %s", backend, header)
		lacks := ""
		for _, p := range slices.Sorted(maps.Keys(all[backend])) {
			r := all[backend][p]
			fmt.Fprintf(&b, "| %s | %s\n", p, r.cells())
			for _, l := range r.Lacks {
				lacks += fmt.Sprintf("| %s | %s | %s |\n", p, l[0], l[1])
			}
		}
		if lacks != "" {
			b.WriteString("\nRefused, with what the backend lacks or the test wants:\n\n| package | test | |\n|---|---|---|\n" + lacks)
		}
	}
	return b.String()
}

// parts are the groups of packages of the summary; a package is in the first one that its name starts with.
var parts = []string{"pkg/core/graph", "pkg/core", "pkg/ml/context", "pkg/ml/layers", "pkg/ml", "pkg/support", "backends/simplego", "examples"}

// summary has the packages in groups.
func (all results) summary() string {
	var b strings.Builder
	for _, backend := range slices.Sorted(maps.Keys(all)) {
		groups := make([]result, len(parts))
		for p, r := range all[backend] {
			for i, part := range parts {
				if strings.HasPrefix(p, part) {
					groups[i].add(r)
					break
				}
			}
		}
		fmt.Fprintf(&b, "| packages on %s | %s", backend, header)
		for i, part := range parts {
			if c := groups[i].cells(); groups[i].Passed > 0 {
				fmt.Fprintf(&b, "| %s | %s\n", part, c)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// replacePart writes text between the marks of a page.
func replacePart(file, text string) error {
	const begin, end = "<!-- conformance: go run ./conformance -write ../docs -->\n", "<!-- conformance ends -->\n"
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(raw, []byte(begin))
	_, after, ends := bytes.Cut(rest, []byte(end))
	if !found || !ends {
		return fmt.Errorf("%s has no part between %s and %s", file, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(file, slices.Concat(before, []byte(begin+text+end), after), 0o644)
}
