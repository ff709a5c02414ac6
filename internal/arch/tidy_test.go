package arch

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tidied are the modules that go mod tidy downloads for a program of light.packages, and the bytes of
// each one's zip file: those that the program is built of, and those that the tests of the packages
// that it imports need. A binding of a GPU is none of them.
var tidied = map[string]int64{
	"gonum.org/v1/gonum":       4_678_507,
	"github.com/google/go-cmp": 130_179, // of tests
	"pgregory.net/rapid":       110_883, // of tests
	"github.com/x448/float16":  14_960,
}

// built is the part of it that go build downloads.
const built = 4_693_467

func TestTidyIsLight(t *testing.T) {
	total, linked := int64(0), int64(0)
	for module, size := range tidied {
		total += size
		if slices.Contains(light.modules, module) {
			linked += size
		}
	}
	if total > 5_000_000 || linked != built {
		t.Errorf("go mod tidy downloads %d bytes, go build %d of them", total, linked)
	}
	for _, env := range platforms {
		t.Run(strings.Join(env, ","), func(t *testing.T) {
			needed := tidyModules(t, env, light.packages)
			if want := slices.Sorted(maps.Keys(tidied)); !slices.Equal(needed, want) {
				t.Errorf("go mod tidy of a program of %v needs\n\t%v, want\n\t%v\n"+
					"move tests that import more to a package that users do not import, such as internal/endtoend", light.packages, needed, want)
			}
		})
	}
	for module, want := range tidied {
		if size, ok := zipSize(t, module); ok && size != want {
			t.Errorf("the zip file of %s has %d bytes, want %d", module, size, want)
		}
	}
}

// The first program of the README can run on NVIDIA's GPUs, too, for a module more: what calls their libraries
// without cgo.
func TestFirstProgramIsLight(t *testing.T) {
	needed := tidyModules(t, []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}, []string{"./examples/first", "./examples/firstkernel"})
	want := append(slices.Collect(maps.Keys(tidied)), "github.com/ebitengine/purego")
	if slices.Sort(want); !slices.Equal(needed, want) {
		t.Errorf("go mod tidy of the first program needs\n\t%v, want\n\t%v", needed, want)
	}
}

// tidyModules are the modules, but for this one, of all packages that go mod tidy loads for a program
// that imports some packages on a platform: those, what they import, what the tests of all these import, and
// what that imports.
func tidyModules(t *testing.T, env, packages []string) []string {
	t.Helper()
	type listed struct {
		Standard                  bool
		ImportPath                string
		TestImports, XTestImports []string
		Module                    *struct{ Path string }
	}
	list := func(packages []string) (all []listed) {
		for dec := json.NewDecoder(strings.NewReader(goOutput(t, env, append([]string{"list", "-e", "-deps",
			"-json=Standard,ImportPath,TestImports,XTestImports,Module"}, packages...)...))); dec.More(); {
			var p listed
			if err := dec.Decode(&p); err != nil {
				t.Fatal(err)
			}
			if !p.Standard {
				all = append(all, p)
			}
		}
		return all
	}
	imports := map[string]bool{}
	for _, p := range list(packages) {
		imports[p.ImportPath] = true
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			imports[path] = path != "C" && path != "unsafe"
		}
	}
	maps.DeleteFunc(imports, func(_ string, package_ bool) bool { return !package_ })
	modules := map[string]bool{}
	for _, p := range list(slices.Sorted(maps.Keys(imports))) {
		if p.Module != nil && p.Module.Path != module {
			modules[p.Module.Path] = true
		}
	}
	return slices.Sorted(maps.Keys(modules))
}

// zipSize is the size of a module's zip file, if the module cache has one.
func zipSize(t *testing.T, module string) (int64, bool) {
	t.Helper()
	version := strings.TrimSpace(goOutput(t, nil, "list", "-m", "-f", "{{.Version}}", module))
	cache := strings.TrimSpace(goOutput(t, nil, "env", "GOMODCACHE"))
	info, err := os.Stat(filepath.Join(cache, "cache", "download", filepath.FromSlash(module), "@v", version+".zip"))
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}

// goOutput is what a go command prints in the module's root.
func goOutput(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}
