package suite

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/testenv/compilers"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

var (
	compiledSeed  = flag.Uint64("seed", DefaultSample.Seed, "seed of the works that BenchmarkCompile draws")
	compiledWorks = flag.Int("works", DefaultSample.Count, "works of each family that BenchmarkCompile draws")
)

// BenchmarkCompile is what first launches of sampled works cost on an H200 by CUDA, but for the driver: the works' kernels are lowered
// and compiled by NVRTC, without a GPU. For each family it reports how many kernels (by hash and facts) there are, how many texts, each of which is
// compiled once, what lowering and the compiler take for a work that is the first, with its kernels one after the other, and what the longest of its
// kernels takes, for which a call waits that compiles all of them at once; it prints the works that take longest:
//
//	go test ./bench/suite -run '^$' -bench Compile -benchtime 1x -seed 7 -works 200
func BenchmarkCompile(b *testing.B) {
	compilers.RequireNVRTC(b)
	preset, ok := target.PresetNamed("h200")
	if !ok {
		b.Fatal("no preset")
	}
	b.Setenv("WEFT_CHECK", "0") // as in programs that are no tests
	for _, family := range SampledFamilies() {
		b.Run(family, func(b *testing.B) {
			for b.Loop() {
				works := Sample{Seed: *compiledSeed, Count: *compiledWorks, Family: family}.works(Full)
				compiled := compiledFamily{caps: preset.Caps, times: map[string]time.Duration{}, texts: map[string]bool{}}
				for _, w := range works {
					compiled.add(b, w)
				}
				compiled.report(b)
			}
		})
	}
}

// compiledFamily is what the works of a family are compiled to.
type compiledFamily struct {
	caps  target.Caps
	times map[string]time.Duration // NVRTC's, by what the compiler's cache of kernels knows them by
	texts map[string]bool
	works []compiledWork
}

// compiledWork is a work, whose kernels are counted whether another work has them, too.
type compiledWork struct {
	name           string
	lower, compile time.Duration
	longest        time.Duration // what one of its kernels takes
	kernels        []string
}

// add lowers and compiles the kernels of a work on a device that has none yet.
func (f *compiledFamily) add(b *testing.B, w Work) {
	b.Helper()
	dev, record := offline.Open("bench", f.caps)
	defer dev.Close()
	done, seen := compiledWork{name: w.Name, lower: runOffline(b, dev, w)}, map[string]bool{}
	for _, l := range record.Take() {
		key := keyOf(l.Launched)
		if seen[key] {
			continue
		}
		seen[key] = true
		took := f.compile(b, key, l.Artifact)
		done.compile += took
		done.longest = max(done.longest, took)
		done.kernels = append(done.kernels, fmt.Sprintf("%s %s: %d ms, %d lines", l.Kernel.Name, tune.WordsOf(l.Kernel.Config),
			took.Milliseconds(), strings.Count(l.Artifact.Source.Text, "\n")))
	}
	f.works = append(f.works, done)
}

// runOffline runs a work on a device that writes launches down, and says how long that took.
func runOffline(b *testing.B, dev *weft.Device, w Work) time.Duration {
	b.Helper()
	var tensors []*weft.Tensor
	for _, o := range append(w.Inputs[:len(w.Inputs):len(w.Inputs)], w.Output) {
		t, err := weft.Empty(dev, o.Elem, o.Shape...)
		if err != nil {
			b.Fatal(err)
		}
		defer t.Close()
		tensors = append(tensors, t)
	}
	if w.Prepare != nil {
		release, err := w.Prepare(tensors[:len(tensors)-1])
		if err != nil {
			b.Fatalf("%s: %v", w.Name, err)
		}
		defer release()
	}
	start := time.Now()
	if err := w.Run(tensors[len(tensors)-1], tensors[:len(tensors)-1]); err != nil {
		b.Fatalf("%s: %v", w.Name, err)
	}
	return time.Since(start)
}

// keyOf is what the compiler's cache knows a kernel by.
func keyOf(l compile.Launched) string {
	hash := l.Kernel.Hash()
	return string(hash[:]) + l.Facts.Key()
}

// compile compiles a kernel if it is new.
func (f *compiledFamily) compile(b *testing.B, key string, a *compile.Artifact) time.Duration {
	b.Helper()
	if took, known := f.times[key]; known {
		return took
	}
	start := time.Now()
	if _, _, _, err := compilers.NVRTC(b, f.caps.Arch, a.Source.Entry, a.Source.Text); err != nil {
		b.Fatalf("%v\n%s", err, a.Source.Text)
	}
	f.times[key] = time.Since(start)
	f.texts[a.Source.Text] = true
	return f.times[key]
}

// report reports the family's figures and prints its slowest works.
func (f *compiledFamily) report(b *testing.B) {
	b.ReportMetric(float64(len(f.times)), "kernels")
	b.ReportMetric(float64(len(f.texts)), "texts")
	for what, of := range map[string]func(w compiledWork) time.Duration{
		"lower":   func(w compiledWork) time.Duration { return w.lower },
		"compile": func(w compiledWork) time.Duration { return w.compile },
		"longest": func(w compiledWork) time.Duration { return w.longest },
	} {
		var times []time.Duration
		for _, w := range f.works {
			times = append(times, of(w))
		}
		slices.Sort(times)
		for name, at := range map[string]int{"median": len(times) / 2, "p90": len(times) * 9 / 10, "max": len(times) - 1} {
			b.ReportMetric(float64(times[at].Microseconds())/1000, what+"-"+name+"-ms")
		}
	}
	slices.SortStableFunc(f.works, func(x, y compiledWork) int { return int(y.compile - x.compile) })
	for _, w := range f.works[:min(10, len(f.works))] {
		// What a benchmark logs is cut.
		fmt.Printf("%s: lowered in %d ms, compiled in %d ms\n  %s\n", w.name, w.lower.Milliseconds(), w.compile.Milliseconds(), strings.Join(w.kernels, "\n  "))
	}
}
