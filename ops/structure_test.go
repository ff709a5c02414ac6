package ops_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// structuresFile holds the structure of kernels whose text is longer than a person reviews.
var structuresFile = filepath.Join("testdata", "structures.txt")

// longestText is how many lines a golden text has at most.
const longestText = 250

// goldenText compares the text of a kernel with the file of its name or, if it is long, its structure and its digest with
// its section of structuresFile.
func goldenText(t *testing.T, name string, a *compile.Artifact) {
	t.Helper()
	if a.Source.Language == target.CUDA {
		checkHelperNames(t, name, a.Source.Text)
	}
	if strings.Count(a.Source.Text, "\n") <= longestText {
		golden(t, name, a.Source.Text)
		return
	}
	k, err := simt.Parse(a.SimtIR())
	if err != nil {
		t.Fatal(err)
	}
	all := readStructures(t)
	want, got := all[name], structureOf(k, positions.ReplaceAllString(a.Source.Text, ".go"))
	diff := cmp.Diff(want, got)
	switch {
	case diff == "":
	case *update:
		fmt.Printf("%s: (-before +now)\n%s", name, diff)
		all[name] = got
		writeStructures(t, all)
	default:
		t.Errorf("%s in %s differs; go test ./ops -run Goldens -update rewrites it:\n%s", name, structuresFile, diff)
	}
}

// helperNames finds what the emitted texts declare in addition to the kernel: functions and types.
var helperNames = regexp.MustCompile(`(?m)^(?:__device__ inline .*?(\w+)\(|struct (?:alignas\(\d+\) )?(\w+) \{)`)

// checkHelperNames demands that no kernel takes the name of what a text declares, or it would hide it.
func checkHelperNames(t *testing.T, name, text string) {
	t.Helper()
	for _, names := range helperNames.FindAllStringSubmatch(text, -1) {
		if declared := names[1] + names[2]; cuda.EntryName(declared) == declared {
			t.Errorf("%s: %s may be the name of something else, too", name, declared)
		}
	}
}

// structureOf says how a kernel is made: its launch and shared memory, and its blocks with what ops they have, how many of
// each kind; and the length and the digest of its text, which any change of what is emitted changes.
func structureOf(k *simt.Func, text string) []string {
	lines := []string{fmt.Sprintf("text: %d lines, sha256 %x", strings.Count(text, "\n"), sha256.Sum256([]byte(text)))}
	lines = append(lines, fmt.Sprintf("threads: %d, producers %d, consumers %d, cluster %d, resident %d, registers %d and %d",
		k.Threads, k.Producers, k.Consumers, k.Cluster, k.Resident, k.Registers.Producer, k.Registers.Consumer))
	lines = append(lines, fmt.Sprintf("shared: %d bytes", k.SharedBytes()))
	for _, s := range k.Shared {
		lines = append(lines, fmt.Sprintf("    %s: %d %v, stages %d, arrivals %d", s.Name, s.Len, s.Elem, s.Stages, s.Arrivals))
	}
	return append(lines, blockStructure("body", k.Body, "")...)
}

func blockStructure(what string, b *simt.Block, indent string) []string {
	values, others := map[string]int{}, map[string]int{}
	var inner []string
	for _, op := range b.Ops {
		switch {
		case op.Body != nil:
			for i, body := range op.Blocks() {
				inner = append(inner, blockStructure([]string{op.Kind.String(), op.Kind.String() + " else"}[i], body, indent+"    ")...)
			}
		case op.Kind.IsPure():
			values[op.Kind.String()]++
		default:
			name := op.Kind.String()
			if r := op.Result(); r != nil && r.Type.Width > 1 {
				name += " " + r.Type.String()
			}
			others[name]++
		}
	}
	lines := []string{indent + what + ":" + counts(others)}
	if len(values) > 0 {
		lines = append(lines, indent+"    values:"+counts(values))
	}
	return append(lines, inner...)
}

func counts(of map[string]int) (text string) {
	for i, name := range slices.Sorted(maps.Keys(of)) {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %d %s", of[name], name)
	}
	return text
}

// readStructures reads the sections of structuresFile, each a name and lines that are indented.
func readStructures(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(structuresFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	all, name := map[string][]string{}, ""
	for _, line := range strings.Split(string(text), "\n") {
		if section, ok := strings.CutPrefix(line, "    "); ok {
			all[name] = append(all[name], section)
		} else {
			name = line
		}
	}
	return all
}

func writeStructures(t *testing.T, all map[string][]string) {
	t.Helper()
	text := ""
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text += name + "\n    " + strings.Join(all[name], "\n    ") + "\n\n"
	}
	if err := os.WriteFile(structuresFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
