package gomlx

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Kernels of several results: an optimizer's step computes the means of gradients, which stay, and from them the weights. One kernel writes
// all of them, and reads nothing twice.

// maxViews is how many tensors a kernel of several results has at most, where the device allows as many.
const maxViews = 16

// findJoined makes element-wise kernels whose results another one of the same sizes uses part of that one, unless something before it
// needs them. What it finds is in joined, and they are deferred until that one is placed.
func (p *planner) findJoined() {
	p.joined = make([][]*node, len(p.b.nodes))
	for _, n := range p.b.nodes {
		if !p.live[n.id] || p.deferred[n.id] || p.members[n.id] == nil || !p.joins(n) {
			continue
		}
		list := []*node{n}
		for _, in := range newGroup(p.members[n.id], true).inputs {
			if !p.live[in.id] || p.members[in.id] == nil || p.deferred[in.id] || !p.joins(in) || !sameDims(in.shape, n.shape) {
				continue
			}
			with := append(p.joined[in.id], in)
			if p.usedBefore(with, n) || !p.fitsJoined(slices.Concat(with, list)) {
				continue
			}
			list = slices.Concat(with, list)
			p.deferred[in.id], p.joined[in.id] = true, nil
		}
		if len(list) > 1 {
			p.joined[n.id] = list[:len(list)-1]
		}
	}
}

// joins reports whether a node's kernel may have results of others.
func (p *planner) joins(n *node) bool {
	return p.epilogues[n.id] == nil && n.shape.Size() > 0 && !p.needsPairs(newGroup(p.members[n.id], true).code, nil)
}

// usedBefore reports whether anything else uses one of some nodes before n is placed.
func (p *planner) usedBefore(list []*node, n *node) bool {
	return slices.ContainsFunc(list, func(m *node) bool {
		return slices.ContainsFunc(p.consumers[m.id], func(c *node) bool {
			r := p.root[c.id]
			return r.id < n.id && !slices.Contains(list, r)
		})
	})
}

// fitsJoined reports whether one kernel may compute the groups of nodes.
func (p *planner) fitsJoined(list []*node) bool {
	members := p.joinedMembers(list)
	g := newGroup(members, true)
	most := maxViews
	if b := p.dev.Caps().MaxBindings; b > 0 {
		most = min(most, b)
	}
	types := make([]weft.DType, len(g.inputs))
	for i, in := range g.inputs {
		types[i] = in.elem()
	}
	return len(members) <= maxMembers && len(g.inputs) > 0 && len(g.inputs)+len(list) <= most && !p.needsPairs(g.code, types)
}

// joinedMembers are the nodes of several groups, in the order of the graph.
func (p *planner) joinedMembers(list []*node) (members []*node) {
	for _, n := range list {
		members = append(members, p.members[n.id]...)
	}
	slices.SortFunc(members, func(a, b *node) int { return cmp.Compare(a.id, b.id) })
	return members
}

// placeJoined appends the kernel of a node that has results of others, too. It is false, and the others are placed by themselves, where
// their operands are not vectors and numbers.
func (p *planner) placeJoined(n *node) (operand, bool, error) {
	list := append(slices.Clone(p.joined[n.id]), n)
	for _, m := range list {
		p.deferred[m.id] = false
	}
	members := p.joinedMembers(list)
	g := newGroup(members, true)
	s := step{op: n.op, inPlace: true}
	var types []weft.DType
	numbers := uint32(0)
	for i, in := range g.inputs {
		o := p.placed[in.id][0]
		stride, ok := asVector(o.layout, n.shape.Dimensions)
		if !ok {
			return operand{}, false, p.placeAlone(list[:len(list)-1])
		}
		if stride == 0 {
			numbers |= 1 << i
		}
		s.in, types = append(s.in, o), append(types, o.elem)
	}
	var results []int
	for _, m := range list {
		out, err := p.result(m)
		if err != nil {
			return out, true, err
		}
		s.out, results = append(s.out, out), append(results, slices.Index(members, m))
		p.placed[m.id] = []operand{out}
	}
	kernel, size := joinedKernel(g.code, types, results), n.shape.Size()
	caps := p.dev.Caps()
	cfg := joinedConfig{Numbers: numbers, Block: min(ceilPow2(size), 1<<12)}
	if !caps.WholeTiles {
		cfg.Block, cfg.Threads = min(cfg.Block, 1<<10), caps.FitThreads(256)
	}
	s.run = func(out, in []*weft.Tensor) error {
		views := make([]weft.TensorView, 0, len(in)+len(out))
		for i, t := range slices.Concat(in, out) {
			dims, strides := []int{size}, []int{1}
			if i < len(in) && numbers>>i&1 != 0 {
				dims = []int{1}
			}
			l, err := layout.Strided(dims, strides, t.Layout().Offset())
			if err != nil {
				return err
			}
			views = append(views, weft.TensorView{Tensor: t, Layout: l})
		}
		return kernel.LaunchViews(cfg, nil, views...)
	}
	p.steps = append(p.steps, s)
	return s.out[len(s.out)-1], true, nil
}

// placeAlone places nodes whose kernels were to be one.
func (p *planner) placeAlone(list []*node) error {
	for _, m := range list {
		out, err := p.placeGroup(m)
		if err != nil {
			return err
		}
		p.placed[m.id] = []operand{out}
	}
	return nil
}

// asVector is the stride of an operand that is seen in some sizes as a vector in order, or as a number.
func asVector(l layout.Layout, dims []int) (stride int, ok bool) {
	l, err := l.Broadcast(dims...)
	if err != nil {
		return 0, false
	}
	merged := l.Coalesce()
	if merged.Rank() != 1 || merged.Size(0) > 1 && merged.Stride(0) != 0 && merged.Stride(0) != 1 {
		return 0, false
	}
	if merged.Size(0) == 1 {
		return 1, true
	}
	return merged.Stride(0), true
}

// joinedConfig says which inputs are numbers, and how many elements a program has.
type joinedConfig struct {
	Numbers        uint32
	Block, Threads int
}

// joinedKernels has the kernels of several results so far, by their text.
var joinedKernels sync.Map // of string to *weft.Kernel[joinedConfig]

// joinedKernel computes element-wise ops, of which some are results.
func joinedKernel(code []instruction, types []weft.DType, results []int) *weft.Kernel[joinedConfig] {
	key := fmt.Sprintf("%v %v %#v", types, results, code)
	if k, ok := joinedKernels.Load(key); ok {
		return k.(*weft.Kernel[joinedConfig])
	}
	kernel := weft.NewKernel(codeName(code), func(k *tile.Builder, cfg joinedConfig) {
		views, in := make([]*tile.View, len(types)), make([]*tile.Value, len(types))
		for i, t := range types {
			views[i] = k.In(fmt.Sprintf("x%d", i), t, 1)
		}
		out := make([]*tile.View, len(results))
		for i, r := range results {
			out[i] = k.Out(fmt.Sprintf("out%d", i), code[r].to, 1)
		}
		k.Schedule(tile.Schedule{Threads: cfg.Threads})
		at := k.ProgramTile(out[0], cfg.Block)
		for i, v := range views {
			if cfg.Numbers>>i&1 != 0 {
				in[i] = v.At(0).Gather().Splat(cfg.Block)
			} else {
				in[i] = v.Block(cfg.Block).Load(at...)
			}
		}
		values := valuesOf(code, in)
		for i, r := range results {
			out[i].Block(cfg.Block).Store(values[r].Broadcast(cfg.Block), at...)
		}
	})
	kept, _ := joinedKernels.LoadOrStore(key, kernel)
	return kept.(*weft.Kernel[joinedConfig])
}
