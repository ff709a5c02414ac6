package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// programs are the folders of whole programs that the pages show.
func programs(t *testing.T) []string {
	t.Helper()
	var list []string
	shown := regexp.MustCompile(`(?m)^<!-- program: (\S+) -->$`)
	for _, page := range pages(t) {
		for _, m := range shown.FindAllStringSubmatch(read(t, page), -1) {
			list = append(list, m[1])
		}
	}
	return list
}

// wholeProgram is the text of a whole program: what a reader pastes into main.go.
func wholeProgram(t *testing.T, folder string) string {
	t.Helper()
	return read(t, filepath.Join("..", folder, "main.go"))
}

// printed is what a program prints that was pasted into main.go of an empty module, as the README says:
// go mod init, go get, go run. It runs on the CPU, and with no C compiler.
func printed(t *testing.T, folder string) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", wholeProgram(t, folder))
	write("go.mod", "module example.com/first\n\ngo 1.26.0\n\nrequire github.com/weftgpu/weft v0.0.0\n\nreplace github.com/weftgpu/weft => "+root+"\n")
	write("go.sum", read(t, "../go.sum"))
	command := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "WEFT_DEVICE=cpu", "GOFLAGS=-mod=mod -buildvcs=false")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: go %s: %v\n%s", folder, strings.Join(args, " "), err, stderr.String())
		}
		return string(out)
	}
	return command("run", ".")
}

// Every program of the pages is complete in its block, together with what it prints.
func TestPrograms(t *testing.T) {
	list := programs(t)
	if len(list) < 2 {
		t.Errorf("the pages show %v; the README shows a program and a kernel", list)
	}
	for _, folder := range list {
		if found := find(t, folder+"/main.go#main"); found.code == "" {
			t.Errorf("%s/main.go is no program", folder)
		}
		shown := false
		for _, page := range pages(t) {
			shown = shown || strings.Contains(read(t, page), "<!-- prints: "+folder+" -->")
		}
		if !shown {
			t.Errorf("no page shows what %s prints", folder)
		}
	}
}
