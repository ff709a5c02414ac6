package simtpass

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// elements reaches the elements of opaque cooperative matrices through shared memory. Lowering extracts elements, and composes matrices of them, as if
// it knew how they are distributed (simt.InRows). What is left of that once loops carry matrices as a whole becomes
//
//	a CooperativeStore and loads of the elements, for Extracts
//	stores of the elements and a CooperativeLoad, for a Compose
//
// in an array that has some matrices of each subgroup, one after the other: as many as take no more memory than the other arrays, and as there is
// memory for.
func elements(r *Context) {
	p := &elementPass{Context: r, e: simt.Edit(r.Kernel), conversions: map[simt.Type]*conversion{}, known: map[*simt.Value][]*simt.Value{}}
	needed := map[*simt.Value]bool{}
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		p.disjoint = max(p.disjoint, op.Disjoint)
		switch {
		case op.Kind == simt.Extract && p.conversionOf(op.Args[0].Type) != nil:
			needed[op.Args[0]] = true
		case op.Kind == simt.Compose:
			p.conversionOf(op.Result().Type)
		}
	})
	if len(p.conversions) == 0 {
		return
	}
	p.needed = needed
	p.e.Int(0) // which finds the constants of the kernel
	p.block(r.Kernel.Body)
	p.e.ReplaceUses(r.Kernel.Body)
	wholeMatrices(p.e.New(), r.Kernel.Body) // vectors that are loaded as they are composed
}

// elementPass is what the pass knows.
type elementPass struct {
	*Context
	e           *simt.Editor
	conversions map[simt.Type]*conversion
	disjoint    int                           // the last disjoint write set
	needed      map[*simt.Value]bool          // matrices of which elements are extracted
	known       map[*simt.Value][]*simt.Value // their elements, once they are loaded
	made        []*simt.Value                 // matrices that are needed, and not stored yet
	composed    []*simt.Op                    // Composes whose elements are not stored yet
	line        string                        // of the kernel
}

// conversion is an array through which the elements of matrices of a type pass.
type conversion struct {
	m     *simt.MatrixInstruction
	typ   simt.Type
	most  int // matrices of a subgroup
	array *simt.Shared
}

// conversionOf is the conversion for a type, nil if it is not one of opaque sums.
func (p *elementPass) conversionOf(t simt.Type) *conversion {
	if x := p.conversions[t]; x != nil || t.Matrix.Use != simt.MatrixC {
		return x
	}
	m, _ := p.Kernel.CooperativeOf(t)
	if m == nil || !m.Opaque {
		return nil
	}
	x := &conversion{m: m, typ: t}
	p.conversions[t] = x
	return x
}

// size is how many elements a matrix has.
func (x *conversion) size() int { return x.m.Rows * x.m.Columns }

// vector is how many elements a thread loads or stores together.
func (x *conversion) vector() int { return min(simt.RowVector, x.typ.Width) }

// open makes the array, for up to n matrices of a subgroup.
func (p *elementPass) open(x *conversion, n int) {
	if x.array != nil {
		return
	}
	there, each := p.Kernel.SharedBytes(), x.size()*x.typ.Elem.Size()*(p.Kernel.Threads/x.m.Threads)
	room := max(there, each)
	if p.Caps.SharedBytes > 0 {
		room = min(room, p.Caps.SharedBytes-there)
	}
	for x.most = 1; 2*x.most <= n && 2*x.most*each <= room; x.most *= 2 {
	}
	x.array = p.e.NewShared("matrices", x.typ.Elem, x.most*each/x.typ.Elem.Size())
	x.array.Line = p.line
	x.array.Note = fmt.Sprintf("matrices of %d×%d, %d of each subgroup", x.m.Rows, x.m.Columns, x.most)
	p.Notes = append(p.Notes, fmt.Sprintf("%s: elements of opaque matrices of %d×%d pass through shared memory, %d of each subgroup together", p.line, x.m.Rows, x.m.Columns, x.most))
}

// block rewrites a block and the blocks within.
func (p *elementPass) block(b *simt.Block) {
	ops, outer := b.Ops, p.e.Take()
	p.define(b.Args)
	for _, op := range ops {
		if op.Line != "" {
			p.line = op.Line
			p.e.SetLine(op.Line)
		}
		if op.Kind == simt.Extract && p.needed[op.Args[0]] {
			p.store()
			p.e.Replace(op.Result(), p.known[op.Args[0]][op.Lane])
			continue
		}
		if op.Kind == simt.Compose && p.conversions[op.Result().Type] != nil {
			p.composed = append(p.composed, op)
			continue
		}
		if !op.Kind.IsPure() {
			p.compose()
		}
		if len(op.Blocks()) > 0 {
			p.store()
		}
		for _, body := range op.Blocks() {
			p.block(body)
		}
		p.e.Append(op)
		p.define(op.Out)
	}
	added := len(b.Ops) - len(ops) // constants at the kernel's entry
	b.Ops = slices.Concat(b.Ops[:added], p.e.Take())
	p.e.Append(outer...)
}

// define notes values that are there from now on.
func (p *elementPass) define(values []*simt.Value) {
	for _, v := range values {
		if p.needed[v] {
			p.made = append(p.made, v)
		}
	}
}

// store stores the matrices that are needed, as many at a time as there is memory for, and loads their elements.
func (p *elementPass) store() {
	for len(p.made) > 0 {
		x := p.conversions[p.made[0].Type]
		p.open(x, len(p.made))
		n := 1
		for n < min(x.most, len(p.made)) && p.made[n].Type == x.typ {
			n++
		}
		now := p.made[:n]
		p.made = p.made[n:]
		p.disjoint++
		first, mine := p.places(x)
		for i, v := range now {
			p.e.CooperativeStore(x.array, p.disjoint, p.plus(first, i*x.size()), v, x.m.Columns, false)
		}
		for i, v := range now {
			p.known[v] = p.load(x, p.plus(mine, i*x.size()))
		}
	}
}

// load loads a thread's elements of a matrix.
func (p *elementPass) load(x *conversion, mine *simt.Value) (list []*simt.Value) {
	w := x.vector()
	for i := 0; i < x.typ.Width; i += w {
		v := p.e.SharedLoad(x.array, p.plus(mine, i*x.m.Threads), w)
		v.Op.Cost = p.cost(x)
		for lane := range w {
			list = append(list, p.e.Extract(v, lane))
		}
	}
	return list
}

// compose stores the elements of matrices and loads those.
func (p *elementPass) compose() {
	for len(p.composed) > 0 {
		x := p.conversions[p.composed[0].Result().Type]
		p.open(x, len(p.composed))
		n := 1
		for n < min(x.most, len(p.composed)) && p.composed[n].Result().Type == x.typ {
			n++
		}
		now := p.composed[:n]
		p.composed = p.composed[n:]
		p.disjoint++
		first, mine := p.places(x)
		w := x.vector()
		for i, op := range now {
			for j := 0; j < x.typ.Width; j += w {
				var lanes []*simt.Value
				for _, v := range op.Args[j : j+w] {
					lanes = append(lanes, p.e.Value(v))
				}
				at := p.plus(mine, i*x.size()+j*x.m.Threads)
				p.e.SharedStore(x.array, p.disjoint, at, p.e.Compose(lanes...), nil).Cost = p.cost(x)
			}
		}
		for i, op := range now {
			v := p.e.CooperativeLoad(x.array, p.plus(first, i*x.size()), x.typ, x.m.Columns, false)
			v.Hint = op.Result().Hint
			p.e.Replace(op.Result(), v)
		}
	}
}

// places are the indices of a subgroup's first matrix, and of a thread's first element of it.
func (p *elementPass) places(x *conversion) (first, mine *simt.Value) {
	e := p.e
	thread := e.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	first = e.Int(0)
	if p.Kernel.Threads > x.m.Threads {
		subgroup := e.Binary(simt.Shr, thread, e.Int(bits.Len(uint(x.m.Threads))-1))
		first = e.Binary(simt.Mul, subgroup, e.Int(x.most*x.size()))
		thread = e.Binary(simt.And, thread, e.Int(x.m.Threads-1))
	}
	return first, e.Binary(simt.Add, first, e.Binary(simt.Mul, thread, e.Int(x.vector())))
}

func (p *elementPass) plus(at *simt.Value, n int) *simt.Value {
	return p.e.Binary(simt.Add, at, p.e.Int(n))
}

// How many threads access shared memory at a time, and how many bytes wide its banks are together.
const (
	warpThreads = 32
	bankBytes   = 128
)

// cost is how many wavefronts all threads' accesses to one vector each take. Vectors of a subgroup are next to each other; subgroups whose threads
// access memory together share banks if their matrices are that far apart.
func (p *elementPass) cost(x *conversion) int {
	bytes := x.vector() * x.typ.Elem.Size()
	together := min(bankBytes/bytes, p.Kernel.Threads)
	apart := min(x.most*x.size()*x.typ.Elem.Size(), bankBytes)
	return p.Kernel.Threads / together * max(1, together/x.m.Threads*apart/bankBytes)
}
