package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weftgpu/weft/backend/backendtest"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/reference/golden"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

// run writes the table of the repository at root.
func run(root string) error {
	text, err := page(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "conformance.md"), []byte(text), 0o666)
}

// page is the text of docs/conformance.md.
func page(root string) (string, error) {
	ops, err := opsIn(filepath.Join(root, "ops"))
	if err != nil {
		return "", err
	}
	runs, err := read(filepath.Join(root, "docs", "conformance"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head)
	for _, m := range runs {
		section(&b, ops, m)
	}
	return b.String(), nil
}

const head = `# Conformance

What the conformance suite (package backend/backendtest) checked where: every function of package ops, each element
type, and the layouts of its operands and results. A letter stands for a right result with a tensor so laid out: **d**ense,
**t**ransposed, **s**liced (with padding and an odd offset), st**e**pped (every second element, backwards), **b**roadcast; a dot for
none. An empty field was not checked or is not supported; an empty row is an op without a case. The quick form takes fewer cases on
GPUs than on the CPU: where it says "5 of 11", five were run, and the results of all five were right. What failed would be listed.

This page is made by ` + "`go run ./backend/backendtest/matrix`" + ` of the files in docs/conformance; do not edit it.
`

// letters stand for the families of layouts, in order.
var letters = map[string]string{"dense": "d", "transposed": "t", "sliced": "s", "stepped": "e", "broadcast": "b"}

// section prints one run.
func section(b *strings.Builder, ops []string, m backendtest.Matrix) {
	form := "quick form"
	if m.Full {
		form = "full form"
	}
	if m.Partial {
		form += ", some cases left out"
	}
	fmt.Fprintf(b, "\n## %s: %s\n\n%s; %s.", m.Backend, m.Device, cmp.Or(m.Driver, "no driver"), form)
	if len(m.Failed) > 0 {
		fmt.Fprintf(b, " **Failed**: %s.", strings.Join(m.Failed, ", "))
	}
	fmt.Fprint(b, "\n\n")
	table(b, ops, m)
	goldens(b, m)
}

// table has a row for each op and a column for each element type.
func table(b *strings.Builder, ops []string, m backendtest.Matrix) {
	checked := merge(ops, m)
	fmt.Fprint(b, "| op |")
	for _, elem := range dtype.All() {
		fmt.Fprintf(b, " %v |", elem)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(dtype.All())))
	for _, op := range ops {
		fmt.Fprintf(b, "| %s |", op)
		for _, elem := range dtype.All() {
			fmt.Fprintf(b, " %s |", cell(checked[op][elem.String()]))
		}
		fmt.Fprintln(b)
	}
}

// goldens counts the cases of other libraries, by family.
func goldens(b *strings.Builder, m backendtest.Matrix) {
	var counts []string
	for _, family := range golden.Families() {
		cases, _ := golden.Cases(family) // its own tests read them all
		counts = append(counts, fmt.Sprintf("%s %d of %d", family, len(strings.Fields(m.Golden[family])), len(cases)))
	}
	fmt.Fprintf(b, "\nCases of NumPy, SciPy, PyTorch and ml_dtypes that results were held to: %s.\n", strings.Join(counts, ", "))
}

// merge sorts what a run checked by op: of the op that a label names, or with which a
// case's name begins.
func merge(ops []string, m backendtest.Matrix) map[string]map[string]string {
	checked := map[string]map[string]string{}
	for label, types := range m.Ran {
		op := opOf(ops, label)
		if checked[op] == nil {
			checked[op] = map[string]string{}
		}
		for elem, forms := range types {
			checked[op][elem] += " " + forms
		}
	}
	return checked
}

// opOf is the op that a label is, in either way of writing (GELUTanh, gelu_tanh), or else the
// longest that it begins with.
func opOf(ops []string, label string) (op string) {
	for _, name := range ops {
		if strings.EqualFold(strings.ReplaceAll(label, "_", ""), name) {
			return name
		}
	}
	for _, name := range ops {
		if rest, ok := strings.CutPrefix(label, name); ok && len(name) > len(op) && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			op = name
		}
	}
	return op
}

// cell has a letter for each layout.
func cell(forms string) (text string) {
	have := strings.Fields(forms)
	if len(have) == 0 {
		return ""
	}
	for _, f := range backendtest.Forms() {
		if slices.Contains(have, f) {
			text += letters[f]
		} else {
			text += "·"
		}
	}
	return text
}

// read reads the files of runs, in order of their names.
func read(folder string) (runs []backendtest.Matrix, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var m backendtest.Matrix
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		runs = append(runs, m)
	}
	return runs, nil
}

// opsIn lists the ops of a package: its functions that return a result, by a pointer, and an
// error. What is called New makes an argument.
func opsIn(folder string) (ops []string, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() && !strings.HasPrefix(f.Name.Name, "New") && (returnsResult(f.Type.Results) || writesAlone(f)) {
				ops = append(ops, f.Name.Name)
			}
		}
	}
	slices.Sort(ops)
	return ops, nil
}

// returnsResult reports whether results are one or more pointers and then an error.
func returnsResult(results *ast.FieldList) bool {
	if results.NumFields() < 2 {
		return false
	}
	_, pointer := results.List[0].Type.(*ast.StarExpr)
	last, isName := results.List[len(results.List)-1].Type.(*ast.Ident)
	return pointer && isName && last.Name == "error"
}

// writesAlone reports whether a function writes into a tensor that is given and has no form that returns a new one.
func writesAlone(f *ast.FuncDecl) bool {
	if f.Type.Results.NumFields() != 1 || strings.HasSuffix(f.Name.Name, "Into") {
		return false
	}
	result, isName := f.Type.Results.List[0].Type.(*ast.Ident)
	return isName && result.Name == "error"
}
