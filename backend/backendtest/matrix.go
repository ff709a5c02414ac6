package backendtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
)

// MatrixEnv names a folder where each run leaves what it checked, as a file of JSON. The
// command backend/backendtest/matrix makes the table in docs/conformance.md of such files,
// which may come from several machines.
const MatrixEnv = "WEFT_MATRIX"

// Forms are the families of layouts, by name.
func Forms() []string {
	var names []string
	for _, f := range append(forms, repeated) {
		names = append(names, string(f))
	}
	return names
}

// Matrix is what one run of the suite checked on one device.
type Matrix struct {
	Backend, Device, Driver string
	Full                    bool     // the full suite
	Partial                 bool     `json:",omitempty"` // -run left out cases
	Failed                  []string `json:",omitempty"` // cases, which count for nothing
	// Ran has, for what cases say they check or else their names, the element types and the
	// layouts, separated by spaces, of tensors that took part where results were right.
	Ran map[string]map[string]string
	// Golden has, for each family of package golden, the cases that results were held to.
	Golden map[string]string `json:",omitempty"`
}

func newMatrix(dev *weft.Device, full bool) *Matrix {
	i := dev.Info()
	return &Matrix{Backend: i.Backend, Device: i.Name, Driver: i.Driver, Full: full, Ran: map[string]map[string]string{}, Golden: map[string]string{}}
}

// part is a tensor that takes part in a comparison.
type part struct {
	elem weft.DType
	form form
}

// trace is what a case did so far.
type trace struct {
	label    string
	parts    []part // of the comparison that comes next, or came last
	compared bool   // the parts have been
	done     map[string]map[part]bool
	golden   [][2]string // families and cases that came out right
}

func newTrace(label string) *trace { return &trace{label: label, done: map[string]map[part]bool{}} }

// op says which function of package ops the comparisons that follow are about. A
// case whose name begins with the function's need not say it.
func (s *suite) op(name string) { s.trace.label = name }

// part notes a tensor that was made for the comparison to come.
func (tr *trace) part(elem weft.DType, f form) {
	if tr.compared {
		tr.parts, tr.compared = nil, false
	}
	tr.parts = append(tr.parts, part{elem, cmp.Or(f, dense)})
}

// right notes that a result was what it should be.
func (tr *trace) right() {
	tr.compared = true
	if tr.done[tr.label] == nil {
		tr.done[tr.label] = map[part]bool{}
	}
	for _, p := range tr.parts {
		tr.done[tr.label][p] = true
	}
}

// add adds what a case did, unless it failed.
func (m *Matrix) add(name string, tr *trace, failed bool) {
	if failed {
		m.Failed = append(m.Failed, name)
		return
	}
	for label, parts := range tr.done {
		if m.Ran[label] == nil {
			m.Ran[label] = map[string]string{}
		}
		types := m.Ran[label]
		for p := range parts {
			addWord(types, p.elem.String(), string(p.form))
		}
	}
	for _, c := range tr.golden {
		addWord(m.Golden, c[0], c[1])
	}
}

// addWord adds a word to the sorted words of a key.
func addWord(m map[string]string, key, word string) {
	words := strings.Fields(m[key])
	if at, found := slices.BinarySearch(words, word); !found {
		m[key] = strings.Join(slices.Insert(words, at, word), " ")
	}
}

// write leaves the matrix in the folder of MatrixEnv, if there is one.
func (m *Matrix) write(t *testing.T) {
	t.Helper()
	folder := os.Getenv(MatrixEnv)
	if folder == "" {
		return
	}
	data, err := json.MarshalIndent(m, "", "\t")
	if err == nil {
		err = os.MkdirAll(folder, 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, m.file()), append(data, '\n'), 0o666)
	}
	if err != nil {
		t.Errorf("%s: %v", MatrixEnv, err)
	}
}

// file names the backend and, for GPUs and their software, the first words of the device's name.
func (m *Matrix) file() string {
	if m.Backend == "cpu" {
		return "cpu.json"
	}
	name, _, _ := strings.Cut(strings.ToLower(m.Device), "(")
	return strings.Join(append([]string{m.Backend}, strings.Fields(name)...), "-") + ".json"
}

// String lists what ran, one line a label.
func (m *Matrix) String() string {
	text := ""
	for _, label := range slices.Sorted(maps.Keys(m.Ran)) {
		text += label + ":"
		for _, elem := range slices.Sorted(maps.Keys(m.Ran[label])) {
			text += fmt.Sprintf(" %s[%s]", elem, m.Ran[label][elem])
		}
		text += "\n"
	}
	return text
}
