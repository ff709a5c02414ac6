package arch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/weftgpu/weft"

// A pkg is what `go list` says of one package.
type pkg struct {
	ImportPath string
	Imports    []string // direct, tests left out
	Deps       []string // all, direct or not
}

// platforms are the settings under which the module must build; build tags
// make each of them import other packages.
var platforms = [][]string{
	{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1"},
	{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"},
	{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1"},
	{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=1"},
	{"GOOS=js", "GOARCH=wasm"},
}

func TestImports(t *testing.T) {
	for _, env := range platforms {
		t.Run(strings.Join(env, ","), func(t *testing.T) {
			pkgs := goList(t, env)
			if len(pkgs) < 5 {
				t.Fatalf("go list found %d packages only", len(pkgs))
			}
			for _, fault := range check(table, bindings, pkgs) {
				t.Error(fault)
			}
		})
	}
}

// TestEveryPackage reads the tree itself: that finds packages whose build tags
// hide them from every platform, and it makes `go test` run again, not answer
// from its cache, when a file of the module changed.
func TestEveryPackage(t *testing.T) {
	dirs := sourceDirs(t)
	if len(dirs) < 5 {
		t.Fatalf("found %d packages only", len(dirs))
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if find(table, dir) == nil {
			t.Errorf("%s: no row in the table of layers", dir)
		}
		if !slices.Contains(dirs[dir], "doc.go") {
			t.Errorf("%s: no doc.go", dir)
		}
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		if seen[r.pkg] {
			t.Errorf("%s has two rows", r.pkg)
		}
		seen[r.pkg] = true
	}
}

// TestCheck proves that each rule can fail.
func TestCheck(t *testing.T) {
	rows := []row{
		{pkg: "fault"},
		{pkg: "low"},
		{pkg: "mid", may: []string{"low"}},
		{pkg: "top/...", may: []string{"mid"}, never: []string{"low"}},
		{pkg: "shut", only: []string{"mid"}},
		{pkg: "leaf", may: anything, only: nobody},
		{pkg: ".", may: anything},
	}
	bound := map[string][]string{"C": {"mid"}, "example.com/gpu": {"mid"}}
	p := func(path string, imports ...string) pkg {
		return pkg{ImportPath: path, Imports: imports, Deps: imports}
	}
	const m = module + "/"
	for _, c := range []struct {
		name string
		pkg  pkg
		want string // part of the only complaint; "" for none
	}{
		{"allowed", p(m+"mid", "fmt", m+"low", m+"fault", "C", "example.com/gpu/sub"), ""},
		{"below a pattern", p(m+"top/x", m+"mid"), ""},
		{"the root", p(module, m+"mid"), ""},
		{"not in may", p(m+"low", m+"mid"), "low imports mid"},
		{"not in may of a pattern", p(m+"top/x", m+"top/y"), "top/x imports top/y"},
		{"never, transitively", pkg{m + "top", []string{m + "mid"}, []string{m + "mid", m + "low"}}, "top reaches low"},
		{"a leaf imports the root", p(m+"fault", module), "fault imports ."},
		{"closed to others", p(module, m+"shut"), ". imports shut"},
		{"imported by none", p(module, m+"leaf"), ". imports leaf"},
		{"no row", p(m + "new"), "new: no row"},
		{"an import without a row", p(module, m+"new"), ". imports new"},
		{"cgo elsewhere", p(m+"low", "C"), "low imports C"},
		{"a binding elsewhere", p(m+"low", "example.com/gpu/sub"), "low imports example.com/gpu/sub"},
		{"an unknown module", p(m+"mid", "example.com/gpus"), "mid imports example.com/gpus"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := check(rows, bound, []pkg{c.pkg})
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// check compares packages with a table and says what is wrong.
func check(rows []row, bindings map[string][]string, pkgs []pkg) []string {
	var faults []string
	for _, p := range pkgs {
		self, r := short(p.ImportPath), find(rows, short(p.ImportPath))
		if r == nil {
			faults = append(faults, fmt.Sprintf("%s: no row in the table of layers", self))
			continue
		}
		for _, imp := range p.Imports {
			if why := refuse(rows, bindings, self, r, imp); why != "" {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", self, short(imp), why))
			}
		}
		for _, dep := range p.Deps {
			if ours(dep) && matches(r.never, short(dep)) {
				faults = append(faults, fmt.Sprintf("%s reaches %s: never, not even through other packages", self, short(dep)))
			}
		}
	}
	return faults
}

// refuse says why a package with row r may not import imp directly, or "".
func refuse(rows []row, bindings map[string][]string, self string, r *row, imp string) string {
	if !ours(imp) {
		return refuseForeign(bindings, self, imp)
	}
	to := short(imp)
	target := find(rows, to)
	switch {
	case target == nil:
		return "it has no row in the table of layers"
	case !matches(r.may, to) && !slices.Contains(shared, to):
		return "not in its row of the table of layers"
	case target.only != nil && !matches(target.only, self):
		return fmt.Sprintf("only %v may", target.only)
	}
	return ""
}

// refuseForeign is refuse for the standard library, cgo and other modules.
func refuseForeign(bindings map[string][]string, self, imp string) string {
	if first, _, _ := strings.Cut(imp, "/"); imp != "C" && !strings.Contains(first, ".") {
		return "" // the standard library
	}
	for mod, users := range bindings {
		if imp == mod || strings.HasPrefix(imp, mod+"/") {
			if matches(users, self) {
				return ""
			}
			return fmt.Sprintf("only %v may", users)
		}
	}
	return "this module has no line in the table of bindings"
}

// find returns the row of a package: the exact one, or the last pattern that matches.
func find(rows []row, name string) *row {
	var best *row
	for i := range rows {
		if rows[i].pkg == name {
			return &rows[i]
		}
		if matches([]string{rows[i].pkg}, name) {
			best = &rows[i]
		}
	}
	return best
}

// matches reports whether a package is named by a list of patterns.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		base, tree := strings.CutSuffix(p, "/...")
		return p == "..." || base == name || tree && strings.HasPrefix(name, base+"/")
	})
}

func ours(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// short is an import path relative to the module.
func short(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// goList describes the packages of the module that a platform can build.
func goList(t *testing.T, env []string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// root is the module's folder as seen from this one.
const root = "../.."

// outside tells folders that hold no packages of the module: hidden ones, those
// of test data, and modules of their own, such as generators.
func outside(path, name string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata"
}

// sourceDirs maps each folder of the module with Go code that is not a test to
// the names of its Go files.
func sourceDirs(t *testing.T) map[string][]string {
	t.Helper()
	dirs := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && path != root && outside(path, name):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			rel, err := filepath.Rel(root, filepath.Dir(path))
			dirs[filepath.ToSlash(rel)] = append(dirs[filepath.ToSlash(rel)], name)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}
