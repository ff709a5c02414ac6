package interp

import (
	"math"
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// nest is the loop of a group: rows along the last dimension of a shape, and its streams.
type nest struct {
	code      *native.Code
	number    int // among the kernel's
	shape     []int
	rows      int
	columns   int
	flat      bool // rows may be of any length: no stream has one element for each, or one row for all
	partial   bool // elements outside of views need not be computed: all results are stores
	cuttable  bool // columns may be computed some at a time: none is numbered or reduced
	boxed     bool // rows take the elements of what is broadcast in an order of boxes alone
	registers []registerStream
	accesses  []access
	tables    [][]int32 // of Iota along a dimension other than the last
	needs     []tableStream
	gathers   []gather
	sums      []rowSum
}

// rowSum is a register that sums rows, and what it begins with.
type rowSum struct {
	reg   reg
	start float32
}

// gather is a gather's stream, and those of what its indices are multiplied by and must be below.
type gather struct {
	stream, view   int
	offset         int
	sizes, strides []int
}

// registerStream is a register that a loop reads or writes.
type registerStream struct {
	stream int
	reg    reg
	size   int // of an element
	by     byRows
	steps  [5]int // bytes from one element to the next along each dimension
}

type tableStream struct{ stream, table int }

// access is a load or a store of a loop.
type access struct {
	stream    int
	store     bool
	view      int
	elem      dtype.Type
	coords    []int
	byElement bool
	fill      []byte // an element, nil if that is zero
}

// fuse makes the step of a group. The error is native.ErrNoCode.
func (c *compiler) fuse(g *group) (step, error) {
	if c.onlyCopies(g) {
		return c.copies(g), nil
	}
	if g.mixed != nil {
		return c.fuseMixed(g)
	}
	last := len(g.shape) - 1
	n := &nest{shape: g.shape, columns: g.shape[last], rows: tile.Type{Shape: g.shape[:last]}.Len(), flat: true, partial: true, cuttable: true, number: c.nests}
	t := &translator{values: map[*tile.Value]native.Value{}, nest: n}
	for _, op := range g.ops {
		c.lanes(t, op)
	}
	for _, op := range g.ops {
		if v := op.Result(); v != nil && !g.reduced[v] && c.usedOutside(v, g) {
			elem := laneElem(v.Type().Elem)
			at := t.Output(elem, t.outputLanes(elem, t.values[v]))
			n.registers = append(n.registers, registerStream{at, c.define(v), elem.Size(), rowForEach, broadcastSteps(n.shape, n.shape, elem.Size())})
			n.partial = false
		}
	}
	code, err := t.Compile()
	if err != nil {
		return nil, err
	}
	c.nests++
	n.code = code
	c.noteLoop(g, n, t.Len(), code.Vectors)
	return n.run, nil
}

// usedOutside reports whether an op that is not of the group takes a value.
func (c *compiler) usedOutside(v *tile.Value, g *group) bool {
	return slices.ContainsFunc(c.users[v], func(op *tile.Op) bool { return !slices.Contains(g.ops, op) })
}

// laneElem is the element type of a register as memory.
func laneElem(e dtype.Type) dtype.Type {
	switch classOf(e) {
	case floats:
		return dtype.F32
	case words:
		return dtype.U32
	case doubles, longs, longWords:
		return dtype.I64
	case bools:
		return dtype.Bool
	}
	return dtype.I32
}

// inputLanes converts a Bool of memory to a lane of equal bits, and outputLanes does the reverse.
func (t *translator) inputLanes(e dtype.Type, v native.Value) native.Value {
	if e == dtype.Bool {
		return t.Not(t.Equal(v, t.Bits(0)))
	}
	return v
}

func (t *translator) outputLanes(e dtype.Type, v native.Value) native.Value {
	if e == dtype.Bool {
		return t.And(v, t.Bits(1))
	}
	return v
}

// outside makes streams of the operands of an op that come from other steps.
func (c *compiler) outside(t *translator, v *tile.Value, by byRows) native.Value {
	elem := laneElem(v.Type().Elem)
	x, at := t.Input(elem, by == oneForAll || by == oneForRow || by == oneForRows)
	steps := [5]int{}
	if !v.Type().IsScalar() {
		steps = broadcastSteps(v.Type().Shape, t.nest.shape, elem.Size())
	}
	t.nest.registers = append(t.nest.registers, registerStream{at, c.where[v], elem.Size(), by, steps})
	t.nest.boxed = t.nest.boxed || by == oneForRows || by == rowForRows
	t.nest.flat = t.nest.flat && (by == rowForEach || by == oneForAll)
	return t.inputLanes(elem, x)
}

// lanes translates an op of a group.
func (c *compiler) lanes(t *translator, op *tile.Op) {
	n, v := t.nest, op.Result()
	switch op.Kind {
	case tile.OpConst:
		t.values[v] = t.constant(op)
		return
	case tile.OpSplat:
		if x := op.Args[0].Op(); x != nil && x.Kind == tile.OpConst {
			t.values[v] = t.constant(x)
		} else {
			t.values[v] = c.outside(t, op.Args[0], oneForAll)
		}
		return
	case tile.OpBroadcast:
		t.values[v] = c.outside(t, op.Args[0], broadcastRows(op.Args[0].Type().Shape, v.Type().Shape))
		return
	case tile.OpIota:
		t.values[v] = t.iota(op.Axis)
		return
	case tile.OpLoad:
		x, at := t.Input(op.View.Elem, false)
		t.Beyond(at, fillLane(op.View.Elem, op.Number))
		t.values[v] = t.inputLanes(op.View.Elem, x)
		n.accesses = append(n.accesses, access{stream: at, view: op.View.Index, elem: op.View.Elem, coords: c.indices(op.Args), byElement: op.ByElement,
			fill: fillOf(op.View.Elem, op.Number)})
		return
	}
	operands := op.Args
	if op.Kind == tile.OpStore {
		operands = op.Args[:1]
	}
	for _, a := range operands {
		if _, ok := t.values[a]; !ok {
			t.values[a] = c.outside(t, a, rowForEach)
		}
	}
	switch {
	case op.Kind == tile.OpStore:
		e := op.View.Elem
		at := t.Output(e, t.outputLanes(e, t.values[op.Args[0]]))
		n.accesses = append(n.accesses, access{stream: at, store: true, view: op.View.Index, elem: e, coords: c.indices(op.Args[1:]), byElement: op.ByElement})
	case op.Kind.Fact().Class == tile.Reduction && alongRows(op):
		how, _ := combineOf(op)
		sum, from := t.Input(dtype.F32, false)
		to := t.Output(dtype.F32, t.Combine(how, sum, t.values[op.Args[0]]))
		r := c.define(v)
		n.registers = append(n.registers, registerStream{from, r, 4, rowForAll, columnSteps(n.shape, 4)}, registerStream{to, r, 4, rowForAll, columnSteps(n.shape, 4)})
		n.sums = append(n.sums, rowSum{r, math.Float32frombits(how.Identity())})
		n.flat, n.partial, n.cuttable = false, false, false
	case op.Kind.Fact().Class == tile.Reduction:
		how, _ := combineOf(op)
		at := t.Reduce(how, t.values[op.Args[0]])
		n.registers = append(n.registers, registerStream{at, c.define(v), 4, oneForRow, rowSteps(n.shape, 4)})
		n.flat, n.partial, n.cuttable = false, false, false
	case op.Kind == tile.OpGather:
		t.values[v] = t.gather(op)
		c.gathered = append(c.gathered, op.View.Index)
	default:
		t.values[v] = t.elementwise(op)
	}
}

// gather takes the elements whose indices are within the view, and the fill value elsewhere.
func (t *translator) gather(op *tile.Op) native.Value {
	number := func() (native.Value, int) { return t.Input(dtype.I32, true) }
	_, indices, mask := op.Points()
	g := gather{view: op.View.Index}
	at, stream := number()
	g.offset = stream
	inside := t.Bits(math.MaxUint32)
	if mask != nil {
		inside = t.values[mask]
	}
	sign := t.Bits(1 << 31) // signed comparisons of what has it inverted are unsigned ones
	for _, i := range indices {
		x := t.values[i]
		size, stream := number()
		g.sizes = append(g.sizes, stream)
		inside = t.And(inside, t.Greater(t.Xor(size, sign), t.Xor(x, sign)))
		stride, stream := number()
		g.strides = append(g.strides, stream)
		at = t.Three(vector.AddI, at, t.Three(vector.MulI, x, stride))
	}
	e := op.View.Elem
	v, stream := t.Gather(e, at, inside)
	g.stream = stream
	t.nest.gathers = append(t.nest.gathers, g)
	if op.Number == 0 {
		return t.inputLanes(e, v)
	}
	return t.Select(inside, t.inputLanes(e, v), t.constant(op))
}

// constant is a tile of equal elements.
func (t *translator) constant(op *tile.Op) native.Value {
	e := op.Result().Type().Elem
	x := fillLane(e, op.Number)
	if e == dtype.Bool {
		x = -x
	}
	return t.Bits(x)
}

// fillLane is a number as a lane of memory's elements.
func fillLane(e dtype.Type, x float64) uint32 {
	switch {
	case e.IsFloat():
		return math.Float32bits(dtype.Round(e, x))
	case e == dtype.Bool && x != 0:
		return 1
	case e == dtype.Bool:
		return 0
	}
	return uint32(dtype.Integer(e, x))
}

// iota numbers the elements along a dimension. Along one other than the last, a table has the number of each row.
func (t *translator) iota(axis int) native.Value {
	n := t.nest
	n.flat, n.partial = false, false // columns are numbered from the begin of whole rows
	if axis == len(n.shape)-1 {
		n.cuttable = false
		return t.Column()
	}
	x, at := t.Input(dtype.I32, true)
	table := make([]int32, n.rows)
	numberAlong(table, axisOf(n.shape[:len(n.shape)-1], axis))
	n.needs = append(n.needs, tableStream{at, len(n.tables)})
	n.tables = append(n.tables, table)
	return x
}

// fillOf is the bytes of a fill value.
func fillOf(e dtype.Type, x float64) []byte {
	if x == 0 {
		return nil
	}
	b := make([]byte, e.Size())
	dtype.PutFloats(e, b, []float64{x})
	return b
}

// loopState is what a worker keeps for a nest.
type loopState struct {
	frame  *native.Frame
	places []place
	staged [][]byte  // of the accesses that cannot go to memory
	words  []int32   // sizes and strides of views
	flows  []flow    // in boxes
	fills  [][]byte  // of the accesses, rows outside of views
	lists  []rowList // of rows in mixed nests
}

// place is where the rows of an access are.
type place struct {
	region
	at         unsafe.Pointer
	step       int // bytes from one row to the next
	from, past int // rows of the extent that are there
	width      int // columns of them
	direct     bool
	clashes    bool // of a store: another access is where it writes
}

// pointer is where a register is.
func (w *worker) pointer(r reg) unsafe.Pointer {
	switch r.class {
	case floats:
		return unsafe.Pointer(unsafe.SliceData(w.f[r.index]))
	case words:
		return unsafe.Pointer(unsafe.SliceData(w.u[r.index]))
	case doubles:
		return unsafe.Pointer(unsafe.SliceData(w.d[r.index]))
	case longs:
		return unsafe.Pointer(unsafe.SliceData(w.l[r.index]))
	case longWords:
		return unsafe.Pointer(unsafe.SliceData(w.ul[r.index]))
	case bools:
		return unsafe.Pointer(unsafe.SliceData(w.b[r.index]))
	}
	return unsafe.Pointer(unsafe.SliceData(w.i[r.index]))
}
