package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/internal/cachedir"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
)

// TestMain keeps what tests measure out of the user's own cache.
func TestMain(m *testing.M) {
	os.Setenv(cachedir.Env, "off")
	os.Exit(m.Run())
}

// bench runs the command.
func bench(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	c := New()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&errs)
	err = c.Execute()
	return out.String(), errs.String(), err
}

// quick are the flags of a short run.
var quick = []string{"--device", "cpu", "--size", "tiny", "--budget", "1ms", "--op", "^(add|matmul) f32", "--peers", "gonum"}

// A run prints a table and saves its results, which can be shown again in every form and compared.
func TestRun(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "run.json")
	table, stderr, err := bench(append(quick, "--save", saved)...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	for _, want := range []string{"add ", "matmul ", "cpu:0", "gonum", "GB/s"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	results, err := result.ReadFile(saved)
	if err != nil || len(results) < 6 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, r := range results {
		if !r.OK() || r.Bandwidth == 0 || r.Flop > 0 && r.Peak == 0 || r.Date == "" || r.Device == "" || r.Copies == 0 || len(r.Sets) == 0 {
			t.Errorf("incomplete: %+v", r)
		}
	}
	if again, _, err := bench("--from", saved); err != nil || again != table {
		t.Errorf("from the file, %v:\n%s\nfrom the run:\n%s", err, again, table)
	}
	lines, _, err := bench("--from", saved, "--format", "bench")
	if err != nil || strings.Count(lines, "\nBenchmark") < len(results) {
		t.Errorf("%v:\n%s", err, lines)
	}
	text := filepath.Join(t.TempDir(), "run.txt")
	if err := os.WriteFile(text, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{saved, text} {
		changes, _, err := bench("--from", saved, "--compare", old)
		if err != nil || !strings.Contains(changes, "unchanged") || strings.Contains(changes, "slower") || strings.Contains(changes, "new,") {
			t.Errorf("against itself, %v:\n%s", err, changes)
		}
	}
	changes, _, err := bench("--from", saved, "--compare", saved, "--op", "^add")
	if err != nil || strings.Contains(changes, "gone") || strings.Contains(changes, "matmul") {
		t.Errorf("of some of the work, %v:\n%s", err, changes)
	}
	charts := filepath.Join(t.TempDir(), "charts")
	if _, _, err := bench("--from", saved, "--charts", charts); err != nil {
		t.Error(err)
	}
	if pictures, err := filepath.Glob(filepath.Join(charts, "ops.*")); err != nil || len(pictures) != 2 {
		t.Errorf("pictures %v, %v", pictures, err)
	}
	some, _, err := bench("--from", saved, "--format", "json", "--op", "^add")
	if err != nil || !strings.Contains(some, `"add f32`) || strings.Contains(some, "matmul") {
		t.Errorf("%v:\n%s", err, some)
	}
}

// A failure is in the table and in the exit code.
func TestFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	text := `{"work":"add f32 1","op":"add","who":"cpu:0","seconds":[1]}` + "\n" + `{"work":"add f32 1","op":"add","who":"cpu:1","error":"no memory"}`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	table, _, err := bench("--from", path)
	if err == nil || err.Error() != "1 of 2 measurements failed" || !strings.Contains(table, "no memory") {
		t.Errorf("%v:\n%s", err, table)
	}
}

func TestBadFlags(t *testing.T) {
	one := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(one, []byte(`{"work":"add f32 1","op":"add","sets":["ops"],"who":"cpu:0","seconds":[1]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		is   error
		code int
		want string
	}{
		{[]string{"--set", "lama"}, weft.ErrArgument, 2, "llama"},
		{[]string{"--set", "sampled", "--family", "matrices"}, weft.ErrArgument, 2, "products"},
		{[]string{"--set", "sampled", "--count", "0"}, weft.ErrArgument, 2, "0 works"},
		{[]string{"--op", "nonsense"}, weft.ErrArgument, 2, "--list"},
		{[]string{"--op", "("}, nil, 2, "--op"},
		{[]string{"--device", "abacus"}, weft.ErrDevice, 1, "abacus"},
		{[]string{"--device", "cpu", "--size", "huge"}, weft.ErrArgument, 2, "huge"},
		{[]string{"--device", "cpu", "--peers", "cublas"}, weft.ErrArgument, 2, "cublas"},
		{[]string{"--format", "xml"}, weft.ErrArgument, 2, "xml"},
		{[]string{"--from", "nowhere.json"}, os.ErrNotExist, 1, "nowhere.json"},
		{[]string{"--compare", "nowhere.json"}, os.ErrNotExist, 1, "nowhere.json"},
		{[]string{"--device", "cpu", "--save", filepath.Join("no", "folder"), "--peers", "none"}, os.ErrNotExist, 1, "folder"},
		{[]string{"--trials", "4"}, weft.ErrArgument, 2, "--tuned"},
		{[]string{"--tuned", "--trials", "-2"}, weft.ErrArgument, 2, "-1 for all"},
		{[]string{"--budget", "0"}, weft.ErrArgument, 2, "more than 0"},
		{[]string{"--rounds", "0"}, weft.ErrArgument, 2, "at least 1"},
		{[]string{"--seed", "7"}, weft.ErrArgument, 2, "seed: it is for --set sampled"},
		{[]string{"--set", "llama", "--family", "rows"}, weft.ErrArgument, 2, "family: it is for --set sampled"},
		{[]string{"--from", one, "--device", "cpu"}, weft.ErrArgument, 2, "device: it is for what is measured"},
		{[]string{"--from", one, "--list"}, weft.ErrArgument, 2, "list: it is for what is measured"},
		{[]string{"--from", one, "--save", "new.json"}, weft.ErrArgument, 2, "save: it is for what is measured"},
		{[]string{"--from", one, "--op", "matmul"}, weft.ErrArgument, 2, "no result of these works"},
		{[]string{"--from", one, "--set", "vit"}, weft.ErrArgument, 2, "no result of these works"},
		{[]string{"--device", "cpu", "--peers", "none", "--charts", filepath.Join(one, "charts")}, nil, 1, "one.json"},
		{[]string{"--nosuch"}, nil, 2, "unknown flag"},
		{[]string{"add"}, nil, 2, "add"},
	} {
		out, _, err := bench(c.args...)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || ExitCode(err) != c.code || !strings.Contains(err.Error(), c.want) || out != "" {
			t.Errorf("%v give %v, printing %q", c.args, err, out)
		}
	}
}

func TestList(t *testing.T) {
	out, _, err := bench("--list", "--device", "cpu", "--set", "llama")
	if err != nil || !strings.Contains(out, "rmsnorm f32 16x512") || strings.Contains(out, "conv2d") {
		t.Errorf("%v:\n%s", err, out)
	}
	sampled := func(args ...string) []string {
		out, _, err := bench(append([]string{"--list", "--device", "cpu", "--set", "sampled", "--count", "3"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(out), "\n")
	}
	if one, other := sampled("--seed", "1", "--family", "rows"), sampled("--seed", "2", "--family", "rows"); len(one) != 3 || len(other) != 3 || slices.Equal(one, other) {
		t.Errorf("two seeds give %v and %v, want 3 different works each", one, other)
	}
}

// Works that were drawn at random are summarised, others are not.
func TestSummarised(t *testing.T) {
	for _, set := range []string{"sampled", "square"} {
		var list []result.Result
		for _, who := range []string{"cpu:0", "gonum v0.17.0"} {
			list = append(list, result.Result{Work: "matmul f32 8x8x8", Op: "matmul", Family: "matmul", Sets: []string{set}, Who: who, Seconds: []float64{1}})
		}
		var out bytes.Buffer
		if err := (&flags{format: "table"}).show(&out, list, nil); err != nil || strings.Contains(out.String(), "slowest") != (set == "sampled") {
			t.Errorf("set %s: %v\n%s", set, err, out.String())
		}
	}
}

// With --tuned each device is there twice, and the report compares the two, also from the file.
func TestTuned(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "run.json")
	out, stderr, err := bench("--device", "cpu", "--size", "tiny", "--set", "sampled", "--count", "1", "--seed", "3", "--tuned", "--trials", "3", "--rounds", "2",
		"--budget", "1ms", "--peers", "none", "--save", saved)
	if err != nil {
		t.Fatal(err, stderr)
	}
	for _, want := range []string{"cpu:0 tuned", "by rule over tuned", "furthest from tuned of cpu:0", "by rule: ", "all "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	results, err := result.ReadFile(saved)
	if err != nil || len(result.Tunings(results)) != len(results)/2 || len(results) < 10 {
		t.Errorf("%d results, %v", len(results), err)
	}
	if again, _, err := bench("--from", saved); err != nil || again != out {
		t.Errorf("from the file, %v:\n%s", err, again)
	}
}
