package result

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var sample = []Result{
	{Work: "matmul f32 64x64x64", Op: "matmul", Sets: []string{"square"}, Series: "matmul f32", X: 64, Who: "cuda:0", Device: "NVIDIA H200", Driver: "580.1",
		Kind: "gpu", Config: "{BM:64}", Version: "v1", Date: "2026-01-02T03:04:05Z", Seconds: []float64{1e-6, 2e-6, 4e-6, 8e-6, 1.6e-5}, Batch: 7, Copies: 3,
		Bytes: 49152, Flop: 524288, Unit: "f32", Bandwidth: 1e12, Peak: 5e13},
	{Work: "conv2d f16 1x3x8x8 4 7x7/2 nhwc", Op: "conv2d", Who: "pytorch 2.11.0", Device: "CPU", Kind: "cpu", Version: "v1", Seconds: []float64{1}, Batch: 1, Bytes: 12},
	{Work: "add f32 2^20", Op: "add", Who: "cuda:0", Kind: "gpu", Version: "v1", Bytes: 3, Error: "no memory\nat all"},
}

// JSON holds everything, and the benchmark format what its documentation says.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	var text bytes.Buffer
	for _, r := range sample {
		if err := WriteJSON(&text, r); err != nil {
			t.Fatal(err)
		}
	}
	if lines := strings.Count(text.String(), "\n"); lines != len(sample) {
		t.Errorf("%d lines of JSON for %d results", lines, len(sample))
	}
	got := reread(t, path, text.Bytes())
	if diff := cmp.Diff(sample, got); diff != "" {
		t.Error(diff)
	}
	text.Reset()
	if err := WriteBench(&text, sample); err != nil {
		t.Fatal(err)
	}
	got = reread(t, path, text.Bytes())
	lost := cmpopts.IgnoreFields(Result{}, "Sets", "Series", "X", "Config", "Date", "Copies", "Unit", "Bandwidth", "Peak")
	if diff := cmp.Diff(sample[:2], got, lost, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Errorf("%s\n%s", diff, text.String())
	}
	if want := "BenchmarkMatmul/work=matmul,f32,64x64x64/who=cuda:0 7 1000 ns/op"; !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, text.String())
	}
}

func reread(t *testing.T, path string, text []byte) []Result {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Files that hold no results say so and where.
func TestBadFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":  {"", "no results"},
		"text":   {"hello\n", "no results"},
		"broken": {`{"work":"add","op":"add","who":"cpu:0"}` + "\n{", "result 2"},
		"type":   {`{"work":3}`, "result 1"},
		"other":  {`{"op":"add"}`, "result 1: it does not say of which work"},
		"no op":  {`{"work":"add","who":"cpu:0"}`, "result 1: it does not say of which work and op"},
		"zero":   {`{"work":"add","op":"add","who":"cpu:0","seconds":[1,0]}`, "result 1: times of [1 0] seconds"},
		"below":  {`{"work":"add","op":"add","who":"cpu:0","seconds":[-1]}`, "result 1: times of"},
		"ages":   {`{"work":"add","op":"add","who":"cpu:0","seconds":[1e300]}`, "result 1: times of"},
		"a 0":    {"BenchmarkX/work=add/who=cpu 1 0 ns/op\n", "no results"},
		"bench":  {"BenchmarkX/work=add/who=cpu 1 x ns/op\n", "bench:1"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s gives %v, want %q", name, err, c.want)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("no file gives %v", err)
	}
}

// Quantiles interpolate, whatever the order of samples.
func TestQuantiles(t *testing.T) {
	r := Result{Seconds: []float64{4, 1, 3, 2}}
	lower, upper := r.Quartiles()
	if r.Median() != 2.5 || lower != 1.75 || upper != 3.25 {
		t.Errorf("%v, %v, %v", lower, r.Median(), upper)
	}
	if one := (Result{Seconds: []float64{7}}); one.Median() != 7 {
		t.Errorf("the median of 7 is %v", one.Median())
	}
	if none := (Result{}); !math.IsNaN(none.Median()) || none.OK() || none.Attained() != 0 {
		t.Error("no samples have a median")
	}
}

// The roofline: the slower of moving and computing.
func TestIdeal(t *testing.T) {
	r := Result{Bytes: 1e9, Flop: 1e12, Bandwidth: 1e12, Peak: 1e14, Seconds: []float64{0.02}}
	if ideal, memory := r.Ideal(); ideal != 0.01 || memory || r.Attained() != 0.5 {
		t.Errorf("%v, %v, %v", ideal, memory, r.Attained())
	}
	r.Flop = 1e10
	if ideal, memory := r.Ideal(); ideal != 0.001 || !memory {
		t.Errorf("%v, %v", ideal, memory)
	}
}

// A ceiling that is exceeded rises for all results of the machine and the arithmetic, and for no others.
func TestRaise(t *testing.T) {
	make := func(who, device, unit string, seconds float64) Result {
		return Result{Who: who, Device: device, Kind: "gpu", Unit: unit, Bytes: 1, Flop: 100, Bandwidth: 10, Peak: 50, Seconds: []float64{seconds}}
	}
	list := []Result{make("a", "X", "f16", 1), make("b", "X", "f16", 10), make("a", "X", "f32", 10), make("a", "Y", "f16", 10)}
	Raise(list)
	for i, want := range []float64{100, 100, 50, 50} {
		if list[i].Peak != want || list[i].Bandwidth != 10 || list[i].Attained() > 1 {
			t.Errorf("result %d has ceilings %v and %v, want %v and 10", i, list[i].Peak, list[i].Bandwidth, want)
		}
	}
}

// Works that a device did in both ways are paired, those of others are not.
func TestTunings(t *testing.T) {
	list := Tunings([]Result{
		{Work: "a", Who: "cuda:0", Seconds: []float64{3}}, {Work: "a", Who: "cuda:0 tuned", Seconds: []float64{2}}, {Work: "a", Who: "vulkan:0", Seconds: []float64{1}},
		{Work: "b", Who: "cuda:0", Seconds: []float64{3}}, {Work: "b", Who: "vulkan:0 tuned", Seconds: []float64{1}},
		{Work: "c", Who: "cuda:0", Error: "no"}, {Work: "c", Who: "cuda:0 tuned", Seconds: []float64{1}},
		{Work: "d", Who: "cuda:0", Seconds: []float64{3}}, {Work: "d", Who: "cuda:0 tuned", Error: "no"},
	})
	if len(list) != 1 || list[0].Rule.Work != "a" || list[0].Times() != 1.5 {
		t.Errorf("%+v", list)
	}
}
