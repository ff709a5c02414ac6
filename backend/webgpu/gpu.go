//go:build cgo || js

package webgpu

import (
	"strings"

	"github.com/cogentcore/webgpu/wgpu"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/target"
)

// This file and its native and js counterparts are all that knows the binding.
// The names below are what the rest of the package calls its objects.
type (
	rawBuffer = *wgpu.Buffer
	bindGroup = *wgpu.BindGroup
)

// What buffers are for.
const (
	storageUsage = wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc | wgpu.BufferUsageCopyDst
	uniformUsage = wgpu.BufferUsageUniform | wgpu.BufferUsageCopyDst
	stagingUsage = wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst
	resolveUsage = wgpu.BufferUsageQueryResolve | wgpu.BufferUsageCopySrc
)

// limits is what a device allows, in bytes and counts.
type limits struct {
	buffer, binding, uniform  int64
	threads, shared, bindings int
	groups                    int // workgroups in each dimension
	uniformAlignment          int
	registers                 int // of one thread, 0 where that is not known
	kind                      target.Kind
	f16                       bool // kernels may hold 16-bit floats as such
}

// adapter is a device that can be opened.
type adapter struct {
	backend.Info
	open func() (*gpu, error)
}

// gpu is an open device of the binding. None of its methods but wait may run
// together with another: errors are caught in scopes, and scopes belong to the device
// rather than to the caller.
type gpu struct {
	device     *wgpu.Device
	queue      *wgpu.Queue
	limits     limits
	timestamps bool
	gpuExtra
}

// pipeline is a kernel ready for dispatch.
type pipeline struct {
	layout   *wgpu.BindGroupLayout
	pipeline *wgpu.ComputePipeline
}

func (p pipeline) release() {
	p.pipeline.Release()
	p.layout.Release()
}

func (g *gpu) newBuffer(size int64, usage wgpu.BufferUsage) (b rawBuffer, err error) {
	err = g.checked(func() (err error) {
		b, err = g.device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(size), Usage: usage})
		return err
	})
	return b, err
}

// newPipeline compiles a kernel and checks it against the layout of its
// bindings; uniform is the size of its scalar block, 0 for none.
func (g *gpu) newPipeline(src backend.Source, text string, uniform int64) (p pipeline, err error) {
	err = g.checked(func() (err error) {
		p, err = g.buildPipeline(src, text, uniform)
		return err
	})
	return p, err
}

func (g *gpu) buildPipeline(src backend.Source, text string, uniform int64) (p pipeline, err error) {
	module, err := g.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: text},
	})
	if err != nil {
		return p, err
	}
	defer module.Release()
	group, err := g.device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: layoutEntries(src, uniform)})
	if err != nil {
		return p, err
	}
	layout, err := g.device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: []*wgpu.BindGroupLayout{group}})
	if err != nil {
		group.Release()
		return p, err
	}
	defer layout.Release()
	compute, err := g.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Layout:  layout,
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: src.Entry},
	})
	if err != nil {
		group.Release()
		return p, err
	}
	return pipeline{group, compute}, nil
}

func layoutEntries(src backend.Source, uniform int64) []wgpu.BindGroupLayoutEntry {
	var entries []wgpu.BindGroupLayoutEntry
	add := func(buffer wgpu.BufferBindingLayout) {
		entries = append(entries, wgpu.BindGroupLayoutEntry{
			Binding:    uint32(len(entries)),
			Visibility: wgpu.ShaderStageCompute,
			Buffer:     buffer,
		})
	}
	for _, b := range src.Bindings {
		kind := wgpu.BufferBindingTypeStorage
		if b.Access == backend.Read {
			kind = wgpu.BufferBindingTypeReadOnlyStorage
		}
		add(wgpu.BufferBindingLayout{Type: kind})
	}
	if uniform > 0 {
		add(wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeUniform, HasDynamicOffset: true, MinBindingSize: uint64(uniform)})
	}
	return entries
}

// newBindGroup binds storage buffers from where a launch reaches them, to their ends if the device allows
// it, and the first bytes of the scalar block if size is not 0.
func (g *gpu) newBindGroup(p pipeline, storage []*buffer, l *backend.Launch, scalars rawBuffer, size int64) (bindGroup, error) {
	var entries []wgpu.BindGroupEntry
	add := func(b rawBuffer, offset, size int64) {
		entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(len(entries)), Buffer: b, Offset: uint64(offset), Size: uint64(size)})
	}
	for i, b := range storage {
		from := l.RangeOf(i).Offset
		add(b.raw, from, min(b.padded()-from, g.limits.binding&^(granule-1)))
	}
	if size > 0 {
		add(scalars, 0, size)
	}
	return g.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: p.layout, Entries: entries})
}

// batch is a command encoder with the compute pass that is open on it, if any.
type batch struct {
	gpu     *gpu
	encoder *wgpu.CommandEncoder
	pass    *wgpu.ComputePassEncoder
}

func (g *gpu) newBatch() (*batch, error) {
	encoder, err := g.device.CreateCommandEncoder(nil)
	if err != nil {
		return nil, err
	}
	return &batch{gpu: g, encoder: encoder}, nil
}

// dispatch records a launch. offset is where its scalars are; -1 if it has none.
func (b *batch) dispatch(p pipeline, group bindGroup, offset int, grid [3]int) {
	if b.pass == nil {
		b.pass = b.encoder.BeginComputePass(nil)
	}
	b.pass.SetPipeline(p.pipeline)
	var offsets []uint32
	if offset >= 0 {
		offsets = []uint32{uint32(offset)}
	}
	b.pass.SetBindGroup(0, group, offsets)
	b.pass.DispatchWorkgroups(uint32(grid[0]), uint32(grid[1]), uint32(grid[2]))
}

// endPass ends the open pass, so that something else can be recorded.
func (b *batch) endPass() error {
	if b.pass == nil {
		return nil
	}
	err := endPass(b.pass)
	b.pass.Release()
	b.pass = nil
	return err
}

// copyBuffer records a copy; offsets and n are multiples of 4.
func (b *batch) copyBuffer(dst rawBuffer, dstOffset int64, src rawBuffer, srcOffset, n int64) error {
	if err := b.endPass(); err != nil {
		return err
	}
	return b.encoder.CopyBufferToBuffer(src, uint64(srcOffset), dst, uint64(dstOffset), uint64(n))
}

// submit hands the batch to the device and ends it, also if it fails.
func (b *batch) submit() (submission, error) {
	defer b.encoder.Release()
	if err := b.endPass(); err != nil {
		return submission{}, err
	}
	commands, err := b.encoder.Finish(nil)
	if err != nil {
		return submission{}, err
	}
	defer commands.Release()
	return b.gpu.submit(commands), nil
}

// discard ends the batch without running it.
func (b *batch) discard() {
	_ = b.endPass()
	b.encoder.Release()
}

// message is the text of one of the library's errors without what the binding
// and the library put around it.
func message(err error) string {
	s := err.Error()
	if _, rest, found := strings.Cut(s, "(): "); found {
		s = rest
	}
	s = strings.TrimPrefix(s, "Validation Error\n\nCaused by:\n")
	if first, rest, found := strings.Cut(s, "\n"); found && strings.HasPrefix(strings.TrimSpace(first), "In wgpu") {
		s = rest
	}
	return strings.TrimSpace(s)
}
