package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestTestsVerifyPasses: whatever test compiles kernels imports testenv, which has them verified after every pass. The
// examples import what their readers can; ./test asks for their kernels to be verified.
func TestTestsVerifyPasses(t *testing.T) {
	cmd := exec.Command("go", "list", "-test", "-f", `{{if .ForTest}}{{.ForTest}} {{join .Deps " "}}{{end}}`, "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	type reach struct{ compiler, testenv bool }
	found := map[string]reach{} // of all tests of a package together: they are one binary
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		r := found[words[0]]
		r.compiler = r.compiler || slices.Contains(words, module+"/internal/lower/pass")
		r.testenv = r.testenv || slices.Contains(words, module+"/internal/testenv")
		found[words[0]] = r
	}
	compile := 0
	for pkg, r := range found {
		if !r.compiler || matches([]string{"examples/...", "internal/lower/pass"}, short(pkg)) {
			continue
		}
		compile++
		if !r.testenv {
			t.Errorf("%s: its tests compile kernels and do not import internal/testenv", short(pkg))
		}
	}
	if compile < 10 {
		t.Errorf("the tests of %d packages compile kernels, want more", compile)
	}
}
