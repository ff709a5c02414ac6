package ops_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/ops"
)

// unlisted are ops that lack something, with the reason.
var unlisted = map[string]map[string]string{
	"badOps": {"QuantizeWith": "its rows are among those of quantize"},
	"bench": {
		"Transpose":    "the work is that of Permute, which it calls as Permute does",
		"QuantizeWith": "the second half of Quantize",
	},
}

// Every op, that is a function F beside which there is FInto, is in the table of bad input, has a case in the conformance
// suite and a work in the benchmarks, and is named by the package's and the project's documentation.
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
	conformance, bench := used(t, "../backend/backendtest"), used(t, "../bench/suite")
	doc, readme := text(t, "doc.go"), text(t, "../README.md")

	n := 0
	for name := range functions {
		if !functions[name+"Into"] && name != "QuantizeWith" {
			continue
		}
		n++
		for place, found := range map[string]bool{
			"badOps":                     bad[plain(name)],
			"backend/backendtest":        conformance[name] || table[plain(name)],
			"bench":                      bench[name] || table[plain(name)],
			"ops/doc.go":                 slices.Contains(words(doc), name),
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

// used are the functions of package ops that a package names; F stands for FInto, too.
func used(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range sources(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "ops" {
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

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') })
}
