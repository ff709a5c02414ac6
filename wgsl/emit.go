package wgsl

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// writer prints one kernel.
type writer struct {
	*cstyle.Printer
	kernel  *simt.Func
	caps    target.Caps
	names   *cstyle.Names
	buffers map[*simt.Buffer]*array
	shared  map[*simt.Shared]*array
	params  string   // name of the uniform struct
	members []string // its members
	thread  string   // name of the thread's number, "" if not used
	group   string   // name of the workgroup's coordinates, "" if not used
	helpers helpers
	// extensions that the text uses
	f16, subgroups bool
}

// EntryName is a name that an entry point of WGSL can have: the given one, or one
// like it if that is a word of the language.
func EntryName(name string) string { return newNames().Unique(name) }

var (
	reservedWords   = sync.OnceValue(func() *cstyle.Reserved { return cstyle.Reserve(keywords, reserved, types, predeclared, helperNames()) })
	reservedMembers = sync.OnceValue(func() *cstyle.Reserved { return cstyle.Reserve(keywords, reserved, types) })
)

func newNames() *cstyle.Names { return cstyle.NewNames(reservedWords()) }

// Emit prints a verified kernel. The entry point is called k.Name, which must
// be as EntryName returns it. Extensions of the language are used where caps promises
// them; a shuffle beyond what it promises is fault.ErrUnsupported, and so
// are integers of 64 bits.
func Emit(k *simt.Func, caps target.Caps) (string, error) {
	w := &writer{kernel: k, caps: caps, buffers: map[*simt.Buffer]*array{}, shared: map[*simt.Shared]*array{}, names: newNames()}
	if !w.names.Fits(k.Name) {
		return "", fault.New(fault.ErrKernel, "wgsl", "%q cannot be the name of an entry point, want a name of WGSL", k.Name)
	}
	if err := cmp.Or(checkTypes(k), checkDeclared(k), checkMatrices(k, caps)); err != nil {
		return "", err
	}
	w.names.Unique(k.Name)
	w.declare()
	body, err := cstyle.Body(k, w.names, func(p *cstyle.Printer) cstyle.Dialect {
		w.Printer = p
		return w
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	w.writeExtensions(&b)
	w.writeMemory(&b)
	w.writeParams(&b)
	w.helpers.write(&b)
	w.writeEntry(&b, body)
	return b.String(), nil
}

// declare names all that stands outside the entry point.
func (w *writer) declare() {
	for _, buf := range w.kernel.Buffers {
		w.buffers[buf] = bufferArray(buf)
		w.buffers[buf].name = w.names.Unique(buf.Name)
		w.f16 = w.f16 || w.buffers[buf].word == dtype.F16
	}
	for _, s := range w.kernel.Shared {
		w.shared[s] = sharedArray(s)
		w.shared[s].name = w.names.Unique(s.Name)
		w.f16 = w.f16 || w.shared[s].word == dtype.F16
	}
	for _, m := range w.kernel.Cooperative {
		w.f16 = w.f16 || m.Sums[dtype.F16] != dtype.Invalid
	}
	if len(w.kernel.Words) == 0 {
		return
	}
	w.params = w.names.Unique("params")
	members := cstyle.NewNames(reservedMembers())
	for _, word := range w.kernel.Words {
		w.members = append(w.members, members.Unique(word.Name))
	}
}

func (w *writer) writeExtensions(b *strings.Builder) {
	matrices := len(w.kernel.Cooperative) > 0
	if matrices { // the places of matrices are the same in a subgroup's threads, as the compiler cannot know
		b.WriteString("diagnostic(off, chromium.subgroup_matrix_uniformity);\n")
	}
	for _, extension := range []struct {
		used bool
		name string
	}{{w.f16, "f16"}, {w.subgroups, "subgroups"}, {matrices, "chromium_experimental_subgroup_matrix"}} {
		if extension.used {
			fmt.Fprintf(b, "enable %s;\n", extension.name)
		}
	}
	if w.f16 || w.subgroups || matrices {
		b.WriteString("\n")
	}
}

func (w *writer) writeMemory(b *strings.Builder) {
	for i, buf := range w.kernel.Buffers {
		a, access := w.buffers[buf], "read"
		if buf.Write {
			access = "read_write"
		}
		fmt.Fprintf(b, "@group(0) @binding(%d) var<storage, %s> %s: array<%s>;%s\n", i, access, a.name, a.element(), a.comment())
	}
	for _, s := range w.kernel.Shared {
		a := w.shared[s]
		fmt.Fprintf(b, "var<workgroup> %s: array<%s, %d>;%s\n", a.name, a.element(), a.length(s.Len), cstyle.Remark(s.Comment()))
	}
}

func (w *writer) writeParams(b *strings.Builder) {
	if w.params == "" {
		return
	}
	b.WriteString("\nstruct Params {\n")
	for i, word := range w.kernel.Words {
		fmt.Fprintf(b, "    %s: %v,\n", w.members[i], word.Elem)
	}
	fmt.Fprintf(b, "}\n@group(0) @binding(%d) var<uniform> %s: Params;\n", len(w.kernel.Buffers), w.params)
}

func (w *writer) writeEntry(b *strings.Builder, body string) {
	var args []string
	if w.group != "" {
		args = append(args, "@builtin(workgroup_id) "+w.group+": vec3<u32>")
	}
	if w.thread != "" {
		args = append(args, "@builtin(local_invocation_index) "+w.thread+": u32")
	}
	fmt.Fprintf(b, "\n@compute @workgroup_size(%d, 1, 1)\n", w.kernel.Threads)
	fmt.Fprintf(b, "%s {\n%s}\n", cstyle.Signature("fn "+w.kernel.Name, args), body)
}

// Declare prints "let x = value;", or a variable with its type.
func (w *writer) Declare(name string, t simt.Type, value cstyle.Expr, variable bool) string {
	if variable && value.Text == "" {
		return fmt.Sprintf("var %s: %s;", name, typeName(t))
	}
	if variable {
		return fmt.Sprintf("var %s: %s = %s;", name, typeName(t), value.Text)
	}
	return fmt.Sprintf("let %s = %s;", name, value.Text)
}

// For prints a loop's head; WGSL cannot ask for unrolling.
func (w *writer) For(op *simt.Op, i string, lo, hi, step cstyle.Expr) []string {
	end, advance := cstyle.Paren(hi, cstyle.Additive), i+" += "+step.Text
	if op.MayWrap() {
		advance = fmt.Sprintf("%[1]s = select(%[2]s, %[1]s + %[3]s, bitcast<u32>(%[4]s - %[1]s) > bitcast<u32>(%[5]s))",
			i, hi.Text, cstyle.Paren(step, cstyle.Multiplicative), end, step.Text)
	}
	return []string{fmt.Sprintf("for (var %s: i32 = %s; %s < %s; %s) {", i, lo.Text, i, end, advance)}
}

// Group refuses: WGSL has no matrix instructions.
func (w *writer) Group(op *simt.Op, _ [][2]cstyle.Expr, _ []string) error {
	return fault.New(fault.ErrUnsupported, "wgsl", "the op %v is not supported", op.Kind).At(op.Line)
}

// Tensor refuses copies by the hardware.
func (w *writer) Tensor(op *simt.Op, _ []cstyle.Expr) (string, error) {
	return "", fault.New(fault.ErrUnsupported, "wgsl", "the op %v is not supported", op.Kind).At(op.Line)
}

// Roles refuses: WGSL has no asynchronous copies for a producer.
func (w *writer) Roles(op *simt.Op) (_, _ []string, err error) {
	_, err = w.Tensor(op, nil)
	return nil, nil, err
}

// Copy refuses: WGSL has no asynchronous copies.
func (w *writer) Copy(op *simt.Op, _, _, _ cstyle.Expr) (string, error) {
	return "", fault.New(fault.ErrUnsupported, "wgsl", "the op %v is not supported", op.Kind).At(op.Line)
}

// Barrier makes the workgroup meet.
func (w *writer) Barrier(op *simt.Op) string {
	if op.Buffers {
		return "workgroupBarrier(); storageBarrier();"
	}
	return "workgroupBarrier();"
}
