package cuda

import (
	"fmt"
	"slices"
	"strconv"
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
	buffers map[*simt.Buffer]string
	shared  map[*simt.Shared]string
	words   []string
	helpers helpers
	// overloads are the functions on vectors that are declared
	overloads map[overload]bool
	maps      map[*simt.TensorMap]string
	inRole    bool // what is printed is executed by some of the threads
}

// EntryName is a name that a kernel in CUDA C can have: the given one, or one
// like it if that is a word of the language.
func EntryName(name string) string { return newNames().Unique(name) }

var reservedWords = sync.OnceValue(func() *cstyle.Reserved { return cstyle.Reserve(keywords, predeclared, helperNames()) })

func newNames() *cstyle.Names { return cstyle.NewNames(reservedWords()) }

// Emit prints a verified kernel. The entry point is called k.Name, which must
// be as EntryName returns it. caps.Arch, such as "sm_90a", tells which
// instructions there are; without it only those of every GPU are used.
func Emit(k *simt.Func, caps target.Caps) (string, error) {
	names := newNames()
	if !names.Fits(k.Name) {
		return "", fault.New(fault.ErrKernel, "cuda", "%q cannot be the name of an entry point, want a name of C", k.Name)
	}
	names.Unique(k.Name)
	w := &writer{kernel: k, buffers: map[*simt.Buffer]string{}, shared: map[*simt.Shared]string{}, maps: map[*simt.TensorMap]string{}, overloads: map[overload]bool{}}
	w.helpers.arch = archNumber(caps.Arch)
	dependent := Dependent(caps)
	params := w.declare(names, dependent)
	if len(k.Cooperative) > 0 {
		return "", fault.New(fault.ErrUnsupported, "cuda", "there are no cooperative matrices: %s", k.Cooperative[0].Name)
	}
	body, err := cstyle.Body(k, names, func(p *cstyle.Printer) cstyle.Dialect {
		w.Printer = p
		return w
	})
	if err != nil {
		return "", err
	}
	arrays := w.sharedArrays() + w.initBarriers()
	if dependent {
		arrays += waitForLaunches
	}
	var b strings.Builder
	if hasLong(k) || len(k.Maps) > 0 {
		b.WriteString(longTypes)
	}
	w.helpers.write(&b)
	head := fmt.Sprintf("extern \"C\" __global__ void %s__launch_bounds__(%s) %s", clusterDims(k), launchBounds(k), k.Name)
	fmt.Fprintf(&b, "%s {\n%s%s}\n", cstyle.Signature(head, params), arrays, body)
	return b.String(), nil
}

// Dependent reports whether kernels wait for the launches before them by themselves, so that a launch may say so (CUDA C++ programming guide,
// "Programmatic Dependent Launch and Synchronization"). After a launch that does not say so, what came before has ended when
// the kernel starts, and it waits for nothing.
func Dependent(caps target.Caps) bool { return archNumber(caps.Arch) >= 90 }

// waitForLaunches waits until the launches before have ended and what they wrote is seen. Every thread waits, and before it reaches any buffer, so that
// all launches before one that has ended have ended, too (PTX ISA, "griddepcontrol"). No access may move up across it. Of
// parameters that are both const and __restrict__ some do: the compiler loads from them (ld.global.nc) as from memory that nothing writes while the kernel runs.
//
// The next launch may start when all of this one's workgroups have ended, before their stores are seen. They could let it start earlier
// (griddepcontrol.launch_dependents), which measured slower: see docs/experiments.md.
const waitForLaunches = `    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
`

// declare names the parameters and the shared arrays. A kernel that waits for launches before it does not promise that what it reads is never written, and one
// that acquires not that nobody else writes what it does: of the programs of this device, which see each other's stores through buffers that they write.
func (w *writer) declare(names *cstyle.Names, dependent bool) (params []string) {
	for _, m := range w.kernel.Maps {
		if w.helpers.first("tensor_map") {
			w.helpers.types.WriteString(tensorType)
		}
		w.maps[m] = names.Unique(m.Name)
		params = append(params, "const __grid_constant__ tensor_map "+w.maps[m])
	}
	acquires, waits := w.kernel.Body.Acquires(), w.kernel.Body.Orders(simt.Acquire)
	for _, buf := range w.kernel.Buffers {
		name := names.Unique(buf.Name)
		w.buffers[buf] = name
		pointer := w.memoryType(buf.Elem, 1) + "*"
		if !buf.Write {
			pointer = "const " + pointer
		}
		if !(acquires && buf.Write) && !waits && (buf.Write || !dependent) {
			pointer += " __restrict__"
		}
		params = append(params, pointer+" "+name)
	}
	for _, word := range w.kernel.Words {
		name := names.Unique(word.Name)
		w.words = append(w.words, name)
		params = append(params, w.typeName(simt.Scalar(word.Elem))+" "+name)
	}
	for _, s := range w.kernel.Shared {
		w.shared[s] = names.Unique(s.Name)
	}
	return params
}

// staticShared is the most bytes of shared memory that a kernel declares by itself; more of it is given to it at
// launch (CUDA C++ programming guide, "Shared Memory").
const staticShared = 48 << 10

// Dynamic is how many bytes of shared memory a launch of a kernel must give it.
func Dynamic(k *simt.Func) int {
	late := slices.ContainsFunc(k.Shared, func(s *simt.Shared) bool { return s.Late })
	if k.SharedBytes() <= staticShared && !late {
		return 0
	}
	_, n := k.PlaceShared()
	return n
}

func (w *writer) sharedArrays() string {
	var b strings.Builder
	lines := w.kernel.InLines()
	if Dynamic(w.kernel) > 0 {
		at, _ := w.kernel.PlaceShared()
		align := simt.SharedAlignment
		if len(lines) > 0 {
			align = simt.LineAlignment
		}
		fmt.Fprintf(&b, "    extern __shared__ __align__(%d) unsigned char shared_memory[];\n", align)
		for _, s := range w.kernel.Shared {
			t := w.memoryType(s.Elem, 1)
			fmt.Fprintf(&b, "    %s* const %s = (%s*)(shared_memory + %d);%s\n", t, w.shared[s], t, at[s], cstyle.Remark(s.Comment()))
		}
		return b.String()
	}
	for _, s := range w.kernel.Shared {
		align := 16
		if lines[s] {
			align = simt.LineAlignment
		}
		fmt.Fprintf(&b, "    __shared__ alignas(%d) %s %s[%d];%s\n", align, w.memoryType(s.Elem, 1), w.shared[s], s.Len, cstyle.Remark(s.Comment()))
	}
	return b.String()
}

// registers are C++'s names of the scalar register types.
var registers = map[dtype.Type]string{
	dtype.Bool: "bool", dtype.I32: "int", dtype.U32: "unsigned", dtype.I64: "i64", dtype.U64: "u64", dtype.F32: "float", dtype.F64: "double",
}

// typeName names a register type and declares it if it is a vector.
func (w *writer) typeName(t simt.Type) string {
	if t.Width == 1 {
		return registers[t.Elem]
	}
	name := vectorName(t)
	w.helpers.vector(name, registers[t.Elem], t.Width, min(16, t.Width*t.Elem.Size()))
	return name
}

func vectorName(t simt.Type) string { return t.Elem.String() + "x" + strconv.Itoa(t.Width) }

// memories are C++'s names of the element types in memory where they differ
// from those in registers.
var memories = map[dtype.Type]string{
	dtype.Bool: "unsigned char", dtype.U8: "unsigned char", dtype.I8: "signed char", dtype.U16: "unsigned short", dtype.I16: "short", dtype.F16: "f16", dtype.BF16: "bf16",
}

// memoryType names width elements in memory and declares their type if C++ lacks it.
func (w *writer) memoryType(e dtype.Type, width int) string {
	if simt.Register(e) == e && e != dtype.Bool {
		return w.typeName(simt.Vector(e, width))
	}
	if e == dtype.F16 || e == dtype.BF16 {
		w.helpers.half(e.String())
	}
	if width == 1 {
		return memories[e]
	}
	if e == dtype.Bool {
		e = dtype.U8
	}
	name := fmt.Sprintf("%vx%d", e, width)
	w.helpers.vector(name, memories[e], width, width*e.Size())
	return name
}

// Declare prints "type name = value;".
func (w *writer) Declare(name string, t simt.Type, value cstyle.Expr, _ bool) string {
	if value.Text == "" {
		return w.typeName(t) + " " + name + ";"
	}
	return w.typeName(t) + " " + name + " = " + value.Text + ";"
}

// For prints a loop's head.
func (w *writer) For(op *simt.Op, i string, lo, hi, step cstyle.Expr) []string {
	advance := i + " += " + step.Text
	switch {
	case isOne(op.Args[2]):
		advance = "++" + i
	case op.MayWrap():
		advance = fmt.Sprintf("%[1]s = unsigned(%[2]s) - unsigned(%[1]s) > unsigned(%[3]s) ? %[1]s + %[4]s : %[2]s",
			i, hi.Text, step.Text, cstyle.Paren(step, cstyle.Multiplicative))
	}
	head := fmt.Sprintf("for (int %s = %s; %s < %s; %s) {", i, lo.Text, i, cstyle.Paren(hi, cstyle.Additive), advance)
	if op.Unroll {
		return []string{"#pragma unroll", head}
	}
	if op.Times > 0 {
		return []string{fmt.Sprintf("#pragma unroll %d", op.Times), head}
	}
	return []string{head}
}

func isOne(v *simt.Value) bool {
	n, known := simt.ConstOf(v)
	return known && n == 1
}

// Barrier makes the workgroup meet.
func (w *writer) Barrier(op *simt.Op) string {
	meet := "__syncthreads();"
	switch threads := w.kernel.Threads; {
	case w.inRole && w.kernel.Consumers > 1:
		meet = fmt.Sprintf(`asm volatile("bar.sync %%0, %d;" :: "r"(1 + threadIdx.x / %d) : "memory");`, threads, threads)
	case w.inRole: // by a barrier of its own, for the threads of this role
		meet = fmt.Sprintf(`asm volatile("bar.sync 1, %d;" ::: "memory");`, threads)
	}
	if op.Async {
		return `asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); ` + meet
	}
	return meet
}
