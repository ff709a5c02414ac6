package ops_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// unlisted are ops that lack something, with the reason.
var unlisted = map[string]map[string]string{
	"badOps": {"QuantizeWith": "its rows are among those of quantize"},
}

// Every op, a function F for which there is an FInto, is in the table of bad input, has a case in the conformance
// suite, and is named by the package's and the project's documentation.
func TestOpsAreListed(t *testing.T) {
	functions := map[string]bool{}
	for _, f := range sources(t, ".") {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.IsExported() {
				functions[d.Name.Name] = true
			}
		}
	}
	bad := map[string]bool{}
	for _, o := range badOps {
		bad[plain(o.op)] = true
	}
	table := map[string]bool{}
	for _, o := range ops.Elementwise() {
		table[plain(o.Name)] = true
	}
	conformance := taken(t, "../backend/backendtest")
	doc, readme := listed(t), text(t, "../README.md")

	n := 0
	for name := range functions {
		if !functions[name+"Into"] && name != "QuantizeWith" {
			continue
		}
		n++
		for place, found := range map[string]bool{
			"badOps":                     bad[plain(name)],
			"backend/backendtest":        conformance[name] || table[plain(name)],
			"ops/doc.go":                 slices.Contains(doc, name),
			"the table of ops in README": strings.Contains(readme, "`"+name+"`"),
		} {
			if reason := unlisted[place][name]; found == (reason != "") {
				t.Errorf("%s and %s: found %v, reason not to be %q", name, place, found, reason)
			}
		}
	}
	if n < 60 {
		t.Errorf("%d ops", n)
	}
}

// Every declaration is among those by which bad input is made.
func TestDeclarationsHaveBadInput(t *testing.T) {
	listed := text(t, "export_test.go")
	own := map[string]string{"products": "its inputs follow from the call", "einsums": "likewise", "dequantizing": "likewise", "rounding": "it is the second half of quantizing"}
	n := 0
	for _, f := range sources(t, ".") {
		ast.Inspect(f, func(node ast.Node) bool {
			v, ok := node.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				return true
			}
			if call, ok := v.Values[0].(*ast.CallExpr); ok && fmt.Sprint(call.Fun) == "declare" {
				n++
				if name := v.Names[0].Name; strings.Contains(listed, "declared("+name+", ") == (own[name] != "") {
					t.Errorf("%s is not listed, or has no reason to be left out", name)
				}
			}
			return true
		})
	}
	if bad := ops.Declarations(); n < 10 || len(bad) < 19 {
		t.Errorf("%d declarations of %d ops", n, len(bad))
	}
}

// listed are the names that the tables of the package's documentation begin their lines with.
func listed(t *testing.T) (names []string) {
	t.Helper()
	for line := range strings.Lines(text(t, "doc.go")) {
		if row, ok := strings.CutPrefix(line, "//\t"); ok {
			name, what, _ := strings.Cut(row, " ")
			if strings.TrimSpace(what) == "" {
				t.Errorf("doc.go says nothing of %s", name)
			}
			names = append(names, name)
		}
	}
	return names
}

// The tables of ops and of options in doc.go list every function that a call is made of, each once, and no other.
func TestContents(t *testing.T) {
	want := map[string]bool{}
	for _, f := range sources(t, ".") {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if ok && d.Recv == nil && d.Name.IsExported() && !strings.HasSuffix(d.Name.Name, "Into") {
				want[d.Name.Name] = true
			}
		}
	}
	for _, name := range []string{
		"Elementwise",  // for tools
		"NewCodeBook",  // makes a part of a scheme
		"NewQuantized", // makes an operand
		"Philox",       // for kernels
	} {
		if !want[name] {
			t.Errorf("%s is no function", name)
		}
		delete(want, name)
	}
	for _, name := range listed(t) {
		if !want[name] {
			t.Errorf("doc.go lists %s twice, or there is no such function", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("doc.go does not list %s", name)
	}
}

// The declarations of functions name a type by the package's own name for it, where it has one.
func TestOwnNamesOfTypes(t *testing.T) {
	files, aliases := sources(t, "."), map[string]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.TypeSpec); ok && d.Assign.IsValid() {
				aliases[d.Name.Name] = true
			}
			return true
		})
	}
	if len(aliases) < 2 {
		t.Fatalf("aliases %v", aliases)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(d.Type, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && aliases[s.Sel.Name] {
					t.Errorf("%s has the type of another package, %s", d.Name.Name, s.Sel.Name)
				}
				return true
			})
		}
	}
}

// plain is a name as neither Go nor errors write it: in small letters alone.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// sources parses a package, tests left out.
func sources(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(dir, err)
	}
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// taken are the ops that a suite takes: functions of package ops that it names, where F stands for FInto, too, and those of the catalog's
// tables that it names.
func taken(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names, tables := used(t, dir, "ops"), used(t, dir, "catalog")
	if tables["AllReductions"] {
		for _, r := range catalog.AllReductions {
			names[r.Function] = true
		}
	}
	if tables["Softmaxes"] {
		for _, f := range catalog.Softmaxes {
			names[f.Function] = true
		}
	}
	return names
}

// used are the names of a package that those in a folder use, without the ending Into.
func used(t *testing.T, dir, pkg string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range sources(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
					names[strings.TrimSuffix(s.Sel.Name, "Into")] = true
				}
			}
			return true
		})
	}
	return names
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
