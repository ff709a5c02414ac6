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

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
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

// capability is a device of 80, for compute capability 8.0, or another, with all else that Hopper has.
func capability(c int) target.Caps {
	caps := matrixCaps
	caps.Arch = fmt.Sprintf("sm_%d", c)
	return caps.WithCapability(c)
}

// registersFile is the table of what kernels take.
var registersFile = filepath.Join("testdata", "registers.txt")

// TestCompileWithNVRTC compiles every kernel for every target, and holds the registers, the stack (which is where spilled
// registers go) and the shared memory of each to that table. It also checks that kernels wait for launches before them where they should.
func TestCompileWithNVRTC(t *testing.T) {
	major, minor := compilers.RequireNVRTC(t)
	table, comparable := usageTable{rows: map[string]string{}}, major == 12 && minor == 9 // which the script ./test installs
	if comparable {
		table.known = readUsage(t)
	}
	for _, target := range nvrtcTargets {
		t.Run(target.name, func(t *testing.T) {
			compiled := func(t *testing.T, a *compile.Artifact) {
				t.Parallel()
				_, name, _ := strings.Cut(t.Name(), "/")
				table.add(name, func() string { return usageOf(t, name, target.arch, a) })
			}
			eachKernel(t, target.caps, true, compiled)
			if target.name == "plain" { // their texts are the same for all
				caps := target.caps
				caps.Int64 = true
				for name, a := range passes(t, caps) {
					t.Run(name, func(t *testing.T) {
						testenv.Sample(t)
						compiled(t, a)
					})
				}
			}
		})
	}
	testenv.Report(t, fmt.Sprintf("cuda: %d kernels of ops compile with NVRTC", len(table.rows)))
	if t.Failed() {
		return
	}
	if !comparable {
		testenv.Skip(t, "nvrtc", fmt.Sprintf("registers are not compared: the table is of NVRTC 12.9, here is %d.%d", major, minor))
	}
	table.compare(t)
}

// usageOf compiles a kernel and says what it takes.
func usageOf(t *testing.T, name, arch string, a *compile.Artifact) string {
	t.Helper()
	cubin, list, log, err := compilers.NVRTC(t, arch, a.Source.Entry, a.Source.Text)
	if err != nil || log != "" {
		t.Fatalf("%v\n%s\n%s", err, log, a.Source.Text)
	}
	if len(list) != 1 || list[0].Kernel != a.Source.Entry {
		t.Fatalf("a cubin of %q: %+v", a.Source.Entry, list)
	}
	if a.Source.Dependent {
		if err := checkWait(cubin, a.Source.Entry); err != nil {
			t.Error(err)
		}
	}
	use := list[0]
	return fmt.Sprintf("%-50s %9d %6d %8d", name, use.Registers, use.Stack, use.Shared+a.Source.Dynamic)
}

// usageTable is what kernels take, a line for each.
type usageTable struct {
	sync.Mutex
	rows, known map[string]string // by the names of kernels; known are those of the file
}

// maxCompiles is how often a kernel is compiled at most to find what it takes. The compiler is not deterministic: of 120 times that it compiled one
// kernel, it took another register once.
const maxCompiles = 5

// add adds a row: the one that is known if the compiler comes to it again, else what it comes to most often.
func (u *usageTable) add(name string, compile func() string) {
	counts, row := map[string]int{}, ""
	for i := 0; i == 0 || i < maxCompiles && u.known != nil; i++ {
		now := compile()
		counts[now]++
		if counts[now] > counts[row] || now == u.known[name] {
			row = now
		}
		if row == u.known[name] {
			break
		}
	}
	u.Lock()
	defer u.Unlock()
	u.rows[name] = row
}

// readUsage reads the rows of the file.
func readUsage(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(registersFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		name, _, _ := strings.Cut(line, " ")
		known[name] = line
	}
	return known
}

// compare holds the rows to those of the file. Those that a part of the test did not compile (-run with a slash, or a sample) stay as they
// are, and of kernels that only the full form compiles there are none.
func (u *usageTable) compare(t *testing.T) {
	if testenv.Full() {
		maps.DeleteFunc(u.rows, func(name, _ string) bool { return u.known[name] == "" })
	}
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") || testenv.Sampling() {
		for name, row := range u.known {
			if u.rows[name] == "" {
				u.rows[name] = row
			}
		}
	}
	if !*update {
		if diff := cmp.Diff(u.known, u.rows); diff != "" {
			t.Errorf("%s differs; go test ./ops -run CompileWithNVRTC -update rewrites it:\n%s", registersFile, diff)
		}
		return
	}
	lines := []string{"target/kernel/element/arguments                    registers  stack   shared"}
	for _, name := range slices.Sorted(maps.Keys(u.rows)) {
		lines = append(lines, u.rows[name])
	}
	if err := os.WriteFile(registersFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
