package arch

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// light is a program that computes on the CPU, and all the modules that it needs:
// no binding of a GPU, no plots, nothing of the command line.
var light = struct{ packages, modules []string }{
	packages: []string{".", "./ops", "./tune", "./backend/cpu"},
	modules: []string{
		module,
		"github.com/x448/float16", // conversions of half floats
		"gonum.org/v1/gonum",      // products of matrices in the interpreter
	},
}

func TestPlainImportIsLight(t *testing.T) {
	for _, env := range platforms {
		t.Run(strings.Join(env, ","), func(t *testing.T) {
			args := []string{"list", "-e", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}
			cmd := exec.Command("go", append(args, light.packages...)...)
			cmd.Dir = root
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			needed := strings.Fields(string(out))
			slices.Sort(needed)
			if needed = slices.Compact(needed); !slices.Equal(needed, light.modules) {
				t.Errorf("a program of %v needs\n\t%v, want\n\t%v", light.packages, needed, light.modules)
			}
		})
	}
}
