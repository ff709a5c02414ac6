//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"runtime"
	"slices"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/target"
)

// program is a pipeline with its descriptor sets.
type program struct {
	part
	src       backend.Source
	pipe      C.weft_pipeline
	subgroups bool // exchanges registers within subgroups

	pools  []vk.DescriptorPool
	sets   []*set
	next   int  // the set of sets that was used the longest ago
	latest *set // the set of the last launch
}

// LaunchSource is for the checks of package backend.
func (p *program) LaunchSource() *backend.Source { return &p.src }

// set is a descriptor set and what it binds. Buffers are never written again
// into a set that a batch in flight may read.
type set struct {
	handle  C.uint64_t
	buffers []*buffer
	offsets []int64 // in the buffers
	last    uint64  // batch of the last use
}

func (d *device) Load(src backend.Source, binary []byte) (backend.Program, error) {
	op := "load " + src.Entry
	caps := d.caps
	if src.Language == target.WGSL {
		caps.Language = target.WGSL
	}
	if err := backend.CheckSource(src, caps); err != nil {
		return nil, err
	}
	if n := uniformWords(&src); 4*n > maxUniform {
		return nil, fault.New(fault.ErrLimit, op, "the kernel has %d words of parameters, the device allows %d at most", n, maxUniform/4)
	}
	words, err := spirv.Words(binary, src.Entry)
	if err != nil {
		return nil, err
	}
	if d.phys.facts.preserve[1] != 0 && src.Language == target.WGSL { // SPIR-V asks for it itself
		words = spirv.KeepInfinities(words)
	}
	subgroups := spirv.UsesSubgroups(words)
	if subgroups && d.caps.Subgroup(src.Threads) == 0 {
		return nil, fault.New(fault.ErrUnsupported, op, "the kernel exchanges registers within subgroups, which the device does not guarantee for workgroups of %d threads", src.Threads)
	}
	if err := d.lock(op); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	p := &program{part: part{d: d}, src: src, subgroups: subgroups}
	p.src.Bindings = slices.Clone(src.Bindings)
	for i := range p.src.Bindings {
		if p.src.Bindings[i].Access == 0 {
			p.src.Bindings[i].Access = backend.ReadWrite // not said: the worst
		}
	}
	d.mu.Unlocked(func() { err = p.build(words) })
	if err != nil {
		return nil, err
	}
	d.adopt(&p.part, p.free)
	return p, nil
}

// uniformWords is how many words of the uniform buffer a launch has: its scalars, and for a kernel with device addresses these of its buffers.
func uniformWords(src *backend.Source) int {
	if src.DeviceAddresses {
		return src.Words + 2*len(src.Bindings)
	}
	return src.Words
}

// words are those of a launch.
func (p *program) words(buffers []*buffer, l *backend.Launch) []uint32 {
	if !p.src.DeviceAddresses {
		return l.Words
	}
	words := slices.Grow(slices.Clone(l.Words), 2*len(buffers))
	for _, b := range buffers {
		at := b.address()
		words = append(words, uint32(at), uint32(at>>32))
	}
	return words
}

// build makes the pipeline; it may take the driver seconds.
func (p *program) build(words []uint32) error {
	info := vk.ShaderModuleCreateInfo{SType: vk.StructureTypeShaderModuleCreateInfo, CodeSize: uint64(4 * len(words)), PCode: words}
	defer info.Free()
	var module vk.ShaderModule
	r := vk.CreateShaderModule(p.d.handle, &info, nil, &module)
	runtime.KeepAlive(words)
	if err := failure("vkCreateShaderModule", r); err != nil {
		return err
	}
	defer vk.DestroyShaderModule(p.d.handle, module, nil)
	entry := C.CString(p.src.Entry)
	defer C.free(unsafe.Pointer(entry))
	var size C.uint32_t
	if p.subgroups && p.d.phys.settable() {
		size = C.uint32_t(p.d.caps.SubgroupSize)
	}
	r = vk.Result(C.weft_build(p.d.calls, pointer(p.d.handle), number(module), entry, C.uint32_t(len(p.src.Bindings)),
		C.int(flag(uniformWords(&p.src) > 0)), C.int(flag(p.subgroups)), size, &p.pipe))
	if err := failure("vkCreateComputePipelines", r); err != nil {
		return fault.New(fault.ErrKernel, "load "+p.src.Entry, "the driver does not accept the kernel").Because(err)
	}
	return nil
}

// binds reports whether the set binds the buffers of a launch from where the launch reaches them. The length follows from that.
func (s *set) binds(buffers []*buffer, l *backend.Launch) bool {
	for i, from := range s.offsets {
		if i >= len(buffers) || from != l.RangeOf(i).Offset {
			return false
		}
	}
	return slices.Equal(s.buffers, buffers)
}

// set gives a descriptor set for the buffers of a launch; fresh says that they have to be
// written into it. The set of the last launch serves again if it fits.
func (p *program) set(buffers []*buffer, l *backend.Launch) (handle C.uint64_t, fresh bool, err error) {
	if len(p.src.Bindings) == 0 && uniformWords(&p.src) == 0 {
		return 0, false, nil
	}
	q := &p.d.queue
	if s := p.latest; s != nil && s.binds(buffers, l) {
		s.last = q.open.seq
		return s.handle, false, nil
	}
	if len(p.sets) == 0 || p.sets[p.next].last > q.done {
		if err := p.moreSets(); err != nil {
			return 0, false, err
		}
	}
	s := p.sets[p.next]
	p.next = (p.next + 1) % len(p.sets)
	p.latest = s
	s.buffers, s.offsets = append(s.buffers[:0], buffers...), s.offsets[:0]
	for i := range buffers {
		s.offsets = append(s.offsets, l.RangeOf(i).Offset)
	}
	s.last = q.open.seq
	return s.handle, true, nil
}

// moreSets doubles the sets, within bounds, and puts the new ones next.
func (p *program) moreSets() error {
	handles, pool, err := p.makeSets(max(len(p.sets), 8))
	if pool != vk.NullDescriptorPool {
		p.pools = append(p.pools, pool)
	}
	if err != nil {
		return err
	}
	fresh := make([]*set, len(handles))
	for i := range fresh {
		fresh[i] = &set{handle: handles[i]}
	}
	p.sets = slices.Insert(p.sets, p.next, fresh...)
	return nil
}

// makeSets makes up to n sets in a pool, which is to be destroyed even if that fails.
func (p *program) makeSets(n int) ([]C.uint64_t, vk.DescriptorPool, error) {
	var handles [C.weft_max_sets]C.uint64_t
	n = min(n, len(handles))
	var pool C.uint64_t
	r := vk.Result(C.weft_sets(p.d.calls, pointer(p.d.handle), p.pipe.set_layout, C.uint32_t(len(p.src.Bindings)), C.int(flag(uniformWords(&p.src) > 0)), C.uint32_t(n), &pool, &handles[0]))
	made := vk.NullDescriptorPool
	if pool != 0 {
		made = handle[vk.DescriptorPool](pool)
	}
	return slices.Clone(handles[:n]), made, failure("vkAllocateDescriptorSets", r)
}

func (p *program) free() {
	for _, pool := range p.pools {
		vk.DestroyDescriptorPool(p.d.handle, pool, nil)
	}
	vk.DestroyPipeline(p.d.handle, handle[vk.Pipeline](p.pipe.pipeline), nil)
	vk.DestroyPipelineLayout(p.d.handle, handle[vk.PipelineLayout](p.pipe.layout), nil)
	vk.DestroyDescriptorSetLayout(p.d.handle, handle[vk.DescriptorSetLayout](p.pipe.set_layout), nil)
}
