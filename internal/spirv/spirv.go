package spirv

import (
	"encoding/binary"
	"fmt"

	"github.com/gogpu/naga"
	"github.com/gogpu/naga/spirv"

	"github.com/weftgpu/weft/fault"
)

// Compile translates one WGSL module to SPIR-V 1.3 in little-endian bytes, a
// whole number of 32-bit words. Entry points keep their names.
//
// The error wraps fault.ErrKernel and carries the compiler's message with its
// line and column in the text. No input makes it panic.
func Compile(wgsl string) (binary []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			binary, err = nil, fault.New(fault.ErrKernel, "wgsl", "the shader compiler panicked: %v", r)
		}
	}()
	out, err := naga.CompileWithOptions(wgsl, naga.CompileOptions{
		SPIRVVersion: spirv.Version1_3,
		Validate:     true,
	})
	if err != nil {
		return nil, fault.New(fault.ErrKernel, "wgsl", "does not compile").Because(err)
	}
	words, err := decode(out)
	if err != nil {
		return nil, fault.New(fault.ErrKernel, "wgsl", "the shader compiler's output is malformed").Because(err)
	}
	return encode(dropClearing(words)), nil
}

const headerWords = 5 // magic, version, generator, bound, schema

// module is a binary split into its header and instructions. An instruction
// keeps its first word, which holds the word count and the opcode.
type module struct {
	header []uint32
	code   [][]uint32
}

func op(inst []uint32) uint32 { return inst[0] & 0xffff }

func decode(b []byte) (module, error) {
	if len(b)%4 != 0 || len(b) < 4*headerWords || binary.LittleEndian.Uint32(b) != spirv.MagicNumber {
		return module{}, fmt.Errorf("%d bytes without a SPIR-V header", len(b))
	}
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	m := module{header: words[:headerWords]}
	for at := headerWords; at < len(words); {
		n := int(words[at] >> 16)
		if n == 0 || at+n > len(words) {
			return module{}, fmt.Errorf("instruction of %d words at word %d of %d", n, at, len(words))
		}
		m.code = append(m.code, words[at:at+n])
		at += n
	}
	return m, nil
}

func encode(m module) []byte {
	var out []byte
	for _, w := range m.header {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	for _, inst := range m.code {
		for _, w := range inst {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
	}
	return out
}
