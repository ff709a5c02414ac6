package standalone

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

//go:embed file.cu.in
var fileText string

// fileTemplate is what a file looks like; its data is a *file.
var fileTemplate = template.Must(template.New("file").Delims("<%", "%>").Funcs(template.FuncMap{
	"join": func(list []string) string { return strings.Join(list, ", ") },
}).Parse(fileText))

// hostMark is the line at which device code ends.
const hostMark = "// What follows is C++ for the host"

// file is a file being written. What is exported is for the template.
type file struct {
	*Plan
	Code    []wayCode // of the plan's ways
	Notes   []string  // what the head says of the kernels
	device  strings.Builder
	defined map[string]string // helpers of the device code by their first lines
	entries map[string]string // kernels' names by their texts
}

// wayCode is what the file has of a way.
type wayCode struct {
	Way
	Steps []stepCode
}

// stepCode is what the file has of a launch, in C++.
type stepCode struct {
	Step
	Name            string
	Pointers, Bytes []string // of the distinct buffers, and of their elements
	Sizes           [3]string
	Words           []string
	Variants        []variantCode
}

// variantCode is what the file has of a kernel.
type variantCode struct {
	compiled
	Threads, Dynamic  int // of a workgroup: threads, and bytes of shared memory that the text does not declare
	Entry             string
	Condition, Indent string
	Fold              int // word of the grid in one row, 0 if the grid is not folded
	Pointers          int
	Taken             []string
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
	for i, w := range f.Ways {
		code := wayCode{Way: w}
		sizes := f.sample(w)
		for j, s := range w.Steps {
			step, err := f.step(fmt.Sprintf("step_%d_%d", i, j), s, sizes)
			if err != nil {
				return "", err
			}
			code.Steps = append(code.Steps, step)
		}
		f.Code = append(f.Code, code)
	}
	var text strings.Builder
	err := fileTemplate.Execute(&text, f)
	return text.String(), err
}

// sample is the sizes that were asked for, or such as a way takes.
func (f *file) sample(w Way) []int {
	sizes := f.Call.Values()
	if w.Most > 0 {
		sizes[w.Size] = min(sizes[w.Size], w.Most)
	}
	return sizes
}

// step compiles the kernels of a launch, of which the file chooses one.
func (f *file) step(name string, s Step, sizes []int) (c stepCode, err error) {
	c = stepCode{Step: s, Name: name, Sizes: [3]string{"1", "1", "1"}}
	for _, b := range s.distinct() {
		view := s.Kernel.Views[slices.Index(s.Buffers, b)]
		c.Pointers, c.Bytes = append(c.Pointers, fmt.Sprintf("buffers[%d]", b)), append(c.Bytes, fmt.Sprint(view.Elem.Size()))
	}
	for axis, v := range s.Kernel.Grid {
		if v == nil {
			continue
		}
		if c.Sizes[axis], err = f.grid(s, v); err != nil {
			return c, err
		}
	}
	c.Words = f.words(s)
	variants, err := f.variants(s, sizes)
	if err != nil {
		return c, err
	}
	for _, v := range variants {
		code, err := f.variant(s, v)
		if err != nil {
			return c, err
		}
		c.Variants = append(c.Variants, code)
	}
	return c, nil
}

// words are lines with the words of a launch: those of the views, and the scalars.
func (f *file) words(s Step) (lines []string) {
	for v, words := range s.Words {
		var text []string
		for i, e := range words {
			x := f.C(e)
			if i == 0 {
				shift := fmt.Sprintf("shift[%d]", slices.Index(s.distinct(), s.Buffers[v]))
				if x = shift + " + " + x; e.isConst() && e.eval(nil) == 0 {
					x = shift
				}
			}
			text = append(text, x)
		}
		lines = append(lines, fmt.Sprintf("%s, // %s: offset, sizes, strides", strings.Join(text, ", "), s.Kernel.Views[v].Name))
	}
	for i, x := range s.Scalars {
		text := f.C(x.Expr)
		if x.Float {
			text = "weft::bits((float)(" + text + "))"
		}
		lines = append(lines, fmt.Sprintf("%s, // %s", text, s.Kernel.Scalars[i].Name))
	}
	return lines
}

// variant writes a kernel and says how it starts, on a condition for all but the last one.
func (f *file) variant(s Step, c compiled) (v variantCode, err error) {
	src := c.artifact.Source
	v = variantCode{compiled: c, Threads: src.Threads, Dynamic: src.Dynamic, Indent: "    ", Pointers: len(s.distinct())}
	if v.Entry, err = f.kernel(c); err != nil {
		return v, err
	}
	for _, w := range c.artifact.Words() {
		v.Taken = append(v.Taken, fmt.Sprint(w))
	}
	if n := v.Pointers + len(v.Taken); n > 128 {
		return v, f.fail("%s has %d parameters, want at most 128", s.Kernel.Name, n)
	}
	if c.facts.Folded {
		v.Fold = s.Kernel.WordCount() + 3
	}
	if len(c.tests) == 0 {
		f.Notes = append(f.Notes, v.Entry+" for any sizes")
		return v, nil
	}
	conditions, told := f.conditions(s, c)
	if len(told) == 0 {
		told = []string{"a workspace that is aligned, as it is"}
	}
	f.Notes = append(f.Notes, fmt.Sprintf("%s for %s", v.Entry, strings.Join(told, ", ")))
	if s.Kernel.Grid[1] != nil || s.Kernel.Grid[2] != nil {
		conditions = append(conditions, "g1 <= 65535 && g2 <= 65535")
	}
	v.Condition, v.Indent = strings.Join(conditions, " && "), "        "
	return v, nil
}

// conditions are the tests of a variant in C, those of pointers through the words, and for people.
func (f *file) conditions(s Step, c compiled) (list, told []string) {
	operands := f.Operands()
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
	weft.F32: "float", weft.F16: "__half", weft.BF16: "__nv_bfloat16", weft.I8: "signed char", weft.U8: "unsigned char", weft.I16: "short", weft.U16: "unsigned short",
	weft.I32: "int", weft.U32: "unsigned", weft.I64: "long long", weft.U64: "unsigned long long", weft.Bool: "bool",
}

// What follows is for the template.

// Device is the text of all kernels.
func (f *file) Device() string { return f.device.String() }

// C prints an expression in C.
func (f *file) C(e Expr) string { return e.c(f.Vars) }

// Operands are those of the op, inputs first.
func (f *file) Operands() []Operand { return slices.Concat(f.In, f.Out) }

// Workspace is the index of a buffer of the workspace.
func (f *file) Workspace(i int) int { return len(f.In) + len(f.Out) + i }

// Buffers is how many buffers a way has.
func (f *file) Buffers(w wayCode) int { return f.Workspace(len(w.Workspace)) }

// Variables lists the variables, each after a comma.
func (f *file) Variables(prefix string) string {
	var b strings.Builder
	for _, v := range f.Vars {
		b.WriteString(", " + prefix + v)
	}
	return b.String()
}

// Headers are those of CUDA that the operands' types need.
func (f *file) Headers() (list []string) {
	for elem, header := range map[weft.DType]string{weft.F16: "cuda_fp16.h", weft.BF16: "cuda_bf16.h"} {
		if slices.ContainsFunc(f.Operands(), func(o Operand) bool { return o.Elem == elem }) {
			list = append(list, header)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// Signature is the parameters of solve.
func (f *file) Signature() string {
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

// Describe says what an operand is.
func (f *file) Describe(o Operand) string {
	var shape []string
	for _, e := range o.Shape {
		shape = append(shape, f.C(e))
	}
	order := "row-major"
	if o.Transposed {
		order = "with the last two dimensions exchanged in memory (column-major)"
	}
	return fmt.Sprintf("%-8s %v [%s], dense, %s", o.Name, o.Elem, strings.Join(shape, ", "), order)
}
