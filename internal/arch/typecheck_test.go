package arch

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

// checked are the platforms for which TestTypes checks the packages, and which.
var checked = []struct {
	env      []string
	packages []string
}{
	{[]string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}, []string{"./..."}},
	{[]string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"}, []string{"./..."}},
	{[]string{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"}, []string{"./..."}},
	{[]string{"GOOS=js", "GOARCH=wasm"}, []string{".", "./ops", "./backend/cpu", "./backend/webgpu"}},
}

// words64 are the sizes of words on all of them.
var words64 = types.SizesFor("gc", "amd64")

// TestTypes checks the types of the module's packages for other platforms, from source: what go build
// would refuse, in a tenth of the time, since nothing is compiled. ./test platforms builds them.
func TestTypes(t *testing.T) {
	files := parsed{token.NewFileSet(), map[string]*ast.File{}}
	turn := testenv.Turn(t.Name(), len(checked)) // a sample takes one
	for i, platform := range checked {
		t.Run(strings.Join(platform.env, ","), func(t *testing.T) {
			if turn >= 0 && turn != i {
				t.Skip("left to other samples")
			}
			n := 0
			for _, fault := range typeErrors(t, files, words64, platform.env, platform.packages, &n) {
				t.Error(fault)
			}
			if n < 15 {
				t.Errorf("%d packages of the module only", n)
			}
		})
	}
}

// TestTypeErrors proves that TestTypes can fail: on wrong types in functions of the module, and on what a
// platform lacks.
func TestTypeErrors(t *testing.T) {
	const source = "package p\n\nimport \"syscall\"\n\nfunc f() int { syscall.Kill(0, 0); return \"\" }\n"
	files := parsed{token.NewFileSet(), map[string]*ast.File{}}
	file, err := parser.ParseFile(files.set, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		goos string
		want int
	}{{"linux", 1}, {"windows", 2}} {
		env := []string{"GOOS=" + c.goos, "GOARCH=amd64", "CGO_ENABLED=0"}
		packages := importer{}
		for _, p := range listTypes(t, env, []string{"syscall"}) {
			files.check(words64, packages, p, files.of(t, p))
		}
		if faults := files.check(words64, packages, listedTypes{ImportPath: "p"}, []*ast.File{file}); len(faults) != c.want {
			t.Errorf("%s: %v, want %d errors", c.goos, faults, c.want)
		}
	}
}

// TestWords checks that where an int has 32 bits a build says what is wanted, and only that: what would overflow imports dtype.
func TestWords(t *testing.T) {
	files, n := parsed{token.NewFileSet(), map[string]*ast.File{}}, 0
	env := []string{"GOOS=linux", "GOARCH=386", "CGO_ENABLED=0"}
	faults := typeErrors(t, files, types.SizesFor("gc", "386"), env, []string{"./dtype"}, &n)
	if len(faults) != 1 || !strings.Contains(faults[0], "weftNeeds64BitInts") {
		t.Errorf("%v, want that weftNeeds64BitInts", faults)
	}
}

// parsed are files by their paths, parsed once for all platforms.
type parsed struct {
	set   *token.FileSet
	files map[string]*ast.File
}

// listedTypes is what go list says of a package on a platform.
type listedTypes struct {
	ImportPath, Dir, Name string
	GoFiles               []string
	ImportMap             map[string]string
	Standard              bool
	Module                *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

func (p listedTypes) ours() bool { return !p.Standard && (p.Module == nil || p.Module.Main) }

// listTypes lists packages and all that they import, each one after what it imports.
func listTypes(t *testing.T, env, packages []string) (list []listedTypes) {
	t.Helper()
	args := append([]string{"list", "-e", "-deps", "-json=ImportPath,Dir,Name,GoFiles,ImportMap,Standard,Module,Error"}, packages...)
	for dec := json.NewDecoder(strings.NewReader(goOutput(t, env, args...))); dec.More(); {
		var p listedTypes
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.Error != nil {
			t.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		list = append(list, p)
	}
	return list
}

// typeErrors lists the errors in the module's packages, and counts those.
func typeErrors(t *testing.T, files parsed, sizes types.Sizes, env, packages []string, n *int) (faults []string) {
	t.Helper()
	known := importer{}
	for _, p := range listTypes(t, env, packages) {
		found := files.check(sizes, known, p, files.of(t, p))
		if p.ours() {
			*n++
			faults = append(faults, found...)
		}
	}
	return faults
}

func (f parsed) of(t *testing.T, p listedTypes) (list []*ast.File) {
	t.Helper()
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		if f.files[path] == nil {
			file, err := parser.ParseFile(f.set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			f.files[path] = file
		}
		list = append(list, f.files[path])
	}
	return list
}

// importer are the packages that have been checked, by import path.
type importer map[string]*types.Package

// through is the importer of one package, whose imports may have other paths, as vendored ones do.
type through struct {
	importer
	paths map[string]string
}

func (i through) Import(path string) (*types.Package, error) {
	if real, ok := i.paths[path]; ok {
		path = real
	}
	if p := i.importer[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not known", path)
}

// check checks a package, for words of those sizes, and adds it to those that are known. The functions of other
// modules and of the standard library are not looked into.
func (f parsed) check(sizes types.Sizes, known importer, p listedTypes, files []*ast.File) (faults []string) {
	if p.ImportPath == "unsafe" {
		known["unsafe"] = types.Unsafe
		return nil
	}
	config := types.Config{
		Importer:         through{known, p.ImportMap},
		IgnoreFuncBodies: !p.ours(),
		Sizes:            sizes,
		Error:            func(err error) { faults = append(faults, err.Error()) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	known[p.ImportPath], _ = config.Check(p.ImportPath, f.set, files, nil) // its errors are those of Error
	return faults
}
