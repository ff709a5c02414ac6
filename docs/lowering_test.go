package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// The code and the stages of lowering.md.

var rowSum = weft.NewKernel("row_sum", func(k *tile.Builder, columns int) {
	x, out := k.In("x", weft.F32, 2), k.Out("out", weft.F32, 2)
	k.Schedule(tile.Schedule{Threads: 64})
	k.Grid(x.Dim(0))
	row := k.ProgramID(0)
	sum := k.Var(k.Zeros(weft.F32, 1, columns))
	for i := range k.Range(k.CDiv(x.Dim(1), columns)) {
		sum.Set(sum.Get().Add(x.Block(1, columns).Load(row, i)))
	}
	out.Block(1, 1).Store(sum.Get().Sum(1), row, 0)
})

var product = weft.NewKernel("product", func(k *tile.Builder, side int) {
	a, b, out := k.In("a", weft.F32, 2), k.In("b", weft.F32, 2), k.Out("out", weft.F32, 2)
	k.Schedule(tile.Schedule{Threads: 64, Stages: 2})
	row, column := k.TileID(k.CDiv(out.Dim(0), side), k.CDiv(out.Dim(1), side))
	sum := k.Var(k.Zeros(weft.F32, side, side))
	for i := range k.Range(k.CDiv(a.Dim(1), 8)) {
		sum.Set(tile.Dot(a.Block(side, 8).Load(row, i), b.Block(8, side).Load(i, column), sum.Get(), tile.IEEE))
	}
	out.Block(side, side).Store(sum.Get(), row, column)
})

// preset is a device of package target's list.
func preset(name string) target.Caps {
	p, ok := target.PresetNamed(name)
	if !ok {
		panic("no preset " + name)
	}
	return p.Caps
}

// stages is a kernel on its way.
type stages struct {
	*compile.Artifact
	facts  compile.Facts
	names  []string          // of what WEFT_DUMP writes, in order
	dumped map[string]string // by name
}

func stagesOf(t *testing.T, k *tile.Func, caps target.Caps, shapes ...[]int) stages {
	t.Helper()
	var layouts []layout.Layout
	var buffers []int
	for i, shape := range shapes {
		layouts, buffers = append(layouts, need(layout.Contiguous(shape...))), append(buffers, i)
	}
	dir := t.TempDir()
	t.Setenv(pass.DumpEnv, dir)
	s := stages{facts: axis.FactsOf(layouts, buffers), dumped: map[string]string{}}
	s.Artifact = need(compile.Emit(k, s.facts, caps))
	for _, path := range need(filepath.Glob(filepath.Join(dir, "*", "*"))) {
		name := filepath.Base(path)
		s.names, s.dumped[name] = append(s.names, name), string(need(os.ReadFile(path)))
	}
	return s
}

// countOps counts the operations of a printed kernel.
func countOps(text string) (n int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, head := range []string{"kernel", "workgroup", "schedule", "view", "grid", "buffer", "word", "shared ", "}", "yield"} {
			if strings.HasPrefix(line, head) {
				n--
				break
			}
		}
		n++
	}
	return n
}

// passTexts say what each pass does.
var passTexts = map[string]string{
	"built":        "what the description built",
	"canonicalise": "constants folded and on the right; one form for equal expressions",
	"drop":         "ops that nothing needs; Print, Assert and Break",
	"offsets":      "blocks at offsets of elements: at tile coordinates where they divide, else points",
	"masks":        "dimensions in which blocks are certain to be inside their views",
	"points":       "gathers and scatters whose indices run side by side",
	"edges":        "loops and programs split: whole blocks without masks, then the edge",
	"lowered":      "registers, threads, shared memory: see below",
	"hoist":        "what does not change moves out of loops",
	"cse":          "equal expressions become one",
	"dce":          "what nothing uses is dropped",
	"specialise":   "warps specialised: a producer copies by tensor maps, consumers multiply",
	"matrices":     "loops carry cooperative matrices as a whole",
	"elements":     "elements of matrices that only the device knows pass through shared memory",
	"alias":        "arrays used after all pipelines alias their buffers",
	"pipeline":     "copies and loads of later iterations start before this one computes",
	"simplify":     "what became constant is folded",
	"tables":       "numbers of 4 bits are looked up in shared memory by shaders",
	"infinities":   "what compilers of shaders would take for 0 or 1 is computed from bits",
	"allocate":     "shared memory allocated by liveness: arrays not live at once share addresses",
	"barriers":     "barriers where threads read what others wrote",
	"pack":         "shared memory packed by liveness for SPIR-V: arrays share it by intervals",
	"params":       "kernel parameters that nothing reads are dropped",
	"registers":    "registers divided between producers and consumers",
	"fences":       "barriers that make stores visible to wgmma and tensor stores",
	"opaque":       "operands of wgmma that compilers must not see to be loop-invariant",
	"constants":    "constants that compilers of shaders must not see, so that two logical ops are one instruction",
	"joinloads":    "masked loads that follow each other share a branch, without masks where all of them hold",
	"issue":        "loads that cooperative matrices take from registers come before their products",
	"wraps":        "signed arithmetic that may overflow, which indices do not",
	"declare":      "how wide the vectors are that shaders declare arrays of",
}

// passTable lists what WEFT_DUMP writes, with the operations that each stage has.
func passTable(t *testing.T, s stages) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-24s %4s\n", "file", "ops")
	for _, name := range s.names {
		pass := strings.TrimSuffix(name[3:], filepath.Ext(name))
		if passTexts[pass] == "" {
			t.Errorf("passTexts says nothing of the pass %s", pass)
		}
		fmt.Fprintf(&out, "%-24s %4d  %s\n", name, countOps(s.dumped[name]), passTexts[pass])
	}
	return out.String()
}

// factText says what a kernel is specialised to.
func factText(k *tile.Func, f compile.Facts) string {
	var out strings.Builder
	for i, v := range f.Views {
		fmt.Fprintf(&out, "%-4s in buffer %d, offset a multiple of %d\n", k.Views[i].Name, v.Buffer, v.Offset)
		for d, dim := range v.Dims {
			stride := []string{fmt.Sprint("a multiple of ", dim.Stride), "1", "of no matter"}[dim.Kind]
			fmt.Fprintf(&out, "     dimension %d: size a multiple of %d, stride %s\n", d, dim.Size, stride)
		}
	}
	return out.String()
}

func (s stages) stage(name string) string {
	for _, n := range s.names {
		if strings.HasSuffix(n, "-"+name) {
			return s.dumped[n]
		}
	}
	return ""
}

// only keeps the notes that contain one of some words.
func only(notes []string, words ...string) (list []string) {
	for _, n := range notes {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(n, w) }) {
			list = append(list, n)
		}
	}
	return list
}

// skeleton keeps the loops of a printed kernel and in them what moves data, waits and multiplies.
func skeleton(text string) string {
	var out strings.Builder
	for line := range strings.Lines(excerpt(text, " for ", "param")) {
		line, _, _ = strings.Cut(line, " //")
		loop := strings.Contains(line, " for ")
		if loop {
			line = line[:strings.Index(line, "%")] + "… for " + line[strings.Index(line, "%i."):strings.Index(line, " step")] + " … {"
		}
		if loop || strings.Contains(line, "}") || slices.ContainsFunc([]string{" load ", "shared.", "barrier", "fma", "copy", " if "}, func(w string) bool { return strings.Contains(line, w) }) {
			out.WriteString(strings.TrimRight(line, " \n") + "\n")
		}
	}
	return out.String()
}

func lines(list []string) string { return strings.Join(list, "\n") + "\n" }

func loweringTexts(t *testing.T) map[string]string {
	k := need(rowSum.Build(256))
	shapes := [][]int{{4096, 1000}, {4096, 1}}
	wgsl, cuda := stagesOf(t, k, preset("webgpu"), shapes...), stagesOf(t, k, preset("h200"), shapes...)
	lowered := cuda.SimtIR()
	return map[string]string{
		"row_sum.tile":   cuda.stage("built.tile"),
		"row_sum.facts":  factText(k, cuda.facts),
		"row_sum.passes": passTable(t, cuda),
		"row_sum.edges":  excerpt(cuda.stage("edges.tile"), "div v7", "reduce.sum"),
		"row_sum.notes":  lines(cuda.Notes),
		"row_sum.loop":   excerpt(lowered, "carried", "bitcast"),
		"row_sum.edge":   excerpt(excerpt(lowered, "bitcast", "extract 0"), "carried", "never"),
		"row_sum.reduce": excerpt(lowered, "extract 0", "param"),
		"row_sum.cuda":   excerpt(cuda.Source.Text, "extern", "never"),
		"row_sum.wgsl":   excerpt(wgsl.Source.Text, "for (var i_0", "let parts_3"),
		"row_sum.other":  lines(only(wgsl.Notes, "parts")),
	}
}

func kernelTexts(t *testing.T) map[string]string {
	gpu := stagesOf(t, need(rowMax.Build(1024)), preset("h200"), []int{4096, 5000}, []int{4096})
	return map[string]string{"row_max.notes": lines(gpu.Notes)}
}

func productTexts(t *testing.T) map[string]string {
	halves := need(matmul.Build(matmulConfig{M: 64, N: 64, K: 32, Schedule: tile.Schedule{Threads: 128, Stages: 3}}))
	k := need(product.Build(32))
	side := []int{1024, 1024}
	cuda := stagesOf(t, k, preset("h200"), side, side, side)
	return map[string]string{
		"halves.notes":   lines(only(stagesOf(t, halves, preset("h200"), side, side, side).Notes, "dot")),
		"product.notes":  lines(only(cuda.Notes, "dot: ", "the layout that")),
		"product.before": skeleton(cuda.stage("cse.simt")),
		"product.after":  skeleton(cuda.SimtIR()),
	}
}

// What the page says of sizes that share a binary.
func TestSharedBinaries(t *testing.T) {
	key := func(rows, columns int) string {
		x, out := need(layout.Contiguous(rows, columns)), need(layout.Contiguous(rows, 1))
		return axis.FactsOf([]layout.Layout{x, out}, []int{0, 1}).Key()
	}
	if key(4096, 1000) != key(2048, 3000) {
		t.Error("4096×1000 and 2048×3000 have different facts")
	}
	if key(4096, 1000) == key(4096, 1001) {
		t.Error("4096×1000 and 4096×1001 have equal facts")
	}
}
