package gomlx

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes/bfloat16"
	"github.com/pkg/errors"
	"github.com/x448/float16"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// What one kernel may have: WebGPU promises 8 buffers, of which one is the result.
const (
	maxInputs  = 7
	maxMembers = 48
)

// fuse gives each element-wise node the kernel of the node that uses it, if that is element-wise, has the same sizes and is the only
// kernel that does. What it finds is in root and members.
func (p *planner) fuse() {
	p.root, p.members = make([]*node, len(p.b.nodes)), make([][]*node, len(p.b.nodes))
	inputs := make([]map[*node]bool, len(p.b.nodes)) // by root: what its kernel reads
	for _, n := range slices.Backward(p.b.nodes) {
		p.root[n.id] = n
		if !p.live[n.id] || !n.isElementwise() {
			continue
		}
		if r := p.onlyUser(n); r != nil {
			reads := tensorInputs(n)
			for in := range inputs[r.id] {
				if in != n {
					reads[in] = true
				}
			}
			if len(reads) <= maxInputs && len(p.members[r.id]) < maxMembers {
				p.root[n.id], inputs[r.id] = r, reads
				p.members[r.id] = append(p.members[r.id], n)
				continue
			}
		}
		inputs[n.id] = tensorInputs(n)
		p.members[n.id] = []*node{n}
	}
	for _, list := range p.members {
		slices.Reverse(list) // in the order of the graph
	}
}

// onlyUser is the root of all that use a node, nil if there are several or if it cannot compute the node.
func (p *planner) onlyUser(n *node) *node {
	if slices.Contains(p.b.outputs, n) {
		return nil
	}
	var root *node
	for _, c := range p.consumers[n.id] {
		r := p.root[c.id]
		if !c.isElementwise() || root != nil && r != root || !sameDims(r.shape, n.shape) {
			return nil
		}
		root = r
	}
	return root
}

// tensorInputs are the inputs of a node that its kernel reads from memory.
func tensorInputs(n *node) map[*node]bool {
	set := map[*node]bool{}
	for _, in := range n.in {
		if _, isLiteral := literal(in); !isLiteral {
			set[in] = true
		}
	}
	return set
}

// literal is the number that a node is, if it is a constant of one element or a view of that.
func literal(n *node) (any, bool) {
	for isView(n.op) {
		n = n.in[0]
	}
	if n.op != backends.OpTypeConstant || n.shape.Size() != 1 {
		return nil, false
	}
	switch x := reflect.ValueOf(n.attrs).Index(0).Interface().(type) {
	case float16.Float16:
		return x.Float32(), true
	case bfloat16.BFloat16:
		return x.Float32(), true
	default:
		return x, true
	}
}

// source is where an instruction finds an operand.
type source struct {
	number any        // not nil: a number of type elem
	elem   weft.DType // of the number
	input  bool       // else whether at counts inputs or instructions
	at     int
}

// instruction is an element-wise op of a kernel.
type instruction struct {
	op  backends.OpType
	to  weft.DType
	arg []source
}

// group is a kernel of element-wise ops, and what it reads.
type group struct {
	code   []instruction
	inputs []*node
}

// newGroup is the kernel of some nodes, of which the last one is the result. first, if there are any, are its first inputs.
func newGroup(members []*node, literals bool, first ...*node) group {
	g := group{inputs: first}
	done := map[*node]int{}
	for _, n := range members {
		i := instruction{op: n.op, to: n.elem()}
		for _, in := range n.in {
			if x, ok := literal(in); ok && literals {
				i.arg = append(i.arg, source{number: x, elem: in.elem()})
			} else if at, ok := done[in]; ok {
				i.arg = append(i.arg, source{at: at})
			} else {
				at := slices.Index(g.inputs, in)
				if at < 0 {
					at = len(g.inputs)
					g.inputs = append(g.inputs, in)
				}
				i.arg = append(i.arg, source{input: true, at: at})
			}
		}
		done[n] = len(g.code)
		g.code = append(g.code, i)
	}
	return g
}

// placeGroup appends the kernel that computes a node.
func (p *planner) placeGroup(n *node) (operand, error) {
	if p.joined[n.id] != nil {
		if out, done, err := p.placeJoined(n); done || err != nil {
			return out, err
		}
	}
	out, err := p.result(n)
	if err != nil || n.shape.Size() == 0 {
		return out, err
	}
	if p.epilogues[n.id] != nil {
		if done, err := p.epilogue(n, out); done || err != nil {
			return out, err
		}
	}
	g := newGroup(p.members[n.id], true)
	if len(g.inputs) == 0 {
		g = newGroup(p.members[n.id], false) // a map needs a tensor
	}
	if len(g.inputs) == 0 {
		return out, errors.New("the op has no inputs")
	}
	in := make([]operand, len(g.inputs))
	for i, x := range g.inputs {
		in[i] = p.placed[x.id][0]
	}
	p.emitCode(n, g.code, out, in...)
	return out, nil
}

// emitCode appends a kernel of element-wise ops.
func (p *planner) emitCode(n *node, code []instruction, out operand, in ...operand) {
	types := make([]weft.DType, len(in))
	for i, o := range in {
		types[i] = o.elem
	}
	if p.needsPairs(code, types) {
		p.emitPairs(n, code, types, out, in...)
		return
	}
	m := compile(code, types)
	p.emit(n, func(out, in []*weft.Tensor) error {
		args := make([]any, len(in))
		for i, t := range in {
			args[i] = t
		}
		return m.Into(out[0], args...)
	}, out, in...)
	p.steps[len(p.steps)-1].inPlace = true
}

// groupMaps has the map of every kernel so far, by its text: a map keeps the kernels that were compiled for it.
var groupMaps sync.Map // of string to *weft.Map

// compile makes a map of element-wise ops.
func compile(code []instruction, types []weft.DType) *weft.Map {
	key := fmt.Sprintf("%v %#v", types, code)
	if m, ok := groupMaps.Load(key); ok {
		return m.(*weft.Map)
	}
	names := make([]string, len(types))
	own := make([]weft.DType, len(types))
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i)
		if types[i] != types[0] {
			own[i] = types[i]
		}
	}
	tiles := func(in []*tile.Value) *tile.Value { return valuesOf(code, in)[len(code)-1] }
	m := weft.NewMap(codeName(code), names, tiles).InputTypes(own...).Returns(code[len(code)-1].to).Exact()
	kept, _ := groupMaps.LoadOrStore(key, m)
	return kept.(*weft.Map)
}

// codeName lists the ops of a kernel, the first few.
func codeName(code []instruction) string {
	const most = 4
	var list []string
	for _, i := range code[:min(len(code), most)] {
		list = append(list, i.op.String())
	}
	if len(code) > most {
		list = append(list, fmt.Sprintf("and%d", len(code)-most))
	}
	return strings.Join(list, "_")
}

// valuesOf computes element-wise ops on tiles, all of them.
func valuesOf(code []instruction, in []*tile.Value) []*tile.Value {
	k := in[0].Builder()
	values := make([]*tile.Value, len(code))
	for i, c := range code {
		args := make([]*tile.Value, len(c.arg))
		for j, a := range c.arg {
			switch {
			case a.number != nil:
				args[j] = k.Const(a.elem, a.number)
			case a.input:
				args[j] = in[a.at]
			default:
				args[j] = values[a.at]
			}
		}
		values[i] = elementwise[c.op](args, c.to)
	}
	return values
}
