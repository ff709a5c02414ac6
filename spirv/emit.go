package spirv

import (
	"cmp"
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
	module
	kernel   *simt.Func
	caps     target.Caps
	names    *cstyle.Names
	numbers  int // of ids without a name
	fn       *function
	views    map[viewKey]*view
	shared   map[*simt.Shared]*array
	called   map[string]string // functions of the module, by kind and type
	coherent map[*simt.Buffer]coherence
	orders   bool           // some atomic op orders other accesses
	loaded   map[any]string // values that the entry point loads at its start
	inputs   []string       // variables of the entry point's interface
}

// reservedNames are those of types and constants; all names of the module have one scope.
var reservedNames = sync.OnceValue(func() *cstyle.Reserved {
	words := []string{"void", "true", "false", "glsl", "params"}
	for _, e := range dtype.All() {
		words = append(words, e.String()+"*")
	}
	return cstyle.Reserve(strings.Join(words, " "), "u16* pointer_* array_* block_* function_* product_* matrix_*")
})

// EntryName is a name that an entry point can have: the given one, or one like it.
func EntryName(name string) string { return cstyle.NewNames(reservedNames()).Unique(name) }

// Emit prints a verified kernel. The entry point is called k.Name, which must be as EntryName returns it. What caps do not promise is
// fault.ErrUnsupported: integers of 64 bits, F64, shuffles beyond subgroups, and the ops that no SPIR-V is printed for.
func Emit(k *simt.Func, caps target.Caps) (string, error) {
	w := &writer{
		kernel: k, caps: caps, names: cstyle.NewNames(reservedNames()), module: newModule(), views: map[viewKey]*view{},
		shared: map[*simt.Shared]*array{}, called: map[string]string{}, coherent: coherences(k), loaded: map[any]string{},
		orders: k.Body.Orders(simt.AcquireRelease),
	}
	if !w.names.Fits(k.Name) {
		return "", fault.New(fault.ErrKernel, "spirv", "%q cannot be the name of an entry point, want a name of letters, digits and _", k.Name)
	}
	if err := cmp.Or(w.checkTypes(), k.CheckOpaque()); err != nil {
		return "", err
	}
	entry := "%" + w.names.Unique(k.Name)
	w.declareCooperative()
	w.declareAddresses()
	if err := w.declareShared(); err != nil {
		return "", err
	}
	void := w.global("void", "OpTypeVoid")
	signature := w.global("function_void", "OpTypeFunction "+void)
	text, err := w.function(k.Body, func() error {
		if err := w.block(k.Body); err != nil {
			return err
		}
		w.line("OpReturn")
		return nil
	})
	if err != nil {
		return "", err
	}
	w.finishViews()
	w.floatModes()
	head := fmt.Sprintf("\n%s\n", instruction(entry, "OpFunction "+void+" None "+signature))
	w.functions = append(w.functions, head+text)
	return w.text(entry), nil
}

// floatModes asks for what the device keeps of F32, and of F64 where the kernel has some. The rounding of F64 to F32 is open otherwise.
func (w *writer) floatModes() {
	wide := slices.Contains(w.capabilities, "Float64")
	for _, e := range []dtype.Type{dtype.F32, dtype.F64} {
		if e == dtype.F64 && !wide {
			break
		}
		if w.caps.KeepsNaN.Has(e) {
			w.needs("SignedZeroInfNanPreserve", "SPV_KHR_float_controls")
			w.mode(fmt.Sprintf("SignedZeroInfNanPreserve %d", 8*e.Size()))
		}
		if wide && w.caps.RoundsNearest.Has(e) {
			w.needs("RoundingModeRTE", "SPV_KHR_float_controls")
			w.mode(fmt.Sprintf("RoundingModeRTE %d", 8*e.Size()))
		}
	}
}

// keepDenormals asks for denormals of a type, which bits that are moved may be, where the device keeps them.
func (w *writer) keepDenormals(e dtype.Type) {
	if w.caps.KeepsDenormals.Has(e) {
		w.needs("DenormPreserve", "SPV_KHR_float_controls")
		w.mode(fmt.Sprintf("DenormPreserve %d", 8*e.Size()))
	}
}

// checkTypes reports integers and floats of 64 bits where the device has none.
func (w *writer) checkTypes() error {
	lacks := func(e dtype.Type) bool { return e == dtype.F64 && !w.caps.Float64 || e.Size() > 4 && !w.caps.Int64 }
	fail := func(what string, e dtype.Type, line string) error {
		return fault.New(fault.ErrUnsupported, "spirv", "%s of %v is not supported", what, e).At(line)
	}
	for _, b := range w.kernel.Buffers {
		if lacks(b.Elem) {
			return fail("buffer "+b.Name, b.Elem, "")
		}
	}
	var err error
	simt.Walk(w.kernel.Body, func(op *simt.Op) {
		if i := slices.IndexFunc(op.Out, func(v *simt.Value) bool { return lacks(v.Type.Elem) }); i >= 0 && err == nil {
			err = fail(op.Kind.String(), op.Out[i].Type.Elem, op.Line)
		}
	})
	return err
}

// function is one that is being printed.
type function struct {
	head   []string // of its first block, before the lines
	lines  []string
	label  string // of the block at hand
	after  string // the block after the While at hand
	ids    simt.Table[string]
	same   map[string]string // results of pure instructions by their text
	added  []string          // to same, for leaving a block
	helper bool              // of the module's own
	at     string            // the kernel's line that the last comment named
	noted  *simt.Op          // whose note was the last printed
}

// function prints the blocks of one after its first line and its parameters.
func (w *writer) function(b *simt.Block, body func() error) (string, error) {
	outer := w.fn
	defer func() { w.fn = outer }()
	w.fn = &function{same: map[string]string{}, label: w.id("start"), helper: outer != nil}
	w.fn.ids.Hold(b)
	first := instruction(w.fn.label, "OpLabel")
	if err := body(); err != nil {
		return "", err
	}
	lines := append(append([]string{first}, w.fn.head...), w.fn.lines...)
	return strings.Join(append(lines, instruction("", "OpFunctionEnd"), ""), "\n"), nil
}

// line appends an instruction without a result.
func (w *writer) line(format string, args ...any) {
	w.fn.lines = append(w.fn.lines, instruction("", fmt.Sprintf(format, args...)))
}

// comment names the kernel's line, once for a run of ops from it.
func (w *writer) comment(op *simt.Op) {
	if op.Line != "" && op.Line != w.fn.at {
		w.fn.lines = append(w.fn.lines, instruction("", "; "+op.Line))
		w.fn.at = op.Line
	}
	if op.Note != "" && op != w.fn.noted {
		w.fn.lines = append(w.fn.lines, instruction("", "; "+cleaned(op.Note)))
		w.fn.noted = op
	}
}

// cleaned is a comment on one line.
func cleaned(text string) string { return strings.Join(strings.Fields(text), " ") }

// id is a new id: like a name, or a number.
func (w *writer) id(hint string) string {
	if hint == "" {
		w.numbers++
		return "%" + strconv.Itoa(w.numbers)
	}
	return "%" + w.names.Unique(hint)
}

// emit appends an instruction whose result has a type, given by its id.
func (w *writer) emit(hint, op, typ string, operands ...string) string {
	id := w.id(hint)
	w.fn.lines = append(w.fn.lines, instruction(id, join(op, typ, operands)))
	return id
}

// pure is emit for an instruction that depends on its operands alone: its result where the block at hand, or one around it, has it already.
func (w *writer) pure(hint, op string, t simt.Type, operands ...string) string {
	text := join(op, w.typ(t), operands)
	id, known := w.fn.same[text]
	if !known {
		id = w.id(hint)
		w.fn.lines = append(w.fn.lines, instruction(id, text))
		w.remember(text, id)
	}
	return id
}

// remember keeps a result until the end of the block at hand.
func (w *writer) remember(text, id string) {
	w.fn.same[text] = id
	w.fn.added = append(w.fn.added, text)
}

// scoped prints what another block has, whose values are forgotten at its end.
func (w *writer) scoped(body func() error) error {
	n := len(w.fn.added)
	err := body()
	for _, text := range w.fn.added[n:] {
		delete(w.fn.same, text)
	}
	w.fn.added = w.fn.added[:n]
	return err
}

func join(op, typ string, operands []string) string {
	var b strings.Builder
	b.Grow(len(op) + len(typ) + 1 + 12*len(operands))
	b.WriteString(op)
	b.WriteByte(' ')
	b.WriteString(typ)
	for _, o := range operands {
		b.WriteByte(' ')
		b.WriteString(o)
	}
	return b.String()
}

// of is the id of a value.
func (w *writer) of(v *simt.Value) string {
	id := w.fn.ids.At(v)
	if x, ok := simt.ConstOf(v); ok && *id == "" { // of a kernel's entry, in a function that has its own table
		*id = w.constant(v.Type, x)
	}
	return *id
}

func (w *writer) set(v *simt.Value, id string) { *w.fn.ids.At(v) = id }

// all are the ids of some values.
func (w *writer) all(vs []*simt.Value) []string {
	ids := make([]string, len(vs))
	for i, v := range vs {
		ids[i] = w.of(v)
	}
	return ids
}

// unsupported refuses an op.
func unsupported(op *simt.Op) error {
	return fault.New(fault.ErrUnsupported, "spirv", "the op %v is not supported", op.Kind).At(op.Line)
}
