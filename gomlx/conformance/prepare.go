package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const gomlxModule = "github.com/gomlx/gomlx"

// patch changes a file of the copy: old becomes new, or new is the file.
type patch struct{ file, old, new string }

// patches make GoMLX's tests open the backend that the environment names.
var patches = []patch{
	{"backends/xla/xla.go", `installer.AutoInstall("", true, installer.Normal)`, "error(nil)"},
	{"backends/xla/xla.go", `"github.com/gomlx/go-xla/pkg/installer"`, `_ "github.com/weftgpu/weft/gomlx"`},
	{"backends/default/xla.go", "", "package _default\n\nimport _ \"github.com/weftgpu/weft/gomlx\"\n"},
	{"backends/simplego/weft_test.go", "", "package simplego\n\nimport _ \"github.com/weftgpu/weft/gomlx\"\n"},
}

// prepare copies GoMLX to a folder, from where its tests are built with the weft of this checkout.
func prepare(dir string) error {
	source, err := output(".", "go", "list", "-m", "-f", "{{.Dir}}", gomlxModule)
	if err != nil {
		return err
	}
	here, err := output(".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if err := copyTree(dir, source); err != nil {
		return err
	}
	for _, p := range patches {
		if err := p.apply(dir); err != nil {
			return err
		}
	}
	_, err = output(dir, "go", "mod", "edit", "-go=1.26.0", "-toolchain=none",
		"-require=github.com/weftgpu/weft@v0.0.0", "-replace=github.com/weftgpu/weft="+filepath.Dir(here),
		"-require=github.com/weftgpu/weft/gomlx@v0.0.0", "-replace=github.com/weftgpu/weft/gomlx="+here)
	return err
}

// copyTree copies a module, writable, without its pictures and notebooks.
func copyTree(to, from string) error {
	if _, err := os.Stat(filepath.Join(to, "go.mod")); err == nil {
		return nil // by an earlier run
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(from, path)
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), raw, 0o644)
	})
}

func (p patch) apply(dir string) error {
	path := filepath.Join(dir, p.file)
	text := []byte(p.new)
	if p.old != "" {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(raw, []byte(p.new)) {
			return nil
		}
		if !bytes.Contains(raw, []byte(p.old)) {
			return fmt.Errorf("%s does not contain %s: is this another version of GoMLX?", p.file, p.old)
		}
		text = bytes.ReplaceAll(raw, []byte(p.old), text)
	}
	return os.WriteFile(path, text, 0o644)
}

// output runs a command and returns what it prints.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String()), nil
}
