package suite

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
)

// BenchmarkKernels counts the kernels of sampled works on an H200, whose texts are what first launches compile, and says what tells them apart: for each
// fact and each field of a config, how many kernels there would be if it did not, if it alone did, and how many values it has.
//
//	go test ./bench/suite -run '^$' -bench Kernels -benchtime 1x -seed 7 -works 200
func BenchmarkKernels(b *testing.B) {
	preset, ok := target.PresetNamed("h200")
	if !ok {
		b.Fatal("no preset")
	}
	b.Setenv("WEFT_CHECK", "0") // as in programs that are no tests
	for _, family := range SampledFamilies() {
		b.Run(family, func(b *testing.B) {
			for b.Loop() {
				kernels := map[string]map[string]string{} // by text: what tells it from others
				dev, record := offline.Open("bench", preset.Caps)
				for _, w := range (Sample{Seed: *compiledSeed, Count: *compiledWorks, Family: family}).works(Full) {
					runOffline(b, dev, w)
					for _, l := range record.Take() {
						kernels[l.Artifact.Source.Text] = traitsOf(l.Launched)
					}
				}
				if err := dev.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(kernels)), "texts")
				printTraits(slices.Collect(maps.Values(kernels)))
			}
		})
	}
}

// traitsOf is what may tell a kernel from others, by name.
func traitsOf(l compile.Launched) map[string]string {
	t := map[string]string{"kernel": l.Kernel.Name}
	for name, value := range offline.Fields(l.Kernel.Config) {
		t["config "+name] = fmt.Sprint(value)
	}
	for _, v := range l.Kernel.Views {
		t["types"] += v.Elem.String() + " "
	}
	for _, v := range l.Facts.Views {
		t["facts alignment"] += fmt.Sprint(v.Offset, " ")
		for _, d := range v.Dims {
			t["facts order"] += fmt.Sprint(d.Kind, " ")
			t["facts alignment"] += fmt.Sprint(d.Stride, " ")
			t["facts sizes"] += fmt.Sprint(d.Size, " ")
		}
	}
	return t
}

// printTraits prints what tells kernels apart.
func printTraits(kernels []map[string]string) {
	distinct := func(of func(trait string) bool) int {
		seen := map[string]bool{}
		for _, k := range kernels {
			var text strings.Builder
			for _, name := range slices.Sorted(maps.Keys(k)) {
				if of(name) {
					fmt.Fprintf(&text, "%s=%s;", name, k[name])
				}
			}
			seen[text.String()] = true
		}
		return len(seen)
	}
	names := map[string]bool{}
	for _, k := range kernels {
		for name := range k {
			names[name] = true
		}
	}
	with := func(prefix string) func(string) bool {
		return func(name string) bool { return strings.HasPrefix(name, prefix) }
	}
	// What stands on standard output is read by the benchmark's reader alone; a benchmark's log is cut.
	w := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d kernels, without\tleft\talone\n", len(kernels))
	for _, group := range []string{"facts", "config"} {
		fmt.Fprintf(w, "all %s\t%d\t%d\n", group, distinct(func(name string) bool { return !with(group)(name) }), distinct(with(group)))
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		is := func(trait string) bool { return trait == name }
		fmt.Fprintf(w, "%s\t%d\t%d\n", name, distinct(func(trait string) bool { return !is(trait) }), distinct(is))
	}
	w.Flush()
}
