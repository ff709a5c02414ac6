package docs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// machines are the presets of machines.md.
var machines = []string{"h200", "h100", "h100-pcie", "a100", "rtx4090", "l4", "rx7900xtx", "arc-a770", "apple-m2", "llvmpipe"}

// work is an op as it is typed.
type work struct {
	op, shape, elem string
	set             func(o *catalog.Options)
	small           bool // less than fills the largest machine
}

func (w work) call() (*catalog.Call, error) {
	op, err := catalog.Find(w.op)
	if err != nil {
		return nil, err
	}
	o := catalog.DefaultOptions()
	o.DType = w.elem
	if w.set != nil {
		w.set(&o)
	}
	return op.Parse(w.shape, o)
}

func lowBits(o *catalog.Options) { o.Bits, o.Block = 4, 128 }

// families are the works of machines.md, one or a few for each family of ops.
var families = []work{
	{op: "matmul", shape: "4096x4096x4096", elem: "f32"}, {op: "matmul", shape: "4096x4096x4096", elem: "f16"},
	{op: "matmul", shape: "512x512x512", elem: "f16", small: true}, {op: "matmul", shape: "1x8192x8192", elem: "f16"},
	{op: "matmul", shape: "60x14336x4096", elem: "f16", small: true}, // few rows: memory alone, in whose bandwidth the H100 and the H200 differ
	{op: "matmul", shape: "64x64x65536", elem: "f32"}, {op: "quantized_matmul", shape: "1x4096x4096", elem: "f16", set: lowBits},
	{op: "attention", shape: "2x16x2048x128", elem: "f16"}, {op: "conv2d", shape: "16x64x56x56,64x64x3x3", elem: "f32"},
	{op: "softmax", shape: "16x1048576", elem: "f32"}, {op: "softmax", shape: "4096x4096", elem: "f32"}, {op: "layernorm", shape: "4096x4096", elem: "f16"},
	{op: "sum", shape: "16777216", elem: "f32"}, {op: "add", shape: "65536", elem: "f32"}, {op: "transpose", shape: "4096x4096", elem: "f16"},
	{op: "quantize", shape: "4096x4096", elem: "f32"}, {op: "uniform", shape: "16777216", elem: "f32"},
}

// launches are what a call launches on a preset. The tensors have the first type that the op takes, of the one asked for and two more.
func launches(name string, c *catalog.Call) (list []offline.Launch, err error) {
	dev, record := offline.Open(name, preset(name))
	defer dev.Close()
	for _, elem := range []string{c.Options.DType, "i32", "bool"} {
		o := c.Options
		o.DType = elem
		again, err := c.Op.Parse(c.Shape, o)
		if err != nil {
			return nil, err
		}
		p := again.Problem(again.Values())
		t, err := p.Empty(dev)
		if err != nil {
			return nil, err
		}
		if err = p.Run(t.Out, t.In); !errors.Is(err, weft.ErrUnsupported) {
			return record.Take(), err
		}
	}
	return nil, fmt.Errorf("%s takes no type", c.Op.Name)
}

// legally is launches, with an error for a config that its own search space refuses.
func legally(name string, c *catalog.Call) ([]offline.Launch, error) {
	var illegal error
	stop := tune.Listen(func(choice tune.Choice) {
		if !slices.ContainsFunc(choice.Legal, func(l tune.Candidate) bool { return string(l.Config) == string(choice.Config) }) {
			illegal = fmt.Errorf("the config of %s is not among the legal ones: %s", choice.Op, choice.Config)
		}
	})
	defer stop()
	list, err := launches(name, c)
	return list, errors.Join(err, illegal)
}

// groups is the number of workgroups of a launch.
func groups(l offline.Launch) int { return l.Grid[0] * l.Grid[1] * l.Grid[2] }

// launched is what families launch on each machine, as text and by the number of workgroups of the largest launch.
var launched = sync.OnceValues(func() (text map[string][]string, most map[string][]int) {
	text, most = map[string][]string{}, map[string][]int{}
	for _, name := range machines {
		for _, w := range families {
			var b strings.Builder
			largest := 0
			for _, l := range need(launches(name, need(w.call()))) {
				fmt.Fprintf(&b, "    %-16s %5d × %-4d  %s\n", l.Kernel.Name, groups(l), l.Artifact.Source.Threads, tune.WordsOf(l.Kernel.Config))
				largest = max(largest, groups(l))
			}
			text[name], most[name] = append(text[name], b.String()), append(most[name], largest)
		}
	}
	return text, most
})

// machineTexts are the tables of machines.md: what the machines are, and what they launch, those that launch the same together.
func machineTexts(*testing.T) map[string]string {
	var facts, table strings.Builder
	fmt.Fprintf(&facts, "%-10s %5s %8s %7s %7s %9s %9s %10s\n", "", "units", "threads", "shared", "cache", "memory", "f32", "f16 matrix")
	for _, name := range machines {
		m := preset(name).Facts()
		matrix := "-"
		if preset(name).Matrix != 0 {
			matrix = fmt.Sprintf("%.4g T", m.Matrix.F16/1e12)
		}
		fmt.Fprintf(&facts, "%-10s %5d %8d %7s %7s %9s %9s %10s\n", name, m.Units, m.Threads, fmt.Sprintf("%d K", m.Shared>>10),
			fmt.Sprintf("%d M", m.L2>>20), fmt.Sprintf("%.4g G", m.Memory/1e9), fmt.Sprintf("%.3g T", m.Flops/1e12), matrix)
	}
	text, _ := launched()
	for i, w := range families {
		fmt.Fprintf(&table, "%s%v\n", map[bool]string{true: "\n"}[i > 0], need(w.call()))
		shown := map[string]bool{}
		for _, name := range machines {
			if shown[name] {
				continue
			}
			var alike []string
			for _, other := range machines {
				if text[other][i] == text[name][i] {
					alike, shown[other] = append(alike, other), true
				}
			}
			fmt.Fprintf(&table, "  %s\n%s", strings.Join(alike, ", "), text[name][i])
		}
	}
	return map[string]string{"machines": facts.String(), "launches": table.String()}
}

// Any two of the machines launch something differently, and what is large enough has a workgroup for each unit of every machine, or for 19 of 20.
func TestMachinesDiffer(t *testing.T) {
	text, most := launched()
	for i, a := range machines {
		for _, b := range machines[:i] {
			if slices.Equal(text[a], text[b]) {
				t.Errorf("%s and %s launch the same", a, b)
			}
		}
		for j, w := range families {
			if units := preset(a).Facts().Units; 20*most[a][j] < 19*units && !w.small {
				t.Errorf("%s: %v in %d workgroups for %d units", a, need(w.call()), most[a][j], units)
			}
		}
	}
}

// compiled are the kernels that NVRTC was given, by architecture and text.
var compiled sync.Map

// compileCUDA compiles what a machine launches, if that is CUDA C.
func compileCUDA(t *testing.T, caps target.Caps, list []offline.Launch) {
	for _, l := range list {
		src := l.Artifact.Source
		if _, known := compiled.LoadOrStore(caps.Arch+"\n"+src.Text, true); known || src.Language != target.CUDA {
			continue
		}
		_, usage, log, err := compilers.NVRTC(t, caps.Arch, src.Entry, src.Text)
		if err != nil || log != "" {
			t.Errorf("%s for %s, %+v: %v\n%s", src.Entry, caps.Arch, l.Kernel.Config, err, log)
			continue
		}
		for _, u := range usage {
			if room := caps.Facts().Registers; u.Registers*src.Threads > room || u.Shared+src.Dynamic > caps.SharedBytes {
				t.Errorf("%s for %s, %+v: %d registers in %d threads and %d bytes of shared memory do not fit a unit", src.Entry, caps.Arch, l.Kernel.Config, u.Registers, src.Threads, u.Shared+src.Dynamic)
			}
		}
	}
}

// Every op, with the catalogue's shape and with shapes drawn by seed, launches configs on every machine that are legal there and that the compiler lowers;
// those for NVIDIA's GPUs compile with NVRTC for their architecture.
func TestEveryOpOnEveryMachine(t *testing.T) {
	var calls []*catalog.Call
	for _, op := range catalog.Ops() {
		shape, flags, _ := strings.Cut(op.Example, " ")
		o := catalog.DefaultOptions()
		if _, elem, ok := strings.Cut(flags, "--dtype "); ok {
			o.DType, _, _ = strings.Cut(elem, " ")
		}
		if strings.Contains(op.Example, "--bits") {
			lowBits(&o)
		}
		calls = append(calls, need(op.Parse(shape, o)))
	}
	for _, w := range families {
		calls = append(calls, need(w.call()))
	}
	calls = append(calls, drawn(24)...)
	var cuda []func(t *testing.T)
	for i, c := range calls {
		for _, name := range machines {
			t.Run(fmt.Sprintf("%d/%s/%s", i, c.Op.Name, name), func(t *testing.T) {
				testenv.Sample(t)
				list, err := legally(name, c)
				if err != nil || len(list) == 0 {
					t.Fatalf("%v: %d launches, %v", c, len(list), err)
				}
				if caps := preset(name); caps.Language == target.CUDA {
					cuda = append(cuda, func(t *testing.T) { compileCUDA(t, caps, list) })
				}
			})
		}
	}
	t.Run("nvrtc", func(t *testing.T) {
		compilers.RequireNVRTC(t)
		for _, compile := range cuda {
			compile(t)
		}
	})
}

// drawn are calls of ops with rules of their own, with sizes that are drawn: odd ones, small ones and large ones.
func drawn(count int) (list []*catalog.Call) {
	rng := rand.New(rand.NewPCG(14, 9))
	size := func(most int) int { return 1 + rng.IntN(1<<rng.IntN(most+1)) }
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	for i := range count {
		var w work
		switch i % 8 {
		case 0, 1, 2:
			w = work{op: "matmul", shape: fmt.Sprintf("%dx%dx%d", size(12), size(12), size(12)), elem: pick("f32", "f16", "bf16", "i8"),
				set: func(o *catalog.Options) { o.Layout = pick("nn", "nt", "tn", "tt") }}
		case 3:
			w = work{op: "attention", shape: fmt.Sprintf("%dx%dx%dx%d", size(2), size(3), size(11), 8*(1+rng.IntN(32))), elem: pick("f32", "f16")}
		case 4:
			w = work{op: pick("softmax", "log_softmax", "layernorm", "rmsnorm"), shape: fmt.Sprintf("%dx%d", size(11), size(15)), elem: pick("f32", "f16")}
		case 5:
			w = work{op: pick("sum", "max", "argmax", "var"), shape: fmt.Sprintf("%dx%d", size(13), size(13)), elem: pick("f32", "f16")}
		case 6:
			w = work{op: "conv2d", elem: pick("f32", "f16"), shape: func() string {
				channels, side := size(7), 7+size(6)
				return fmt.Sprintf("%dx%dx%dx%d,%dx%dx3x3", size(4), channels, side, side, size(8), channels)
			}()}
		case 7:
			w = work{op: pick("quantized_matmul", "linear"), shape: fmt.Sprintf("%dx%dx%d", size(9), size(12), 128*size(5)), elem: "f16"}
		}
		list = append(list, need(w.call()))
	}
	return list
}
