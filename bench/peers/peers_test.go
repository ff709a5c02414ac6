package peers

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/suite"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
)

var quick = measure.Options{Budget: time.Millisecond, Warm: true}

// tiny is every work in small sizes.
func tiny(t *testing.T) []suite.Work {
	t.Helper()
	var names []string
	for _, set := range suite.Sets {
		names = append(names, set.Name)
	}
	list, err := suite.List(suite.Tiny, names...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// measureAll has a peer do works, and returns the ops that it has.
func measureAll(t *testing.T, p Peer, works []suite.Work) (ops []string) {
	t.Helper()
	for _, w := range works {
		got, err := p.Measure(t.Context(), w)
		switch {
		case errors.Is(err, measure.ErrNone):
			continue
		case err != nil:
			t.Errorf("%s: %v", w.Name, err)
		case len(got.Seconds) == 0 || got.Batch == 0 || got.Copies == 0:
			t.Errorf("%s: %+v", w.Name, got)
		}
		if !slices.Contains(ops, w.Op) {
			ops = append(ops, w.Op)
		}
	}
	return ops
}

// What gonum computes is right.
func TestGonum(t *testing.T) {
	ops := measureAll(t, NewGonum(suite.Tiny, quick), tiny(t))
	slices.Sort(ops)
	if want := []string{"add", "linear", "matmul"}; !slices.Equal(ops, want) {
		t.Errorf("gonum has %v, want %v", ops, want)
	}
}

// What PyTorch computes is right, for every op that there is.
func TestPyTorch(t *testing.T) {
	p, err := StartPython(t.Context(), "pytorch", Side{Size: suite.Tiny}, quick)
	if errors.Is(err, ErrAbsent) {
		t.Skip("no PyTorch: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if who := p.Describe(); !strings.HasPrefix(who.Who, "pytorch ") || who.Kind != "cpu" {
		t.Errorf("it calls itself %+v", who)
	}
	ops := measureAll(t, p, tiny(t))
	for _, w := range tiny(t) {
		if !slices.Contains(ops, w.Op) {
			t.Errorf("PyTorch does not have %s", w.Op)
		}
	}
}

// What Triton's kernels compute is right, by Triton's interpreter.
func TestTriton(t *testing.T) {
	t.Setenv("TRITON_INTERPRET", "1")
	p, err := StartPython(t.Context(), "triton_peer", Side{Size: suite.Tiny}, quick)
	if errors.Is(err, ErrAbsent) {
		t.Skip("no Triton: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	works := slices.DeleteFunc(tiny(t), func(w suite.Work) bool { return w.Unit == "bf16" }) // the interpreter computes by NumPy, which lacks it
	ops := measureAll(t, p, works)
	slices.Sort(ops)
	if want := []string{"add", "layernorm", "linear", "matmul", "rmsnorm", "softmax"}; !slices.Equal(ops, want) {
		t.Errorf("Triton has %v, want %v", ops, want)
	}
}

// A result that is wrong is an error, and what PyTorch raises is one.
func TestPyTorchFaults(t *testing.T) {
	p, err := StartPython(t.Context(), "pytorch", Side{Size: suite.Tiny}, quick)
	if errors.Is(err, ErrAbsent) {
		t.Skip("no PyTorch: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	w := tiny(t)[0]
	w.Want = func([]suite.Values, int) (want, bound float64) { return 1e6, 1 }
	if _, err := p.Measure(t.Context(), w); err == nil || !strings.Contains(err.Error(), "want 1e+06") {
		t.Errorf("a wrong result gives %v", err)
	}
	w = tiny(t)[0]
	w.Inputs = w.Inputs[:1]
	if _, err := p.Measure(t.Context(), w); err == nil || errors.Is(err, measure.ErrNone) {
		t.Errorf("a missing operand gives %v", err)
	}
	if _, err := p.Measure(t.Context(), tiny(t)[0]); err != nil {
		t.Errorf("after a failure: %v", err)
	}
}

// fake starts a script of the test's own in place of a peer's.
func fake(t *testing.T, script string) (*Python, error) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: ", err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "scripts"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "scripts", "fake.py"), []byte("import json, sys, time\ninput()\n"+script), 0o666); err != nil {
		t.Fatal(err)
	}
	p := &Python{name: "fake", python: python, device: "cpu", size: suite.Tiny, options: quick, folder: folder, files: map[string]bool{}}
	t.Cleanup(func() { p.Close() })
	return p, p.start(t.Context())
}

// Scripts that end, hang, talk nonsense or have nothing to say are told from one another, and a script that ends is
// started again a few times.
func TestFaults(t *testing.T) {
	const greet = "print(json.dumps({'who': 'fake'}))\n"
	work := tiny(t)[0]
	if _, err := fake(t, "print(json.dumps({'error': 'no library'}))"); !errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), "no library") {
		t.Errorf("a script without its library gives %v", err)
	}
	if _, err := fake(t, "raise ValueError('nonsense')"); err == nil || !strings.Contains(err.Error(), "ValueError: nonsense") {
		t.Errorf("a script that raises at once gives %v", err)
	}
	p, err := fake(t, greet+"input()\nprint(json.dumps({'none': True}))\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Measure(t.Context(), work); !errors.Is(err, measure.ErrNone) {
		t.Errorf("an op that it does not have gives %v", err)
	}
	p, err = fake(t, greet+"input()\nprint('what?')\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Measure(t.Context(), work); err == nil || !strings.Contains(err.Error(), "what?") {
		t.Errorf("nonsense gives %v", err)
	}
	if p, err = fake(t, greet+"input()\nsys.exit('out of luck')\n"); err != nil {
		t.Fatal(err)
	}
	for i := range mostStops + 1 {
		_, err := p.Measure(t.Context(), work)
		want := "out of luck"
		if i == mostStops {
			want = "stopped 3 times"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("stop %d gives %v, want %q", i, err, want)
		}
	}
	if p, err = fake(t, greet+"input()\ntime.sleep(100)\n"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.Measure(ctx, work); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a script that hangs gives %v", err)
	}
}

// Unknown peers are refused, absent ones are an error if named and a warning if not.
func TestStart(t *testing.T) {
	host := []Side{{Size: suite.Tiny}}
	warn := func(err error) { t.Error("unexpected:", err) }
	if _, err := Start(t.Context(), []string{"cublas"}, host, quick, warn); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), "triton") {
		t.Errorf("an unknown peer gives %v", err)
	}
	if _, err := Start(t.Context(), []string{"triton"}, host, quick, warn); !errors.Is(err, ErrAbsent) {
		t.Errorf("Triton on the host gives %v", err)
	}
	if list, err := Start(t.Context(), []string{"none"}, host, quick, warn); err != nil || len(list) != 0 {
		t.Errorf("none gives %v, %v", list, err)
	}
	t.Setenv(PythonEnv, filepath.Join(t.TempDir(), "python"))
	if _, err := Start(t.Context(), []string{"gonum", "pytorch"}, host, quick, warn); !errors.Is(err, ErrAbsent) {
		t.Errorf("PyTorch without Python gives %v", err)
	}
	warned := 0
	list, err := Start(t.Context(), []string{"auto"}, host, quick, func(err error) {
		warned++
		if !errors.Is(err, ErrAbsent) {
			t.Error(err)
		}
	})
	if err != nil || len(list) != 1 || warned != 1 {
		t.Errorf("auto without Python gives %d peers and %d warnings, %v", len(list), warned, err)
	}
}
