package simtpass

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

var update = flag.Bool("update", false, "rewrite what follows from a pass in testdata/passes")

// A passCase is one kernel before and after a pass. The file that holds it,
// testdata/passes/PASS_topic.txt, has several with empty lines between them, each
//
//	What it shows, in words.
//	-- before --
//	workgroup ...
//	-- after --
//	workgroup ...
//
// or, where the pass changes nothing, without the last part. The flag -update writes that.
type passCase struct{ what, before, after string }

const beforeMark, afterMark = "-- before --\n", "-- after --\n"

// readCases reads a file of cases.
func readCases(t *testing.T, path string) (cases []passCase) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		what, kernels, _ := strings.Cut(part+"\n", beforeMark)
		before, after, changed := strings.Cut(kernels, afterMark)
		if !changed {
			after = before
		}
		cases = append(cases, passCase{strings.TrimSpace(what), before, after})
	}
	return cases
}

func writeCases(t *testing.T, path string, cases []passCase) {
	t.Helper()
	var texts []string
	for _, c := range cases {
		text := c.what + "\n" + beforeMark + c.before
		if c.after != c.before {
			text += afterMark + c.after
		}
		texts = append(texts, text)
	}
	if err := os.WriteFile(path, []byte(strings.Join(texts, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// passFiles are the files of a pass.
func passFiles(t *testing.T, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "passes", name+"_*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// distinctPasses are the passes, each once.
func distinctPasses() []Pass {
	var list []Pass
	for _, p := range Passes {
		if !slices.ContainsFunc(list, func(q Pass) bool { return q.Name == p.Name }) {
			list = append(list, p)
		}
	}
	return list
}

func readKernel(t *testing.T, text string) *simt.Func {
	t.Helper()
	k, err := simt.Parse(text)
	if err == nil {
		err = simt.Verify(k)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k
}

// TestPassTexts runs every pass on its cases, compares texts, and executes
// both: they do the same to memory.
func TestPassTexts(t *testing.T) {
	for _, p := range distinctPasses() {
		files := passFiles(t, p.Name)
		if len(files) == 0 {
			t.Errorf("no testdata/passes/%s_*.txt", p.Name)
		}
		for _, file := range files {
			cases := readCases(t, file)
			for i, c := range cases {
				t.Run(filepath.Base(file)+"/"+c.what, func(t *testing.T) {
					before := readKernel(t, c.before)
					r := &Context{Kernel: readKernel(t, c.before), Stages: plan.DefaultStages, Caps: target.Caps{AsyncCopy: strings.Contains(file, "copies")}}
					if slices.Contains([]string{"infinities", "declare", "constants", "tables"}, p.Name) { // which are for shaders alone
						r.Caps = target.Caps{Language: target.WGSL}
					} else if strings.Contains(file, "products") {
						r.Caps = target.Caps{Language: target.SPIRV}
					}
					if p.Name == "pack" || p.Name == "joinloads" || strings.Contains(file, "components") {
						r.Caps.Language = target.SPIRV
					}
					if strings.Contains(file, "halves") {
						r.Caps.Language = target.CUDA
					}
					r.Ahead = strings.Contains(file, "asked")
					if strings.Contains(file, "operands") { // loads of several iterations are outstanding
						r.Stages = 3
					}
					if p.Name == "pack" { // bytes for some arrays of a case, but not for all
						r.Caps.SharedBytes = 512
					}
					p.Run(r)
					got := r.Kernel.String()
					if *update {
						cases[i].before, cases[i].after = before.String(), got
						return
					}
					if d := cmp.Diff(c.before, before.String()); d != "" {
						t.Errorf("the text is not as it is printed; rewrite it with -update:\n%s", d)
					}
					if d := cmp.Diff(c.after, got); d != "" {
						t.Errorf("(-want +got); rewrite it with -update if that is meant:\n%s", d)
					}
					executeBoth(t, p.Name, before, readKernel(t, c.after), r.Words)
				})
			}
			if *update {
				writeCases(t, file, cases)
			}
		}
	}
}

// TestOneStage: loops of one stage stay as they are, and so do those whose loads only registers take if the schedule does not ask for stages.
func TestOneStage(t *testing.T) {
	for _, c := range readCases(t, "testdata/passes/pipeline_asked.txt") {
		r := &Context{Kernel: readKernel(t, c.before), Stages: plan.DefaultStages}
		if pipeline(r); r.Kernel.String() != c.before {
			t.Errorf("%s\n%v", c.what, r.Kernel)
		}
	}
	for _, c := range readCases(t, "testdata/passes/pipeline_loads.txt") {
		r := &Context{Kernel: readKernel(t, c.before), Stages: 1}
		if pipeline(r); r.Kernel.String() != c.before {
			t.Errorf("%s\n%v", c.what, r.Kernel)
		}
	}
}

// TestPassesOnAll runs every pass on every kernel of the cases: what comes out
// verifies, does the same to memory, and is left as it is by a second run.
func TestPassesOnAll(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/passes/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readCases(t, file) {
			for _, p := range distinctPasses() {
				t.Run(filepath.Base(file)+" "+c.what+" "+p.Name, func(t *testing.T) {
					testenv.Sample(t)
					before := readKernel(t, c.before)
					r := &Context{Kernel: readKernel(t, c.before), Stages: plan.DefaultStages}
					if p.Name == "pack" {
						r.Caps = target.Caps{Language: target.SPIRV, SharedBytes: 256}
					}
					p.Run(r)
					executeBoth(t, p.Name, before, r.Kernel, r.Words)
					once := r.Kernel.String()
					if p.Run(r); once != r.Kernel.String() && p.Name != "pipeline" { // it goes ahead once more
						t.Errorf("%s, %s: %s is not done at once:\n%s", file, c.what, p.Name, cmp.Diff(once, r.Kernel.String()))
					}
				})
			}
		}
	}
}

// bufferLen is the elements of each buffer that kernels are executed on.
const bufferLen = 256

// linesOf are views of all lines of a tensor map's buffer.
func linesOf(k *simt.Func) (views []machine.View) {
	for _, m := range k.Maps {
		v := machine.View{Sizes: slices.Repeat([]int{1}, len(m.Dims)), Strides: make([]int, len(m.Dims))}
		v.Sizes[0], v.Strides[0] = m.Box[0], 1
		v.Sizes[1], v.Strides[1] = bufferLen/m.Box[0], m.Box[0]
		views = append(views, v)
	}
	return views
}

// executeBoth runs two kernels on random memory and random words, of which the
// second reads those in words, or all if that is nil. Before barriers have been inserted
// threads go in step.
func executeBoth(t *testing.T, pass string, before, after *simt.Func, words []int) {
	t.Helper()
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var want, got [][]byte
		for _, b := range before.Buffers {
			memory := machine.RandomBytes(rng, b.Elem, bufferLen)
			want, got = append(want, memory), append(got, bytes.Clone(memory))
		}
		all := make([]uint32, len(before.Words))
		for i, w := range before.Words {
			all[i] = uint32(rng.IntN(9)) // small enough for sizes, and 0 at times
			if w.Elem == dtype.F32 {
				all[i] = 0x3f800000 + rng.Uint32()>>10
			}
		}
		used := all
		if words != nil || len(after.Words) < len(all) {
			used = nil
			for _, w := range words {
				used = append(used, all[w])
			}
		}
		grid := [3]int{2, 1, 1}
		launch := machine.Launch{Grid: grid, Buffers: want, Words: all, Views: linesOf(before), Schedule: machine.Schedule(seed), InStep: true}
		if err := launch.Run(before); err != nil {
			t.Fatalf("before: %v\n%v", err, before)
		}
		unordered := len(after.Maps) > 0 && after.Producers == 0 // copies that the pass specialise has not seen
		launch.Buffers, launch.Words, launch.InStep = got, used, pass != "barriers" || unordered
		if err := launch.Run(after); err != nil {
			t.Fatalf("after %s: %v\n%v", pass, err, after)
		}
		for i, b := range before.Buffers {
			if !bytes.Equal(want[i], got[i]) {
				t.Fatalf("%s changes what is in %s:\nbefore\n%v\nafter\n%v", pass, b.Name, before, after)
			}
		}
	}
}
