package testenv

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed tint.mjs
var tintScript []byte

// DawnEnv is the environment variable that names a folder with the npm package
// webgpu, which holds Dawn and its WGSL compiler Tint.
const DawnEnv = "WEFT_DAWN"

// Tint validates WGSL texts, by name, with Dawn's compiler and its rules for
// pipelines. It skips the test where Node.js or the package is missing.
func Tint(t testing.TB, texts map[string]string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		Skip(t, "tint", err.Error())
	}
	if _, err := os.Stat(filepath.Join(os.Getenv(DawnEnv), "node_modules", "webgpu")); err != nil {
		Skip(t, "tint", DawnEnv+" names no folder with the npm package webgpu")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "tint.mjs")
	args := []string{script}
	write := func(path string, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(script, tintScript)
	for name, text := range texts {
		path := filepath.Join(dir, name+".wgsl")
		write(path, []byte(text))
		args = append(args, path)
	}
	if out, err := exec.Command(node, args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("tint: %v\n%s", err, out)
	}
}
