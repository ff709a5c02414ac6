//go:build cgo || js

package webgpu

import (
	"encoding/binary"
	"strings"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// program is a loaded kernel. Its mutable fields are guarded by the device's lock.
type program struct {
	part
	src      backend.Source
	pipeline pipeline
	uniform  int64 // bytes of the scalar block, 0 for none
	stride   int64 // bytes between scalar blocks of a batch
	id       uint64
	used     uint64 // number of the last batch that runs it
	groups   groupSet
}

// LaunchSource is for the checks of package backend.
func (p *program) LaunchSource() *backend.Source { return &p.src }

// Load compiles WGSL. A text that does not compile, or does not fit its
// bindings, gives fault.ErrKernel with the library's message.
func (d *device) Load(src backend.Source, text []byte) (backend.Program, error) {
	op := "load " + src.Entry
	if err := d.mu.Enter(op); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	if err := backend.CheckSource(src, d.caps); err != nil {
		return nil, err
	}
	if src.Entry == "" || len(text) == 0 || strings.ContainsRune(string(text), 0) {
		return nil, fault.New(fault.ErrKernel, op, "the source has no entry point, no text, or a zero byte in its text")
	}
	uniform := roundUp(4*int64(src.Words), 16)
	stride := roundUp(uniform, int64(d.gpu.limits.uniformAlignment))
	if uniform > d.gpu.limits.uniform || stride > scalarBytes {
		return nil, fault.New(fault.ErrLimit, op, "the kernel has %d words of parameters, the device has %d bytes for them", src.Words,
			min(d.gpu.limits.uniform, scalarBytes))
	}
	pipe, err := d.gpu.newPipeline(src, string(text), uniform)
	if err != nil {
		return nil, fail(op, loadKind(err), err)
	}
	d.nextID++
	p := &program{part: part{device: d}, src: src, pipeline: pipe, uniform: uniform, stride: stride, id: d.nextID, groups: groupSet{}}
	d.adopt(&p.part, p.free)
	return p, nil
}

// loadKind tells a kernel that is wrong from one that asks for what is not there.
func loadKind(err error) error {
	text := err.Error()
	for _, s := range []string{"not supported", "unsupported", "Capabilit", "capabilit", "enable "} {
		if strings.Contains(text, s) {
			return fault.ErrUnsupported
		}
	}
	return fault.ErrKernel
}

// free frees the program; launches recorded before still run.
func (p *program) free() {
	p.device.unuse(p.used, p.groups)
	p.pipeline.release()
}

// unuse submits the batch that last used something, if it is open, and frees the bind groups of that.
func (d *device) unuse(batch uint64, groups groupSet) {
	if batch == d.queue.number {
		d.flush()
	}
	d.groups.drop(groups)
}

// groupSet is the bind groups that a buffer or program is part of, by key.
type groupSet map[string]*boundGroup

// boundGroup is a cached bind group and the sets that it is in.
type boundGroup struct {
	key   string
	group bindGroup
	in    []groupSet
}

// groupCache keeps bind groups by program, buffers and offsets in them, since making one costs
// more than a launch.
type groupCache struct {
	all groupSet
	key []byte // scratch
}

const maxGroups = 4096

// get returns the bind group of a program with its buffers, from where a launch reaches them.
func (c *groupCache) get(d *device, p *program, storage []*buffer, l *backend.Launch) (bindGroup, error) {
	c.key = binary.LittleEndian.AppendUint64(c.key[:0], p.id)
	for i, b := range storage {
		c.key = binary.LittleEndian.AppendUint64(c.key, b.id)
		c.key = binary.LittleEndian.AppendUint64(c.key, uint64(l.RangeOf(i).Offset))
	}
	if g, ok := c.all[string(c.key)]; ok {
		return g.group, nil
	}
	if len(c.all) >= maxGroups {
		d.flush()
		c.clear()
	}
	group, err := d.gpu.newBindGroup(p.pipeline, storage, l, d.queue.scalars, p.uniform)
	if err != nil {
		return nil, err
	}
	if c.all == nil {
		c.all = groupSet{}
	}
	g := &boundGroup{key: string(c.key), group: group, in: []groupSet{c.all, p.groups}}
	for _, b := range storage {
		g.in = append(g.in, b.groups)
	}
	for _, set := range g.in {
		set[g.key] = g
	}
	return group, nil
}

// drop frees the groups of a set. The open batch must not use them.
func (c *groupCache) drop(set groupSet) {
	for _, g := range set {
		for _, s := range g.in {
			delete(s, g.key)
		}
		g.group.Release()
	}
}

func (c *groupCache) clear() { c.drop(c.all) }
