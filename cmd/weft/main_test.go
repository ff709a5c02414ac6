package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/internal/catalog"
)

var update = flag.Bool("update", false, "write what commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"weft": func() { os.Exit(run()) }})
}

// TestScripts runs testdata/script; `status N COMMAND…` there expects an exit code.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("WEFT_CACHE", env.WorkDir+"/cache")
			for _, name := range []string{"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "WEFT_NVRTC"} {
				env.Setenv(name, os.Getenv(name))
			}
			return nil
		},
	})
}

// line runs a command line within the test.
func line(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, log bytes.Buffer
	code = execute(ctx, args, &out, &log)
	return code, out.String(), log.String()
}

// A wrong value in the environment is an error of commands that open no device, too.
func TestWrongSetting(t *testing.T) {
	t.Setenv("WEFT_TUNE", "7")
	for _, args := range []string{"devices", "explain add 8 --on h200", "bench --list"} {
		if code, out, log := line(t.Context(), strings.Fields(args)...); code != 1 || out != "" || !strings.Contains(log, "WEFT_TUNE=7, want 0 or 1") {
			t.Errorf("%s: exit code %d\n%s%s", args, code, out, log)
		}
	}
}

// Errors are one line, and say by the exit code whose fault it is.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"version", 0, ""},
		{"--help", 0, ""},
		{"explian", 2, `did you mean "explain"?`},
		{"explain matmul", 2, "1 argument given, want OP and SHAPE"},
		{"explain matmull 1x2x3 --on h200", 2, `did you mean "matmul"?`},
		{"explain matmul 1x2 --on h200", 2, "want MxNxK"},
		{"explain matmul 1x2x99999999999999999999 --on h200", 2, "beyond 2^31-1"},
		{"explain matmul 1x2x3 --on h2oo", 2, "unknown hardware"},
		{"explain matmul 1x2x3 --on h200 --device cpu", 2, "want one of them"},
		{"explain matmul 1x2x3 --device nosuch", 1, "no device named"},
		{"explain matmul 1x2x3 --on h200 --nosuch", 2, "unknown flag"},
		{"explain matmul 1x2x3 --on h200 --causal", 2, "no option --causal"},
		{"explain add 65536x65536 --on h200", 1, "2^31"},
		{"explain add 0 --on h200", 1, "nothing to do"},
		{"explain max 64 --dtype i64 --on webgpu", 1, "i64"},
		{"explain add 8 --on webgpu --arch sm_80", 2, "--arch"},
		{"explain add 8 --on h200 --arch sm_1", 2, "sm_70"},
		{"tune add 8 --device cpu --trials -2", 2, "--trials"},
		{"tune add 8 --device cpu --timeout -1s", 2, "--timeout"},
		{"tune add 8 --device cpu --show -1", 2, "--show -1"},
		{"explain add 8 --on h200 --alternatives -1", 2, "--alternatives -1"},
		{"explain add 8 --on cuda", 2, "cuda is a language: --target cuda"},
		{"explain add 8 --target h200", 2, "h200 is hardware: --on h200"},
		{"explain add 8 --target msl", 2, "want one of"},
		{"explain add 8 --target wgsl --on h200", 2, "takes cuda"},
		{"explain add 8 --target cpu --on h200", 2, "--target cpu: h200 takes cuda"},
		{"explain add 8 --target cpu --on cpu", 0, ""},
		{"explain add 8 --target cpu --device cpu", 0, ""},
		{"emit add 8 --target h200", 2, "h200 is hardware: --on h200"},
		{"emit add 8 --target cuda --on spirv", 2, "spirv is a language: --target spirv"},
		{"bench --set bad", 2, "llama"},
		{"bench --op (", 2, "--op"},
		{"bench --op nonsense --list", 2, "--list"},
		{"bench --format xml", 2, "xml"},
		{"bench --device cpu --size huge", 2, "huge"},
		{"bench --device cpu --peers cublas", 2, "cublas"},
		{"bench add", 2, "add"},
		{"bench --nosuch", 2, "unknown flag"},
		{"bench --from nowhere.json", 1, "nowhere.json"},
		{"bench --from nowhere.json --save new.json", 2, "--from measures nothing"},
		{"bench --device abacus", 1, "abacus"},
		{"tune --set bad --device cpu", 2, "llama"},
		{"tune --set llama --size huge --device cpu", 2, "huge"},
		{"emit add 8", 2, "want one of"},
		{"emit add 8 --target msl", 2, "want one of"},
		{"emit add 8 --target cuda --on webgpu", 2, "takes wgsl"},
		{"emit add 8 --target simt --on cpu", 2, "interprets"},
		{"emit add 8 --target wgsl -o /nosuch/file.wgsl", 1, "no such file"},
		{"emit add 8 --target wgsl --standalone", 2, "writes CUDA"},
		{"emit add 8 --target cuda --with-main", 2, "--standalone"},
		{"emit softmax 8x8 --axis 0 --target cuda --standalone", 1, "the axis is 0"},
		{"emit exp 8 --target cuda --standalone --with-main", 1, "no test program"},
		{"devices extra", 2, "want none"},
	} {
		code, stdout, stderr := line(context.Background(), strings.Fields(c.args)...)
		lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("weft %s: exit code %d, want %d; %s", c.args, code, c.code, stderr)
		}
		if code != 0 && (len(lines) != code || !strings.HasPrefix(lines[0], "weft: ") || stdout != "") {
			t.Errorf("weft %s prints %q, and as an error %q", c.args, stdout, stderr)
		}
	}
}

// Every op's example works as it is printed, and --json is what it says.
func TestExamples(t *testing.T) {
	for _, op := range catalog.Ops() {
		args := append([]string{"explain", op.Name}, strings.Fields(op.Example)...)
		args = append(args, "--on", "h200", "--json")
		code, stdout, stderr := line(context.Background(), args...)
		if code != 0 && strings.Contains(stderr, "the tensor holds f32") { // of an op of integers
			code, stdout, stderr = line(context.Background(), append(args, "--dtype", "i32")...)
		}
		var e explanation
		if err := json.Unmarshal([]byte(stdout), &e); code != 0 || err != nil || len(e.Launches) == 0 {
			t.Errorf("%v: exit code %d, %v, %d launches; %s", args, code, err, len(e.Launches), stderr)
		}
	}
}

// An interrupted command says so, in one line.
func TestInterrupted(t *testing.T) {
	t.Setenv("WEFT_CACHE", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, stdout, stderr := line(ctx, "tune", "add", "1000", "--device", "cpu")
	if code != 1 || stdout != "" || stderr != "weft: interrupted\n" {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

// The examples of every command's help are parsed by the command itself.
func TestHelpExamples(t *testing.T) {
	root := newRoot()
	all := append(root.Commands(), root)
	for _, cmd := range root.Commands() {
		all = append(all, cmd.Commands()...)
	}
	for _, cmd := range all {
		if cmd.Name() == "bench" { // whose examples are those of a command of its own
			continue
		}
		for _, line := range strings.Split(cmd.Example, "\n") {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			found, rest, err := newRoot().Find(append([]string{}, fields[1:]...))
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err == nil && found.Args != nil {
				err = found.Args(found, found.Flags().Args())
			}
			if fields[0] != "weft" || err != nil {
				t.Errorf("%s: %q: %v", cmd.Name(), line, err)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	for args, want := range map[string]string{
		"explain|":                         "matmul\t",
		"explain|matmul|":                  "4096x4096x4096\t[Bx]MxNxK",
		"explain|matmul|4x4x4|--target|":   "spirv",
		"explain|matmul|4x4x4|--on|":       "rtx4090",
		"emit|matmul|4x4x4|--target|":      "spirv",
		"emit|matmul|4x4x4|--on|":          "llvmpipe",
		"emit|matmul|4x4x4|--arch|":        "sm_90a",
		"explain|matmul|4x4x4|--dtype|":    "bf16",
		"explain|matmul|4x4x4|--device|":   "cpu:0",
		"emit|attention|1x1x8x8|--causal|": "",
	} {
		code, stdout, _ := line(context.Background(), append([]string{"__complete"}, strings.Split(args, "|")...)...)
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d, %q lacks %q", args, code, stdout, want)
		}
	}
}

// A work that fails does not end the tuning of a set, and is counted.
func TestTuneSetGoesOn(t *testing.T) {
	t.Setenv("WEFT_CACHE", t.TempDir())
	broken := errors.New("broken on purpose")
	ran := 0
	works := []suite.Work{
		{Name: "first", Run: func(*weft.Tensor, []*weft.Tensor) error { ran++; return broken }},
		{Name: "second", Run: func(*weft.Tensor, []*weft.Tensor) error { ran++; return nil }},
	}
	for i := range works {
		works[i].Output = suite.Operand{Elem: weft.F32, Shape: []int{3}}
	}
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	cmd, stderr := &cobra.Command{}, &bytes.Buffer{}
	cmd.SetContext(context.Background())
	cmd.SetErr(stderr)
	err = tuneFlags{}.raceWorks(cmd, dev, works)
	if err == nil || err.Error() != "1 of 2 works failed" || ran != 2 || !strings.Contains(stderr.String(), broken.Error()) {
		t.Errorf("%d works ran, %v\n%s", ran, err, stderr)
	}
}
