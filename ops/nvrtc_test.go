package ops_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/backend/backendtest"
	"github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// nvrtcTargets are what every kernel is compiled for: GPUs as they are, and one without matrix instructions.
var nvrtcTargets = []struct {
	name, arch string
	caps       target.Caps
}{
	{"sm_80", "sm_80", capability(80)},
	{"sm_89", "sm_89", capability(89)},
	{"sm_90a", "sm_90a", matrixCaps},
	{"plain", "sm_90a", cudaCaps},
}

// capability is a device of 80, for compute capability 8.0, or another, with all that Hopper has beside it.
func capability(c int) target.Caps {
	caps := matrixCaps
	caps.Arch = fmt.Sprintf("sm_%d", c)
	return caps.WithCapability(c)
}

// registersFile is the table of what kernels take.
var registersFile = filepath.Join("testdata", "registers.txt")

// TestCompileWithNVRTC compiles every kernel for every target, and holds the registers, the stack (which is where spilled
// registers go) and the shared memory of each to that table.
func TestCompileWithNVRTC(t *testing.T) {
	major, minor, err := cuda.NVRTCVersion()
	if err != nil {
		testenv.Skip(t, "nvrtc", err.Error())
	}
	table := usageTable{rows: map[string]string{}}
	for _, target := range nvrtcTargets {
		t.Run(target.name, func(t *testing.T) {
			compiled := func(t *testing.T, a *compile.Artifact) {
				t.Parallel()
				cubin, log, err := cuda.CompileNVRTC(target.arch, a.Source.Entry, a.Source.Text)
				if err != nil || log != "" {
					t.Fatalf("%v\n%s\n%s", err, log, a.Source.Text)
				}
				_, name, _ := strings.Cut(t.Name(), "/")
				table.add(t, name, a, cubin)
			}
			eachKernel(t, target.caps, true, compiled)
			if target.name == "plain" { // their texts are the same for all
				caps := target.caps
				caps.Int64 = true
				for name, a := range passes(t, caps) {
					t.Run(name, func(t *testing.T) { compiled(t, a) })
				}
			}
		})
	}
	testenv.Report(t, fmt.Sprintf("cuda: %d kernels of ops compile with NVRTC", len(table.rows)))
	if t.Failed() {
		return
	}
	if major != 12 || minor != 9 { // which the script ./test installs
		testenv.Skip(t, "nvrtc", fmt.Sprintf("registers are not compared: the table is of NVRTC 12.9, here is %d.%d", major, minor))
	}
	table.compare(t)
}

// usageTable is what kernels take, a line for each.
type usageTable struct {
	sync.Mutex
	rows map[string]string // by the names of kernels
}

func (u *usageTable) add(t *testing.T, name string, a *compile.Artifact, cubin []byte) {
	t.Helper()
	list, err := cuda.ResourceUsage(cubin)
	if err != nil || len(list) != 1 || list[0].Kernel != a.Source.Entry {
		t.Fatalf("a cubin of %q: %+v, %v", a.Source.Entry, list, err)
	}
	use := list[0]
	u.Lock()
	defer u.Unlock()
	u.rows[name] = fmt.Sprintf("%-50s %9d %6d %8d", name, use.Registers, use.Stack, use.Shared+a.Source.Dynamic)
}

// compare holds the rows to those of the file. Those that a part of the test did not compile (-run with a slash) stay as they
// are, and of kernels that only the full form compiles there are none.
func (u *usageTable) compare(t *testing.T) {
	known, err := os.ReadFile(registersFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	old := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(known)), "\n")[1:] {
		name, _, _ := strings.Cut(line, " ")
		old[name] = line
	}
	if backendtest.DefaultOptions().Full {
		maps.DeleteFunc(u.rows, func(name, _ string) bool { return old[name] == "" })
	}
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		maps.Copy(old, u.rows)
		u.rows = old
	}
	lines := []string{"target/kernel/element/arguments                    registers  stack   shared"}
	for _, name := range slices.Sorted(maps.Keys(u.rows)) {
		lines = append(lines, u.rows[name])
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(registersFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(known), got); diff != "" {
		t.Errorf("%s differs; go test ./ops -run CompileWithNVRTC -update rewrites it:\n%s", registersFile, diff)
	}
}
