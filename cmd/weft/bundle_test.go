package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/internal/testenv"
)

const root = "../.."

// bundled lists what ./bundle packs: of a kind, or all packages and files by their kinds.
func bundled(t *testing.T) map[string][]string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		testenv.Skip(t, "bash", err.Error())
	}
	out, err := exec.Command("bash", filepath.Join(root, "bundle"), "-l").Output()
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		list[kind] = append(list[kind], rest)
	}
	return list
}

// The bundle has the tests of every backend, commands that are there, and stand-alone files that can be written.
func TestBundleList(t *testing.T) {
	list := bundled(t)
	var backends []string
	folders, err := os.ReadDir(filepath.Join(root, "backend"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if _, err := os.Stat(filepath.Join(root, "backend", f.Name(), "driver.go")); err == nil {
			backends = append(backends, "backend/"+f.Name())
		}
	}
	if !slices.Equal(list["tests"], backends) || len(backends) < 4 {
		t.Errorf("tests of %v, backends are %v", list["tests"], backends)
	}
	for _, c := range list["command"] {
		if _, err := os.Stat(filepath.Join(root, c, "main.go")); err != nil {
			t.Error(err)
		}
	}
	ops := map[string]bool{}
	for _, file := range list["standalone"] {
		fields := strings.Fields(file)
		op, _, _ := strings.Cut(fields[0], "_")
		ops[op] = true
		t.Run(file, func(t *testing.T) {
			testenv.Sample(t)
			args := append([]string{"emit", op}, fields[1:]...)
			code, stdout, stderr := line(context.Background(), append(args, "--target", "cuda", "--standalone", "--with-main")...)
			if code != 0 || !strings.Contains(stdout, "int main()") {
				t.Errorf("exit code %d: %s", code, stderr)
			}
		})
	}
	for _, op := range []string{"add", "matmul", "softmax", "transpose", "sum", "attention", "conv2d"} {
		if !ops[op] {
			t.Errorf("no stand-alone file of %s", op)
		}
	}
}

// The runner runs what is stored next to it, passes arguments on, and fails if a part does.
func TestBundleRun(t *testing.T) {
	list := bundled(t)
	dir := t.TempDir()
	script := func(path, text string) {
		path = filepath.Join(dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	run, err := os.ReadFile(filepath.Join(root, "bundle-run"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "run"), run, 0o755),
		os.WriteFile(filepath.Join(dir, "packages"), []byte(strings.Join(list["tests"], "\n")+"\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, c := range list["command"] {
		script("bin/"+filepath.Base(c), `echo "ran $(basename $0) $*"`)
	}
	for _, p := range list["tests"] {
		script(p+"/test", `echo "ran $(basename $(pwd)) $*"`)
	}
	script("standalone/add.cu", "")
	script("nvcc", `while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\necho ran add.cu\n' >"$2"; chmod +x "$2"`)
	do := func(args ...string) (string, error) {
		cmd := exec.Command("bash", append([]string{filepath.Join(dir, "run")}, args...)...)
		cmd.Env = append(os.Environ(), "NVCC="+filepath.Join(dir, "nvcc"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := do()
	for _, want := range []string{"ran weft devices -v", "ran bench", "ran cpu", "ran cuda", "ran vulkan", "ran webgpu", "ran add.cu"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v: %q is missing from:\n%s", err, want, out)
		}
	}
	if out, err := do("tests", "-test.run", "X"); err != nil || !strings.Contains(out, "ran cuda -test.run X") || strings.Contains(out, "ran bench") {
		t.Errorf("%v\n%s", err, out)
	}
	if kept, err := os.ReadFile(filepath.Join(dir, "results", "backend-cuda.txt")); err != nil || !bytes.Contains(kept, []byte("ran cuda")) {
		t.Errorf("results: %s, %v", kept, err)
	}
	script("backend/cuda/test", "exit 3")
	if out, err := do("tests"); err == nil || !strings.Contains(out, "backend-cuda FAILED") || !strings.Contains(out, "ran webgpu") {
		t.Errorf("a test that fails: %v\n%s", err, out)
	}
	if _, err := do("nosuch"); err == nil {
		t.Error("an unknown part is no error")
	}
	if out, err := do("standalone", "nosuch"); err == nil || !strings.Contains(out, "no file begins with nosuch") {
		t.Errorf("files that there are not: %v\n%s", err, out)
	}
}

// What cannot become a bundle is refused before anything is built.
func TestBundleArguments(t *testing.T) {
	bundled(t) // there is a shell
	script, err := filepath.Abs(filepath.Join(root, "bundle"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"file"}, "./bundle -o FILE"}, {[]string{"-x"}, "./bundle -o FILE"},
		{[]string{"-o", "nosuch/file"}, "bundle: " + dir + "/nosuch/file cannot be written"}, {[]string{"-o", dir}, "cannot be written"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash", append([]string{script}, c.args...)...)
		cmd.Dir, cmd.WaitDelay = dir, time.Second
		if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "building") || !strings.Contains(string(out), c.want) {
			t.Errorf("%q: %v, want %q:\n%s", c.args, err, c.want, out)
		}
	}
}

// The whole is built and unpacked; it takes minutes.
func TestBundleBuilds(t *testing.T) {
	if !testenv.Full() {
		t.Skip("WEFT_FULL=1 builds the bundle")
	}
	file := filepath.Join(t.TempDir(), "bundle.tar.gz")
	if out, err := exec.Command("bash", filepath.Join(root, "bundle"), "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("tar", "tzf", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"run", "packages", "bin/weft", "bin/bench"}
	for kind, names := range bundled(t) {
		for _, name := range names {
			switch kind {
			case "tests":
				want = append(want, name+"/test")
			case "standalone":
				want = append(want, "standalone/"+strings.Fields(name)[0]+".cu")
			}
		}
	}
	for _, name := range want {
		if !strings.Contains(string(out), "weft-bundle/"+name+"\n") {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestScriptsAreClean(t *testing.T) {
	checker, err := exec.LookPath("shellcheck")
	if err != nil {
		testenv.Skip(t, "shellcheck", err.Error())
	}
	// It does not see which functions step calls, and takes ./test for the command test.
	for _, name := range []string{"bundle", "bundle-run", "test", ".ci/run"} {
		if out, err := exec.Command(checker, "-e", "SC2317,SC2065", filepath.Join(root, name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
