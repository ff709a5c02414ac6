package report

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/bench/result"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixed is a run as it might be, with failures.
func fixed() []result.Result {
	r := func(work, who string, bytes, flop float64, seconds ...float64) result.Result {
		op, _, _ := strings.Cut(work, " ")
		return result.Result{Work: work, Op: op, Who: who, Device: "X", Kind: "gpu", Bytes: bytes, Flop: flop, Unit: "f32",
			Bandwidth: 4e12, Peak: 50e12, Seconds: seconds, Batch: 1}
	}
	failed := r("matmul f32 4096x4096x4096", "webgpu:0", 2e8, 1.37e11)
	failed.Error = "out of memory\nat line 3"
	bare := r("matmul f32 64x64x64", "cuda:0", 49152, 524288, 2e-6, 3e-6, 9e-6)
	bare.Bandwidth, bare.Peak = 0, 0
	return []result.Result{
		r("add f32 2^26", "cuda:0", 8.05e8, 0, 2.1e-4, 2.2e-4, 2.4e-4),
		r("add f32 2^26", "pytorch 2.11", 8.05e8, 0, 2.0e-4, 2.1e-4, 2.1e-4),
		r("matmul f32 4096x4096x4096", "cuda:0", 2e8, 1.37e11, 3.2e-3, 3.3e-3, 3.4e-3),
		r("matmul f32 4096x4096x4096", "vulkan:0", 2e8, 1.37e11, 4.2e-3),
		failed, bare,
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	if err := Table(&out, fixed()); err != nil {
		t.Fatal(err)
	}
	golden(t, "table.txt", out.Bytes())
}

// samples are n times around a median, with noise.
func samples(seed uint64, median, noise float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	list := make([]float64, 21)
	for i := range list {
		list[i] = median * (1 + noise*rng.NormFloat64())
	}
	slices.Sort(list)
	return list
}

// A change counts if it is larger than the noise of both runs, and what is there only once is said.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, now []float64
		want     Verdict
	}{
		{"equal", samples(1, 1, 0.01), samples(2, 1, 0.01), Same},
		{"faster", samples(3, 1, 0.01), samples(4, 0.8, 0.01), Faster},
		{"slower", samples(5, 1, 0.01), samples(6, 1.2, 0.01), Slower},
		{"within the noise of samples", samples(7, 1, 0.5), samples(8, 1.1, 0.5), Same},
		{"steady but small", samples(9, 1, 0.0001), samples(10, 1.01, 0.0001), Same},
		{"broken", samples(11, 1, 0.01), nil, Broken},
		{"fixed", nil, samples(12, 1, 0.01), Fixed},
	} {
		entry := func(seconds []float64) []result.Result {
			r := result.Result{Work: "w", Who: "x", Seconds: seconds}
			if seconds == nil {
				r.Error = "failed"
			}
			return []result.Result{r}
		}
		if got := Compare(entry(c.old), entry(c.now)); len(got) != 1 || got[0].Verdict != c.want {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
	list := Compare([]result.Result{{Work: "w", Who: "x", Seconds: []float64{1}}}, []result.Result{{Work: "w", Who: "y", Seconds: []float64{1}}})
	if len(list) != 2 || list[0].Verdict != New || list[1].Verdict != Gone || !math.IsNaN(list[1].New) {
		t.Errorf("different contenders give %+v", list)
	}
}

func TestWriteChanges(t *testing.T) {
	old := []result.Result{
		{Work: "add f32 2^26", Who: "cuda:0", Seconds: samples(1, 1e-3, 0.01)}, {Work: "add f32 2^26", Who: "vulkan:0", Seconds: samples(2, 1e-3, 0.01)},
		{Work: "exp f32 2^26", Who: "cuda:0", Seconds: samples(3, 1e-3, 0.01)}, {Work: "log f32 2^26", Who: "cuda:0", Seconds: samples(4, 1e-3, 0.01)},
	}
	now := []result.Result{
		{Work: "add f32 2^26", Who: "cuda:0", Seconds: samples(5, 5e-4, 0.01)}, {Work: "add f32 2^26", Who: "vulkan:0", Seconds: samples(6, 1e-3, 0.01)},
		{Work: "exp f32 2^26", Who: "cuda:0", Error: "no"}, {Work: "sin f32 2^26", Who: "cuda:0", Seconds: samples(7, 1, 0.01)},
	}
	var out bytes.Buffer
	if err := WriteChanges(&out, Compare(old, now)); err != nil {
		t.Fatal(err)
	}
	golden(t, "changes.txt", out.Bytes())
}

func TestSpan(t *testing.T) {
	for seconds, want := range map[float64]string{1.23456: "1.235s", 0.0123456: "12.35ms", 1.234e-6: "1.234µs", 5e-9: "5ns", math.NaN(): "-"} {
		if got := Span(seconds); got != want {
			t.Errorf("%v s is %s, want %s", seconds, got, want)
		}
	}
}

// drawn are results of works drawn at random, of two devices and two libraries.
func drawn() []result.Result {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []result.Result
	for i := range 24 {
		family, work, flop := "matmul", fmt.Sprintf("matmul f16 %dx64x64", 100+i), 1e8*math.Pow(1.5, float64(i))
		if i%3 == 0 {
			family, work, flop = "softmax", fmt.Sprintf("softmax f32 %dx64", 100+i), 0
		}
		for _, who := range []string{"cuda:0", "vulkan:0", "pytorch 2.11", "triton 3"} {
			r := result.Result{Work: work, Op: family, Family: family, Who: who, Flop: flop, Unit: "f16", Bytes: 1e6, Config: "BM=64", First: 0.1 + 0.01*float64(i), Kernels: i % 2, Seconds: []float64{1e-5 * (1 + rng.Float64())}}
			if i%2 == 0 {
				r.Launches = []result.Launch{{Kernel: "pack", Config: "blocks 16", Workgroups: 12, Threads: 32},
					{Kernel: "matmul", Config: "tiles 64×64", Workgroups: 400, Threads: 128, Shared: 4096, Waves: 1.52,
						Choices: []string{"a.go:1: schedule: threads=128", "a.go:2: load: one", "a.go:2: load: distributed as (1)", "a.go:3: two", "three", "four", "five"}}}
			}
			switch {
			case who == "triton 3" && i%4 > 0: // has few
				continue
			case who == "vulkan:0" && i == 5:
				r.Seconds, r.Error = nil, "lost"
			}
			list = append(list, r)
		}
	}
	return list
}

func TestSummary(t *testing.T) {
	var out bytes.Buffer
	if err := Summary(&out, drawn()); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.txt", out.Bytes())
	for _, list := range [][]result.Result{nil, result.Where(drawn(), result.Result.IsDevice)} {
		out.Reset()
		if err := Summary(&out, list); err != nil || out.Len() > 0 {
			t.Errorf("a summary of what nobody else did: %q, %v", out.String(), err)
		}
	}
}

func TestTuning(t *testing.T) {
	var list []result.Result
	for i, r := range drawn() {
		if r.IsDevice() {
			tuned := r
			tuned.Who += result.TunedSuffix
			if tuned.Seconds = []float64{1e-5}; i%3 == 0 {
				tuned.Config = "BM=128"
			}
			list = append(list, r, tuned)
		}
	}
	var out bytes.Buffer
	if err := Tuning(&out, list); err != nil {
		t.Fatal(err)
	}
	golden(t, "tuning.txt", out.Bytes())
	out.Reset()
	if err := Tuning(&out, drawn()); err != nil || out.Len() > 0 {
		t.Errorf("of devices that were not tuned: %q, %v", out.String(), err)
	}
}
