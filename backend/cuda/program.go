//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// program is a loaded cubin and its entry point.
type program struct {
	resource
	src      backend.Source
	module   uintptr // CUmodule
	function uintptr // CUfunction

	// args holds the kernel's arguments one after the other, as they are stored in its parameters: tensor maps, pointers and then words, which
	// costs the driver less than an address of each. extra describes them to it, or params does, by the addresses, where there are
	// maps: driver 580 puts a whole block of arguments elsewhere than a kernel with parameters aligned to 64 bytes looks for it (see the
	// parameters of those names of cuLaunchKernel). All, and the launcher, are made once, so that a
	// launch allocates nothing. The device's mu guards them: the driver reads them before the launch returns.
	args          []uint64
	bytes         uintptr
	params, extra []uintptr
	launcher
}

// LaunchSource is for the checks of package backend.
func (p *program) LaunchSource() *backend.Source { return &p.src }

// The marks of extra, from cuda.h.
const (
	paramEnd     = 0
	paramPointer = 1
	paramSize    = 2
)

// Compile implements backend.Device.
func (d *device) Compile(src backend.Source) ([]byte, error) {
	op := "compile " + src.Entry
	if src.Language != target.CUDA {
		return nil, fault.New(fault.ErrUnsupported, op, "the source is %v, the device takes %v", src.Language, target.CUDA)
	}
	if err := d.enter(op); err != nil {
		return nil, err
	}
	defer d.leave()
	cubin, _, err := d.rtc.compile(d.caps.Arch, src.Entry+".cu", src.Text)
	return cubin, err
}

// Load implements backend.Device.
func (d *device) Load(src backend.Source, image []byte) (backend.Program, error) {
	op := "load " + src.Entry
	if err := backend.CheckSource(src, d.caps); err != nil {
		return nil, err
	}
	if src.Threads < 1 {
		return nil, fault.New(fault.ErrKernel, op, "the source has %d threads, want at least 1", src.Threads)
	}
	if err := checkImage(op, image); err != nil {
		return nil, err
	}
	if err := d.enter(op); err != nil {
		return nil, err
	}
	defer d.leave()
	p := newProgram(d, src)
	if err := d.call(&d.lib.ModuleLoadData, uintptr(unsafe.Pointer(&p.module)), uintptr(unsafe.Pointer(&image[0]))); err != nil {
		return nil, err
	}
	if err := p.find(op); err != nil {
		d.call(&d.lib.ModuleUnload, p.module)
		return nil, err
	}
	p.launcher = newLauncher(p)
	if err := d.adopt(&p.resource); err != nil {
		return nil, err
	}
	return p, nil
}

func newProgram(d *device, src backend.Source) *program {
	p := &program{src: src, bytes: uintptr(8*mapWords*len(src.Maps) + 8*len(src.Bindings) + 4*src.Words)}
	if p.bytes > 0 {
		p.args = make([]uint64, (p.bytes+mapAlign+7)/8)
		if past := addr(p.args) % mapAlign; past > 0 { // what is made in Go stays where it is
			p.args = p.args[(mapAlign-past)/8:]
		}
		if len(src.Maps) > 0 {
			p.params = p.addresses()
		} else {
			p.extra = []uintptr{paramPointer, addr(p.args), paramSize, uintptr(unsafe.Pointer(&p.bytes)), paramEnd}
		}
	}
	p.resource = resource{dev: d, what: "program", destroy: p.unload}
	return p
}

// addresses are those of the arguments.
func (p *program) addresses() (list []uintptr) {
	at := addr(p.args)
	for _, group := range []struct{ n, bytes int }{{len(p.src.Maps), 8 * mapWords}, {len(p.src.Bindings), 8}, {p.src.Words, 4}} {
		for range group.n {
			list = append(list, at)
			at += uintptr(group.bytes)
		}
	}
	return list
}

// find looks up the entry point and checks that it can be launched.
func (p *program) find(op string) error {
	d := p.dev
	entry := cString(p.src.Entry)
	if err := d.call(&d.lib.ModuleGetFunction, uintptr(unsafe.Pointer(&p.function)), p.module, uintptr(unsafe.Pointer(&entry[0]))); err != nil {
		if errors.Is(err, fault.ErrDeviceLost) {
			return err
		}
		return fault.New(fault.ErrKernel, op, "the binary has no entry point of this name (it must be extern \"C\"): %v", err)
	}
	var threads, registers int32
	if err := d.call(&d.lib.FuncGetAttribute, uintptr(unsafe.Pointer(&threads)), funcMaxThreads, p.function); err != nil {
		return err
	}
	if err := d.call(&d.lib.FuncGetAttribute, uintptr(unsafe.Pointer(&registers)), funcRegisters, p.function); err != nil {
		return err
	}
	if int(threads) < p.src.Threads {
		return fault.New(fault.ErrLimit, op, "a workgroup has %d threads of %d registers each, the device has registers for %d",
			p.src.Threads, registers, threads)
	}
	if p.src.Dynamic > 0 { // which by itself may not be more than 48 KiB
		return d.call(&d.lib.FuncSetAttribute, p.function, funcDynamicShared, uintptr(p.src.Dynamic))
	}
	return nil
}

// unload waits for the kernels in flight, which the driver does not promise to do.
func (p *program) unload() error {
	d := p.dev
	if err := d.wait(); err != nil {
		return err
	}
	return d.call(&d.lib.ModuleUnload, p.module)
}

// checkImage refuses what is no cubin or a part of one: the driver takes an
// image without its length and would read past the end.
func checkImage(op string, image []byte) error {
	bad := func(what string) error {
		return fault.New(fault.ErrKernel, op, "the binary of %d bytes %s", len(image), what)
	}
	const header = 64 // bytes of an ELF header for 64 bits
	if len(image) < header || string(image[:6]) != "\x7fELF\x02\x01" {
		return bad("is no cubin")
	}
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(image[at:]) }
	u16 := func(at int) uint64 { return uint64(binary.LittleEndian.Uint16(image[at:])) }
	segments, sections := u64(32), u64(40)
	size := uint64(len(image))
	if segments > size || sections > size ||
		segments+u16(54)*u16(56) > size || sections+u16(58)*u16(60) > size {
		return bad("is truncated")
	}
	return nil
}
