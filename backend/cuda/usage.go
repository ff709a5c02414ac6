package cuda

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// Usage is what one kernel of a cubin takes of a multiprocessor, as cuobjdump --dump-resource-usage reports it.
type Usage struct {
	Kernel    string // entry point
	Registers int    // of a thread, 32 bits each
	Stack     int    // bytes of local memory of a thread: spilled registers, and arrays indexed at run time
	Shared    int    // bytes of statically declared shared memory of a workgroup, for sm_90 and up with the 1024 that the driver keeps
}

// ResourceUsage reads what the kernels of a cubin take, by their names. It needs neither a driver nor a GPU. What is no
// cubin, or one that lacks the attributes of its kernels, is a fault.ErrKernel.
//
// NVIDIA documents neither the sections nor the attributes: they are those that its disassemblers print
// (nvdisasm and cuobjdump -elf of CUDA 12).
func ResourceUsage(cubin []byte) ([]Usage, error) {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.ErrKernel, "cuda: resource usage", format, args...)
	}
	if len(cubin) < elfVersion+4 {
		return nil, refuse("%d bytes are too few for a cubin", len(cubin))
	}
	image := slices.Clone(cubin)
	binary.LittleEndian.PutUint32(image[elfVersion:], uint32(elf.EV_CURRENT)) // where a cubin has its toolkit's
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, refuse("the cubin cannot be read: %v", err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, refuse("the cubin's symbols cannot be read: %v", err)
	}
	kernels := map[string]*Usage{}
	for _, s := range f.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".text."); ok {
			kernels[name] = &Usage{Kernel: name, Registers: -1, Stack: -1}
		}
	}
	for _, s := range f.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".nv.shared."); ok && kernels[name] != nil {
			kernels[name].Shared = int(s.Size)
		}
		if s.Name != ".nv.info" {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, refuse("section %s cannot be read: %v", s.Name, err)
		}
		for attribute, payload := range attributes(data, f.ByteOrder) {
			if len(payload) != 8 {
				continue
			}
			symbol, value := f.ByteOrder.Uint32(payload), f.ByteOrder.Uint32(payload[4:])
			if symbol == 0 || int(symbol) > len(symbols) { // Symbols leaves out the first
				return nil, refuse("attribute %#x is of symbol %d, the binary has %d", attribute, symbol, len(symbols))
			}
			switch u := kernels[symbols[symbol-1].Name]; {
			case u == nil: // of a device function
			case attribute == attributeRegisters:
				u.Registers = int(value)
			case attribute == attributeFrame:
				u.Stack = int(value)
			}
		}
	}
	var list []Usage
	for name, u := range kernels {
		if u.Registers < 0 || u.Stack < 0 {
			return nil, refuse("kernel %s lacks a count of registers or the size of its stack", name)
		}
		list = append(list, *u)
	}
	slices.SortFunc(list, func(x, y Usage) int { return cmp.Compare(x.Kernel, y.Kernel) })
	return list, nil
}

// elfVersion is where the header of an ELF file holds the version.
const elfVersion = 20

// Attributes of .nv.info whose values are a symbol and a number.
const (
	attributeFrame     = 0x11 // EIATTR_FRAME_SIZE
	attributeRegisters = 0x2f // EIATTR_REGCOUNT
	formatSized        = 0x04 // EIFMT_SVAL: a length of 16 bits and so many bytes; the others hold two bytes
)

// attributes calls yield with the attributes of a section .nv.info and their values, up to its end or to what
// does not fit in.
func attributes(data []byte, order binary.ByteOrder) func(yield func(attribute byte, payload []byte) bool) {
	return func(yield func(byte, []byte) bool) {
		for len(data) >= 4 {
			format, attribute, size := data[0], data[1], 0
			if format == formatSized {
				size = int(order.Uint16(data[2:]))
			}
			if data = data[4:]; size > len(data) || !yield(attribute, data[:size]) {
				return
			}
			data = data[size:]
		}
	}
}
