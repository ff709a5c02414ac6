package standalone

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

//go:embed host.cpp.in
var hostCode string

// hostMark is the line at which device code ends.
const hostMark = "// What follows is C++ for the host"

// file is a file being written.
type file struct {
	*Plan
	device  strings.Builder
	host    strings.Builder
	defined map[string]string // helpers of the device code by their first lines
	entries map[string]string // kernels' names by their texts
	notes   []string          // what the head says of the kernels
	steps   [][][]compiled    // the kernels of each way's steps
}

func newFile(p *Plan) *file {
	return &file{Plan: p, defined: map[string]string{}, entries: map[string]string{}}
}

// CUDA writes the plan as one file of CUDA C++. The kernels are compiled for any sizes, and anew for what holds at those
// that were asked for, if this makes them faster.
//
// Errors: what the compiler says, and ErrUnsupported for kernels that need more than pointers and words.
func (p *Plan) CUDA() (string, error) {
	return newFile(p).write()
}

func (f *file) write() (string, error) {
	f.host.WriteString(hostCode)
	for i, w := range f.Ways {
		if err := f.way(i, w); err != nil {
			return "", err
		}
	}
	f.solve()
	return f.head() + f.device.String() + "\n" + f.host.String() + "#endif\n", nil
}

// way writes the kernels and the function of a way.
func (f *file) way(i int, w Way) error {
	var calls strings.Builder
	sizes := f.sample(w)
	operands := len(f.In) + len(f.Out)
	f.steps = append(f.steps, nil)
	for j, s := range w.Steps {
		variants, err := f.variants(s, sizes)
		if err != nil {
			return err
		}
		f.steps[i] = append(f.steps[i], variants)
		name := fmt.Sprintf("step_%d_%d", i, j)
		if err := f.step(name, s, variants); err != nil {
			return err
		}
		fmt.Fprintf(&calls, "    if (status == cudaSuccess) status = %s(buffers%s, stream);\n", name, f.arguments(""))
	}
	fmt.Fprintf(&f.host, "static cudaError_t way_%d(void* const* operands%s, cudaStream_t stream) {\n", i, f.arguments("weft::i64 "))
	fmt.Fprintf(&f.host, "    void* buffers[%d] = {0};\n    for (int i = 0; i < %d; i++) buffers[i] = operands[i];\n", operands+len(w.Workspace), operands)
	f.host.WriteString("    cudaError_t status = cudaSuccess;\n")
	for j, ws := range w.Workspace {
		fmt.Fprintf(&f.host, "    if (weft::beyond(1.0 * %s)) return cudaErrorInvalidValue;\n", ws.Elements.c(f.Vars))
		fmt.Fprintf(&f.host, "    if (status == cudaSuccess) status = cudaMallocAsync(&buffers[%d], (%s) * %d, stream);\n",
			operands+j, ws.Elements.c(f.Vars), ws.Bytes)
	}
	f.host.WriteString(calls.String())
	for j := range w.Workspace {
		at := operands + j
		fmt.Fprintf(&f.host, "    if (buffers[%d]) {\n        const cudaError_t freed = cudaFreeAsync(buffers[%d], stream);\n        if (status == cudaSuccess) status = freed;\n    }\n", at, at)
	}
	f.host.WriteString("    return status;\n}\n\n")
	return nil
}

// sample is the sizes that were asked for, or such as a way takes.
func (f *file) sample(w Way) []int {
	sizes := f.Call.Values()
	if w.Most > 0 {
		sizes[w.Size] = min(sizes[w.Size], w.Most)
	}
	return sizes
}

// arguments lists the variables, each after a comma.
func (f *file) arguments(prefix string) string {
	var b strings.Builder
	for _, v := range f.Vars {
		b.WriteString(", " + prefix + v)
	}
	return b.String()
}

// step writes the kernels of a launch and the function that chooses and starts one.
func (f *file) step(name string, s Step, variants []compiled) error {
	buffers := s.distinct()
	var bytes, pointers []string
	for _, b := range buffers {
		view := s.Kernel.Views[slices.Index(s.Buffers, b)]
		pointers, bytes = append(pointers, fmt.Sprintf("buffers[%d]", b)), append(bytes, fmt.Sprint(view.Elem.Size()))
	}
	w := &f.host
	fmt.Fprintf(w, "// %s: %s\n", name, s.Kernel.Name)
	fmt.Fprintf(w, "static cudaError_t %s(void* const* buffers%s, cudaStream_t stream) {\n", name, f.arguments("weft::i64 "))
	for _, v := range f.Vars {
		fmt.Fprintf(w, "    (void)%s;\n", v)
	}
	fmt.Fprintf(w, "    void* p[] = {%s};\n    const int bytes[] = {%s};\n    weft::i64 shift[%d];\n", strings.Join(pointers, ", "), strings.Join(bytes, ", "), len(buffers))
	fmt.Fprintf(w, "    if (!weft::align(p, shift, bytes, %d)) return cudaErrorMisalignedAddress;\n", len(buffers))
	for axis := range 3 {
		text := "1"
		if v := s.Kernel.Grid[axis]; v != nil {
			var err error
			if text, err = f.grid(s, v); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "    const weft::i64 g%d = %s;\n", axis, text)
	}
	w.WriteString("    if (g0 <= 0 || g1 <= 0 || g2 <= 0) return cudaSuccess;\n")
	w.WriteString("    if (1.0 * g0 * g1 * g2 > 2147483647.0) return cudaErrorInvalidValue;\n")
	f.words(s, buffers)
	for _, c := range variants {
		if err := f.variant(s, c, len(buffers)); err != nil {
			return err
		}
	}
	w.WriteString("}\n\n")
	return nil
}

// words writes the words of a launch: those of the views, the scalars, and the grid.
func (f *file) words(s Step, buffers []int) {
	f.host.WriteString("    weft::i64 w[] = {\n")
	for v, words := range s.Words {
		var text []string
		for i, e := range words {
			x := e.c(f.Vars)
			if i == 0 {
				shift := fmt.Sprintf("shift[%d]", slices.Index(buffers, s.Buffers[v]))
				if x = shift + " + " + x; e.isConst() && e.eval(nil) == 0 {
					x = shift
				}
			}
			text = append(text, x)
		}
		fmt.Fprintf(&f.host, "        %s, // %s: offset, sizes, strides\n", strings.Join(text, ", "), s.Kernel.Views[v].Name)
	}
	for i, x := range s.Scalars {
		text := x.Expr.c(f.Vars)
		if x.Float {
			text = "weft::bits((float)(" + text + "))"
		}
		fmt.Fprintf(&f.host, "        %s, // %s\n", text, s.Kernel.Scalars[i].Name)
	}
	f.host.WriteString("        g0, g1, g2, g0,\n    };\n")
}

// variant writes a kernel and its start, which is conditional but for the last one.
func (f *file) variant(s Step, c compiled, pointers int) error {
	entry, err := f.kernel(c)
	if err != nil {
		return err
	}
	taken := c.artifact.Words()
	if pointers+len(taken) > 128 {
		return f.fail("%s has %d parameters, want at most 128", s.Kernel.Name, pointers+len(taken))
	}
	w, indent := &f.host, "    "
	if len(c.tests) > 0 {
		conditions, told := f.conditions(s, c)
		f.notes = append(f.notes, fmt.Sprintf("%s for %s", entry, strings.Join(told, ", ")))
		if s.Kernel.Grid[1] != nil || s.Kernel.Grid[2] != nil {
			conditions = append(conditions, "g1 <= 65535 && g2 <= 65535")
		}
		fmt.Fprintf(w, "    if (%s) {\n", strings.Join(conditions, " && "))
		indent = "        "
	} else {
		f.notes = append(f.notes, entry+" for any sizes")
	}
	grid := "g0, g1, g2"
	if c.facts.Folded {
		fmt.Fprintf(w, "%sw[%d] = g0 * g1 * g2; // the grid in one row\n", indent, s.Kernel.WordCount()+3)
		grid = "g0 * g1 * g2, 1, 1"
	}
	fmt.Fprintf(w, "%sconst weft::i64 grid[] = {%s};\n", indent, grid)
	list := strings.Trim(fmt.Sprint(taken), "[]")
	if list == "" {
		list = "0"
	}
	fmt.Fprintf(w, "%sstatic const int taken[] = {%s};\n", indent, strings.ReplaceAll(list, " ", ", "))
	fmt.Fprintf(w, "%sreturn weft::launch((const void*)%s, %d, %d, grid, p, %d, w, taken, %d, stream);\n", indent, entry,
		c.artifact.Source.Threads, c.artifact.Source.Dynamic, pointers, len(taken))
	if len(c.tests) > 0 {
		w.WriteString("    }\n")
	}
	return nil
}

// conditions are the tests of a variant in C, those of pointers through the words, and for people.
func (f *file) conditions(s Step, c compiled) (list, told []string) {
	operands := slices.Concat(f.In, f.Out)
	for _, t := range c.tests {
		view := s.Kernel.Views[t.view]
		text := s.Words[t.view][t.word].c(f.Vars)
		if strings.Contains(text, " ") {
			text = "(" + text + ")"
		}
		say := fmt.Sprintf("%s %% %d == 0", text, t.divisor)
		if t.word == 0 {
			text = fmt.Sprintf("w[%d]", s.Kernel.ViewWord(view))
			say = ""
			if b := s.Buffers[t.view]; b < len(operands) { // the workspace is always aligned
				say = fmt.Sprintf("%s aligned to %d bytes", operands[b].Name, t.divisor*view.Elem.Size())
			}
		}
		list = append(list, fmt.Sprintf("%s %% %d == 0", text, t.divisor))
		if say != "" {
			told = append(told, say)
		}
	}
	return list, told
}

// kernel writes a kernel, once for a text, and returns its name.
func (f *file) kernel(c compiled) (string, error) {
	src := c.artifact.Source
	if name, ok := f.entries[src.Text]; ok {
		return name, nil
	}
	if len(src.Maps) > 0 {
		return "", f.fail("%s copies by tensor maps, which the file's host code does not make", src.Entry)
	}
	name := fmt.Sprintf("%s_%d", src.Entry, len(f.entries))
	const mark = `extern "C" __global__ `
	helpers, kernel, found := strings.Cut(src.Text, mark)
	if !found || strings.Count(kernel, " "+src.Entry+"(") != 1 || src.Words != len(c.artifact.Words()) {
		return "", f.fail("%s is not a kernel of one function that its file can call", src.Entry)
	}
	for _, block := range blocks(helpers) {
		first, _, _ := strings.Cut(block, "\n")
		switch had, ok := f.defined[first]; {
		case !ok:
			f.defined[first] = block
			f.device.WriteString(block)
		case had != block:
			return "", f.fail("%s: two helpers are called %q", src.Entry, first)
		}
	}
	f.entries[src.Text] = name
	f.device.WriteString("\n__global__ " + strings.Replace(kernel, " "+src.Entry+"(", " "+name+"(", 1))
	return name, nil
}

// blocks cuts code into its definitions.
func blocks(code string) (list []string) {
	var block strings.Builder
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		block.WriteString(line)
		text := strings.TrimRight(line, "\n")
		if text == "}" || text == "};" || !strings.HasPrefix(line, " ") && strings.HasSuffix(text, ";") && !strings.HasPrefix(text, "}") || strings.HasPrefix(text, "#") {
			list = append(list, block.String())
			block.Reset()
		}
	}
	if block.Len() > 0 {
		list = append(list, block.String())
	}
	return list
}

// grid prints a dimension of the grid.
func (f *file) grid(s Step, v *tile.Value) (string, error) {
	op := v.Op()
	args := make([]string, len(op.Args))
	for i, a := range op.Args {
		var err error
		if args[i], err = f.grid(s, a); err != nil {
			return "", err
		}
	}
	infix := map[tile.Kind]string{tile.OpAdd: "+", tile.OpSub: "-", tile.OpMul: "*", tile.OpAnd: "&", tile.OpOr: "|", tile.OpXor: "^",
		tile.OpEq: "==", tile.OpNe: "!=", tile.OpLt: "<", tile.OpLe: "<=", tile.OpGt: ">", tile.OpGe: ">=", tile.OpShl: "<<", tile.OpShr: ">>"}
	calls := map[tile.Kind]string{tile.OpDiv: "quotient", tile.OpRem: "remainder", tile.OpMin: "least", tile.OpMax: "most"}
	switch op.Kind {
	case tile.OpConst:
		return fmt.Sprint(int64(op.Number)), nil
	case tile.OpDim:
		return "(" + s.Words[op.View.Index][1+op.Axis].c(f.Vars) + ")", nil
	case tile.OpArg:
		return "(" + s.Scalars[op.Scalar.Index].Expr.c(f.Vars) + ")", nil
	case tile.OpMultipleOf:
		return args[0], nil
	case tile.OpSelect:
		return fmt.Sprintf("(%s ? %s : %s)", args[0], args[1], args[2]), nil
	case tile.OpFMA:
		return fmt.Sprintf("(%s * %s + %s)", args[0], args[1], args[2]), nil
	}
	if sign, ok := infix[op.Kind]; ok {
		return fmt.Sprintf("(%s %s %s)", args[0], sign, args[1]), nil
	}
	if call, ok := calls[op.Kind]; ok {
		return fmt.Sprintf("weft::%s(%s, %s)", call, args[0], args[1]), nil
	}
	return "", f.fail("%s: the grid uses the op %v, which has no form in C++", s.Kernel.Name, op.Kind)
}

// ctypes are the element types in C++ as callers know them.
var ctypes = map[weft.DType]string{
	weft.F32: "float", weft.F16: "__half", weft.BF16: "__nv_bfloat16", weft.I8: "signed char", weft.U8: "unsigned char",
	weft.I32: "int", weft.U32: "unsigned", weft.I64: "long long", weft.U64: "unsigned long long", weft.Bool: "bool",
}

// signature is the parameters of solve.
func (f *file) signature() string {
	var list []string
	for _, o := range f.In {
		list = append(list, fmt.Sprintf("const %s* %s", ctypes[o.Elem], o.Name))
	}
	for _, o := range f.Out {
		list = append(list, fmt.Sprintf("%s* %s", ctypes[o.Elem], o.Name))
	}
	for _, s := range f.Sizes {
		list = append(list, "int "+s)
	}
	return strings.Join(list, ", ")
}

// solve writes the functions that others call.
func (f *file) solve() {
	w := &f.host
	for _, h := range []struct {
		elem   weft.DType
		header string
	}{{weft.F16, "cuda_fp16.h"}, {weft.BF16, "cuda_bf16.h"}} {
		if slices.ContainsFunc(slices.Concat(f.In, f.Out), func(o Operand) bool { return o.Elem == h.elem }) {
			fmt.Fprintf(w, "#include <%s>\n\n", h.header)
		}
	}
	fmt.Fprintf(w, "// weft_%s queues the work on a stream and returns a cudaError_t.\n", f.Call.Op.Name)
	fmt.Fprintf(w, "extern \"C\" int weft_%s(%s, cudaStream_t stream) {\n", f.Call.Op.Name, f.signature())
	for i, s := range f.Sizes {
		fmt.Fprintf(w, "    if (%s < 1", s)
		if f.Fixed[i] != 0 {
			fmt.Fprintf(w, " || %s != %d", s, f.Fixed[i])
		}
		if f.Times[i] > 1 {
			fmt.Fprintf(w, " || %s %% %d != 0", s, f.Times[i])
		}
		w.WriteString(") return cudaErrorInvalidValue;\n")
	}
	for _, d := range f.derived {
		fmt.Fprintf(w, "    const weft::i64 %s = %s;\n    if (%s < 1) return cudaErrorInvalidValue;\n", d.name, d.c, d.name)
	}
	var operands, names []string
	for _, o := range slices.Concat(f.In, f.Out) {
		names = append(names, "(void*)"+o.Name)
		size := []string{"1.0"}
		for _, e := range o.Shape {
			size = append(size, "("+e.c(f.Vars)+")")
		}
		operands = append(operands, fmt.Sprintf("weft::beyond(%s)", strings.Join(size, " * ")))
	}
	fmt.Fprintf(w, "    if (%s) return cudaErrorInvalidValue;\n", strings.Join(operands, " || "))
	fmt.Fprintf(w, "    void* const operands[] = {%s};\n", strings.Join(names, ", "))
	for i, way := range f.Ways {
		condition := ""
		if i < len(f.Ways)-1 {
			condition = fmt.Sprintf("if (%s <= %d) ", f.Sizes[way.Size], way.Most)
		}
		fmt.Fprintf(w, "    %sreturn way_%d(operands%s, stream);\n", condition, i, f.arguments(""))
	}
	var arguments []string
	for _, o := range slices.Concat(f.In, f.Out) {
		arguments = append(arguments, o.Name)
	}
	arguments = append(append(arguments, f.Sizes...), "0")
	fmt.Fprintf(w, `}

// solve does the work and waits for it; what goes wrong is written to stderr.
extern "C" void solve(%s) {
    int status = weft_%s(%s);
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    if (status != cudaSuccess) fprintf(stderr, "weft_%s: %%s\n", cudaGetErrorString((cudaError_t)status));
}
`, f.signature(), f.Call.Op.Name, strings.Join(arguments, ", "), f.Call.Op.Name)
}

// head is the comment at the top.
func (f *file) head() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimRight("// "+fmt.Sprintf(format, args...), " ") + "\n")
	}
	line("%s: %s", f.Call.Op.Name, f.Call.Op.About)
	line("")
	line("    extern \"C\" void solve(%s);", f.signature())
	line("")
	for _, o := range slices.Concat(f.In, f.Out) {
		var shape []string
		for _, e := range o.Shape {
			shape = append(shape, e.c(f.Vars))
		}
		role := "input "
		if slices.ContainsFunc(f.Out, func(x Operand) bool { return x.Name == o.Name }) {
			role = "output"
		}
		order := "row-major"
		if o.Transposed {
			order = "with the last two dimensions exchanged in memory (column-major)"
		}
		line("%s %-8s %v [%s], dense, %s", role, o.Name, o.Elem, strings.Join(shape, ", "), order)
	}
	for i, s := range f.Sizes {
		switch {
		case f.Fixed[i] != 0:
			line("%s must be %d, which the kernels are compiled for.", s, f.Fixed[i])
		case f.Times[i] > 1:
			line("%s must be a multiple of %d.", s, f.Times[i])
		}
	}
	for _, d := range f.derived {
		line("%s = %s", d.name, d.c)
	}
	line("")
	line("Pointers are to device memory, aligned to their elements; outputs overlap nothing. Sizes are any from 1 up, as long as")
	line("no operand has more than 2^31 - 2^20 elements. Of the kernels solve takes the first that fits:")
	for _, n := range f.notes {
		line("    %s", n)
	}
	line("")
	line("Written by weft for %s, from %s. Build: nvcc -O3 -std=c++17 -arch=%s", f.Caps.Arch, f.Call, f.Caps.Arch)
	b.WriteString("\n")
	return b.String()
}
