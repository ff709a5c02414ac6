package compile

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
	"github.com/weftgpu/weft/wgsl"
)

// Facts is what a compiled kernel relies on about its arguments.
type Facts = axis.Facts

// Generic is what holds for any arguments of a kernel whose last dimensions have unit strides, each in a
// buffer of its own: for a kernel that is only to be shown.
func Generic(k *tile.Func) Facts {
	if k == nil {
		return Facts{}
	}
	return axis.Generic(k)
}

// Artifact is a kernel emitted for a device: the source with all that a
// launch needs to know, and the stages before it for readers.
type Artifact struct {
	Source backend.Source
	TileIR string
	Notes  []string   // choices of the compiler, each with the kernel's line and the reason
	simt   *simt.Func // nil for the interpreter
	// words says which launch word each of the source's words is.
	words []int
	// maps has one for each of the source's tensor maps.
	maps []mapped
}

// Words says which word of a launch each of the source's words is: those of tile.Func.Words come first,
// then the grid that the kernel declares, and last the width of the grid that is launched.
func (a *Artifact) Words() []int { return slices.Clone(a.words) }

// SimtIR is the thread-level IR that the source was printed from, empty for the
// interpreter.
func (a *Artifact) SimtIR() string {
	if a.simt == nil {
		return ""
	}
	return a.simt.String()
}

// Emit compiles a kernel to source for a target. It is a pure function.
func Emit(k *tile.Func, facts Facts, caps target.Caps) (*Artifact, error) {
	if k == nil {
		return nil, errNil("kernel")
	}
	if len(facts.Views) != len(k.Views) {
		return nil, fault.New(fault.ErrArgument, k.Name, "facts about %s given, the kernel has %d", fault.Count(len(facts.Views), "view"), len(k.Views))
	}
	if facts.DeviceAddresses && !caps.DeviceAddresses {
		return nil, fault.New(fault.ErrUnsupported, k.Name, "the target gives no addresses of buffers")
	}
	if caps.Language == target.TileIR {
		return interpreted(k, facts), nil
	}
	low, err := lower.Lower(k, facts, caps)
	if err != nil {
		return nil, err
	}
	low.Kernel.DeviceAddresses = facts.DeviceAddresses
	text, shared, err := print(low.Kernel, caps)
	if err != nil {
		return nil, err
	}
	a := &Artifact{TileIR: k.String(), simt: low.Kernel, Notes: append(scheduleNotes(k), low.Notes...), words: low.Words}
	a.Source = backend.Source{
		Language: caps.Language, Entry: low.Kernel.Name, Text: text,
		Words: len(low.Words), Threads: low.Kernel.LaunchThreads(), Shared: shared, DeviceAddresses: facts.DeviceAddresses,
	}
	if a.Source.Maps, a.maps, err = mapsOf(k, low.Kernel); err != nil {
		return nil, err
	}
	if caps.Language == target.CUDA {
		a.Source.Dynamic, a.Source.Dependent = cuda.Dynamic(low.Kernel), cuda.Dependent(caps)
	}
	for _, b := range low.Kernel.Buffers {
		a.Source.Bindings = append(a.Source.Bindings, backend.Binding{Name: b.Name, Access: access(b.Read, b.Write)})
	}
	return a, nil
}

func print(k *simt.Func, caps target.Caps) (text string, shared int, err error) {
	switch caps.Language {
	case target.WGSL:
		k.Name = wgsl.EntryName(k.Name) // a kernel may be called tanh
		text, err = wgsl.Emit(k, caps)
		return text, wgsl.SharedBytes(k), err
	case target.CUDA:
		k.Name = cuda.EntryName(k.Name)
		text, err = cuda.Emit(k, caps)
		return text, k.SharedBytes(), err
	case target.SPIRV:
		k.Name = spirv.EntryName(k.Name)
		text, err = spirv.Emit(k, caps)
		return text, spirv.SharedBytes(k), err
	}
	return "", 0, fault.New(fault.ErrUnsupported, k.Name, "the compiler emits no %v", caps.Language)
}

// scheduleNotes are notes on what a kernel's schedule asks for and what that costs.
func scheduleNotes(k *tile.Func) []string {
	var notes []string
	note := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("%v: schedule: %s", k.SchedulePos, fmt.Sprintf(format, args...)))
	}
	if k.Schedule != (tile.Schedule{}) {
		note("%v", k.Schedule)
	}
	for _, v := range k.Views {
		if v.Cleared {
			note("%s is cleared before each launch, for %d programs add to each of its tiles", v.Name, k.Schedule.SplitK)
		}
	}
	return notes
}

func access(read, write bool) backend.Access {
	var a backend.Access
	if read {
		a |= backend.Read
	}
	if write {
		a |= backend.Write
	}
	return a
}

// interpreted wraps a kernel for the interpreter, which takes all launch words.
func interpreted(k *tile.Func, facts Facts) *Artifact {
	p := &interp.Program{Kernel: k, Options: interp.Options{Native: true}}
	bindings := make([]backend.Binding, facts.Buffers())
	for i, v := range k.Views {
		b := facts.Views[i].Buffer
		p.Buffers = append(p.Buffers, b)
		bindings[b].Name = v.Name
		bindings[b].Access |= access(v.Access&tile.In != 0, v.Access&tile.Out != 0)
	}
	a := &Artifact{TileIR: k.String(), Notes: append(scheduleNotes(k), p.Notes()...)}
	for i := range k.WordCount() {
		a.words = append(a.words, i)
	}
	a.Source = backend.Source{
		Language: target.TileIR, Entry: k.Name, Text: a.TileIR, IR: p,
		Bindings: bindings, Words: len(a.words), Threads: 1,
	}
	return a
}
