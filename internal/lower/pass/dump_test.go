package pass

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stage is a text that is dumped.
type stage string

func (s stage) String() string { return string(s) }

// Whatever a kernel is called, its stages are in a folder of its own right beneath the one that was named.
func TestDumpStaysInItsFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "dump")
	t.Setenv(DumpEnv, dir)
	names := []string{
		"../../../escaped", "..", ".", "", "/etc/passwd", `..\..\escaped`, `C:\x`, "a/b", "a_b", "a.b", "a..b", "a.", "nul\x00", "new\nline", "Add", "add",
		"ünï", "\xff", strings.Repeat("x", 80), strings.Repeat("x", 81), strings.Repeat("x", 300), strings.Repeat("/", 5000),
	}
	for _, name := range names {
		d := NewDump(name)
		d.Write("built", "txt", stage("text"))
		if d.Err() != nil {
			t.Errorf("%.20q: %v", name, d.Err())
		}
	}
	if list, err := os.ReadDir(root); err != nil || len(list) != 1 {
		t.Errorf("outside the folder: %v, %v", list, err)
	}
	folders, err := os.ReadDir(dir)
	if err != nil || len(folders) != len(names) {
		t.Errorf("%d folders for %d kernels, %v", len(folders), len(names), err)
	}
	seen := map[string]string{}
	for _, name := range names {
		file := strings.ToLower(fileName(name))
		if other, taken := seen[file]; taken {
			t.Errorf("%q and %q are both called %s", name, other, file)
		}
		seen[file] = name
	}
	for _, name := range []string{"add", "softmax-rows", "matmul_2", "a.b"} {
		if got := fileName(name); got != name {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}
