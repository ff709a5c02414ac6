package docs_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/report"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// estimated is what the model of package tune says of a work on some hardware: the sums over what was chosen for it, 0
// where nothing was.
func estimated(t *testing.T, caps target.Caps, w suite.Work) (seconds, least float64, meaning tune.Meaning) {
	t.Helper()
	stop := tune.Listen(func(c tune.Choice) {
		seconds, least, meaning = seconds+c.Seconds, least+c.Least, max(meaning, c.Meaning)
	})
	defer stop()
	dev, _ := offline.Open("published", caps)
	defer dev.Close()
	var tensors []*weft.Tensor
	for _, o := range append(slices.Clone(w.Inputs), w.Output) {
		tensors = append(tensors, need(weft.Empty(dev, o.Elem, o.Shape...)))
	}
	last := len(tensors) - 1
	if err := w.Run(tensors[last], tensors[:last]); err != nil {
		t.Fatalf("%s: %v", w.Name, err)
	}
	return seconds, least, meaning
}

// published are the results that the README shows.
func published(t *testing.T) (list []result.Result) {
	t.Helper()
	for _, name := range []string{"nvidia-h100.json", "nvidia-h200-matrix.json"} {
		list = append(list, need(result.ReadFile(filepath.Join("results", name)))...)
	}
	return list
}

// measuredOn returns the preset of the GPU that a result is of.
func measuredOn(t *testing.T, r result.Result) target.Preset {
	t.Helper()
	for _, name := range []string{"h100", "h200"} {
		if strings.Contains(strings.ToLower(r.Device), name) {
			p, _ := target.PresetNamed(name)
			return p
		}
	}
	t.Fatalf("%s: no preset is of %s", r.Work, r.Device)
	return target.Preset{}
}

// expectedWithin is how far the model's time may be from what was measured.
const expectedWithin = 1.5

// readmeWorks are the works of README's tables, by the beginnings of their rows and of the figures for CUDA in them.
var readmeWorks = map[string][]string{
	"| add f32, 2^26 elements |":                     {"add f32 2^26"},
	"| sum f32, rows of 16384×4096 |":                {"sum f32 16384x4096 rows"},
	"| softmax f32, rows of 16384×4096 |":            {"softmax f32 16384x4096"},
	"| layernorm f16, rows of 16384×4096 |":          {"layernorm f16 16384x4096"},
	"| matmul f32, 4096×4096×4096 |":                 {"matmul f32 4096x4096x4096"},
	"| attention f16, 4×32×4096×128 |":               {"attention f16 4x32x4096x128 full"},
	"| the same, causal |":                           {"attention f16 4x32x4096x128 causal"},
	"| f16 8192³, and the transposed forms nt, tn |": {"matmul f16 8192x8192x8192", "matmul f16 8192x8192x8192 nt", "matmul f16 8192x8192x8192 tn"},
	"| bf16 8192³, nt, tn |":                         {"matmul bf16 8192x8192x8192", "matmul bf16 8192x8192x8192 nt", "matmul bf16 8192x8192x8192 tn"},
	"| f16 4096³, nt, tn |":                          {"matmul f16 4096x4096x4096", "matmul f16 4096x4096x4096 nt", "matmul f16 4096x4096x4096 tn"},
	"| bf16 4096³, nt, tn |":                         {"matmul bf16 4096x4096x4096", "matmul bf16 4096x4096x4096 nt", "matmul bf16 4096x4096x4096 tn"},
	"| bf16 2048³; 1024³ |":                          {"matmul bf16 2048x2048x2048", "matmul bf16 1024x1024x1024"},
	"| f16 4095×4097×4093, operands packed first |":  {"matmul f16 4095x4097x4093"},
	"| f16 linear + bias + GELU 32768×4096×1024 |":   {"linear f16 32768x4096x1024 bias gelu"},
	"| f16 64 × 1024³ |":                             {"matmul f16 64x1024x1024x1024"},
	"| tf32 4096³, nt |":                             {"matmul tf32 4096x4096x4096", "matmul tf32 4096x4096x4096 nt"},
	"| f32 as three products of tf32 (TF32x3), nt |": {"matmul tf32x3 4096x4096x4096", "matmul tf32x3 4096x4096x4096 nt"},
	"| i8 4096³, nt |":                               {"matmul i8 4096x4096x4096", "matmul i8 4096x4096x4096 nt"},
}

// What the model expects on an H100 or an H200 is within a factor of 1.5 of what README says was measured there.
func TestExpectedTimes(t *testing.T) {
	works, results := need(suite.List(suite.Full, "ops", "square", "matrix")), published(t)
	readme := string(need(os.ReadFile(filepath.Join("..", "README.md"))))
	listed := map[string]bool{}
	for row, names := range readmeWorks {
		at := strings.Index(readme, row)
		if at < 0 {
			t.Errorf("README has no row %q", row)
			continue
		}
		cell, _, _ := strings.Cut(readme[at+len(row):], "|")
		for _, name := range names {
			listed[name] = true
			if !slices.ContainsFunc(results, func(r result.Result) bool {
				figure, _, _ := strings.Cut(report.Rate(r), " ")
				return r.Work == name && r.Who == "cuda:0" && strings.Contains(cell, figure)
			}) {
				t.Errorf("README says %s of %s, which no result does", strings.TrimSpace(cell), name)
			}
		}
	}
	var ratios []float64
	unknown, near := 0, 0
	for _, r := range results {
		at := slices.IndexFunc(works, func(w suite.Work) bool { return w.Name == r.Work })
		if r.Who != "cuda:0" || at < 0 {
			continue
		}
		seconds, _, meaning := estimated(t, measuredOn(t, r).Caps, works[at])
		if seconds == 0 {
			unknown++
			continue
		}
		ratio := seconds / r.Median()
		t.Logf("%.2f  %-52s %10.1f µs measured", ratio, r.Work, 1e6*r.Median())
		ratios = append(ratios, ratio)
		if math.Abs(math.Log(ratio)) <= math.Log(expectedWithin) {
			near++
		} else if listed[r.Work] {
			t.Errorf("%s: the model expects %.1f µs, README measured %.1f", r.Work, 1e6*seconds, 1e6*r.Median())
		}
		if meaning == tune.Ranking {
			t.Errorf("%s: a ranking on hardware whose facts are known", r.Work)
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	t.Logf("of %d works %d within %v; from %.2f over %.2f to %.2f; none for %d more", n, near, expectedWithin, ratios[0], ratios[n/2], ratios[n-1], unknown)
	// These are the figures of tuning.md.
	if n != 96 || near < 95 || unknown != 3 || ratios[0] < 0.64 || ratios[n-1] > 1.35 {
		t.Errorf("of %d works %d are within %v, from %.2f to %.2f; for %d nothing is expected", n, near, expectedWithin, ratios[0], ratios[n-1], unknown)
	}
}

// What the model gives as a bound, no launch is below: those of an H100 by Vulkan and WebGPU.
func TestBoundsHold(t *testing.T) {
	works := need(suite.List(suite.Full, "ops", "square", "matrix"))
	over, n := 0, 0
	for _, r := range published(t) {
		name := map[string]string{"vulkan:0": "vulkan-nvidia", "webgpu:0": "webgpu-apple"}[r.Who]
		at := slices.IndexFunc(works, func(w suite.Work) bool { return w.Name == r.Work })
		if name == "" || at < 0 {
			continue
		}
		p, _ := target.PresetNamed(name)
		caps := p.Caps
		if p.SPIRV != nil {
			caps = *p.SPIRV
		}
		caps.Machine = measuredOn(t, r).Caps.Machine // which it was
		_, least, meaning := estimated(t, caps, works[at])
		if least == 0 {
			continue
		}
		n++
		if meaning != tune.Bound {
			t.Errorf("%s by %s: %v is no bound", r.Work, r.Who, meaning)
		}
		if least > r.Median() {
			over++
			// A condition is read in bytes, which the model takes for elements of the other operands.
			if !strings.HasPrefix(r.Work, "where") {
				t.Errorf("%s by %s: at least %.1f µs, and %.1f measured", r.Work, r.Who, 1e6*least, 1e6*r.Median())
			}
		}
	}
	if n < 100 || over > 2 {
		t.Errorf("%d of %d measured times are below their bound", over, n)
	}
}
