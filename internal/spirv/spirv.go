package spirv

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/gogpu/naga"
	"github.com/gogpu/naga/ir"
	"github.com/gogpu/naga/spirv"

	"github.com/weftgpu/weft/fault"
)

// Compiler names the compiler and the form of its output; a cache of binaries
// is keyed by it.
const Compiler = "naga-go 0.19.0 spirv 1.3 rev 6"

// Compile translates one WGSL module to SPIR-V 1.3 in little-endian bytes, a
// whole number of 32-bit words. Entry points keep their names.
//
// The error wraps fault.ErrKernel and carries the compiler's message with its
// line and column in the text. No input makes it panic.
func Compile(wgsl string) (spv []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			spv, err = nil, fault.New(fault.ErrKernel, "wgsl", "the shader compiler panicked: %v", r)
		}
	}()
	out, err := generate(nameVectors(storeSquares(storeLoads(zeroVars(wgsl)))))
	if err != nil {
		return nil, fault.New(fault.ErrKernel, "wgsl", "the shader compiler does not accept the source").Because(err)
	}
	m, err := decode(out)
	if err != nil {
		return nil, fault.New(fault.ErrKernel, "wgsl", "the shader compiler's output is malformed").Because(err)
	}
	truncateRemainders(m)
	return encode(exactHalves(wideProducts(flatten(dropClearing(divideRemainders(m)))))), nil
}

// generate runs the compiler's stages.
func generate(wgsl string) ([]byte, error) {
	tree, err := naga.Parse(wgsl)
	if err != nil {
		return nil, err
	}
	module, err := naga.LowerWithCapabilities(tree, wgsl, ir.CapShaderFloat16)
	if err != nil {
		return nil, err
	}
	if err := refuse(module); err != nil {
		return nil, err
	}
	return naga.GenerateSPIRV(module, spirv.Options{Version: spirv.Version1_3})
}

// Words returns a binary as the words that Vulkan takes, after checking that it
// is whole and that it has the compute entry point. A damaged binary, from a
// cache for example, gives an error that wraps fault.ErrKernel.
func Words(spv []byte, entry string) ([]uint32, error) {
	call := "load " + entry
	m, err := decode(spv)
	if err != nil {
		return nil, fault.New(fault.ErrKernel, call, "the binary is not SPIR-V").Because(err)
	}
	found := slices.ContainsFunc(m.code, func(inst []uint32) bool { return isEntry(inst, entry) })
	if n := len(m.code); n == 0 || op(m.code[n-1]) != spirv.OpFunctionEnd {
		return nil, fault.New(fault.ErrKernel, call, "the SPIR-V binary is cut off")
	}
	if !found {
		return nil, fault.New(fault.ErrKernel, call, "the SPIR-V binary has no compute entry point %q", entry)
	}
	return m.words(), nil
}

// isEntry reports whether an instruction declares the compute entry point.
func isEntry(inst []uint32, entry string) bool {
	if op(inst) != spirv.OpEntryPoint || len(inst) < 4 || inst[1] != uint32(spirv.ExecutionModelGLCompute) {
		return false
	}
	var name []byte
	for _, w := range inst[3:] {
		name = binary.LittleEndian.AppendUint32(name, w)
	}
	got, _, _ := strings.Cut(string(name), "\x00")
	return got == entry
}

const headerWords = 5 // magic, version, generator, bound, schema

// module is a binary split into its header and instructions. An instruction
// keeps its first word, which holds the word count and the opcode.
type module struct {
	header []uint32
	code   [][]uint32
}

func (m module) words() []uint32 { return append(slices.Clone(m.header), slices.Concat(m.code...)...) }

func op(inst []uint32) spirv.OpCode { return spirv.OpCode(inst[0] & 0xffff) }

// instruction makes an instruction of its operands.
func instruction(code spirv.OpCode, operands ...uint32) []uint32 {
	return append([]uint32{uint32(len(operands)+1)<<16 | uint32(code)}, operands...)
}

func decode(b []byte) (module, error) {
	if len(b)%4 != 0 || len(b) < 4*headerWords || binary.LittleEndian.Uint32(b) != spirv.MagicNumber {
		return module{}, fmt.Errorf("%d bytes do not begin with a SPIR-V header", len(b))
	}
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return split(words)
}

// split splits words that begin with a header.
func split(words []uint32) (module, error) {
	m := module{header: words[:headerWords]}
	for at := headerWords; at < len(words); {
		n := int(words[at] >> 16)
		if n == 0 || at+n > len(words) {
			return module{}, fmt.Errorf("an instruction of %d words begins at word %d, the binary has %d", n, at, len(words))
		}
		m.code = append(m.code, words[at:at+n])
		at += n
	}
	return m, nil
}

func encode(m module) []byte {
	out, _ := binary.Append(nil, binary.LittleEndian, m.words()) // fails for types without a size alone
	return out
}
