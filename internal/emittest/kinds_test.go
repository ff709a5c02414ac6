package emittest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// registers are the element types of values, longs those of 64 bits, which WGSL lacks.
var (
	longs     = []dtype.Type{dtype.I64, dtype.U64}
	registers = append([]dtype.Type{dtype.Bool, dtype.I32, dtype.U32, dtype.F32}, longs...)
)

func isLong(e dtype.Type) bool { return slices.Contains(longs, e) }

// arity of an element-wise kind.
func arity(k simt.Kind) int {
	switch {
	case k < simt.Add:
		return 1
	case k < simt.Select:
		return 2
	}
	return 3
}

// elementwise builds a kernel that applies one kind to width elements a thread:
// its operands come from buffers "x", "y" and "z", its results go to "out". It
// returns nil if the kind does not take or give these types.
func elementwise(kind simt.Kind, from, to dtype.Type, elem dtype.Type, width int) *simt.Func {
	b := start("op", 64)
	at := b.Binary(simt.Mul, b.Binary(simt.Add, b.Binary(simt.Mul, group(b, 0), b.Int(64)), thread(b)), b.Int(width))
	op := &simt.Op{Kind: kind, Elem: elem}
	for i := range arity(kind) {
		e := from
		if kind == simt.Select && i == 0 {
			e = dtype.Bool
		}
		buf := input("xyz"[i:i+1], e)
		b.Func.Buffers = append(b.Func.Buffers, buf)
		op.Args = append(op.Args, b.Load(buf, at, nil, width, 0))
	}
	out := output("out", to)
	b.Func.Buffers = append(b.Func.Buffers, out)
	b.Store(out, at, b.Emit(op, simt.Vector(to, width)), nil)
	if simt.Verify(b.Func) != nil {
		return nil
	}
	return b.Func
}

// variant is one element-wise kind on one combination of types.
type variant struct {
	kind     simt.Kind
	from, to dtype.Type
	elem     dtype.Type // of a Round16
}

func (v variant) String() string {
	if v.kind == simt.Round16 {
		return fmt.Sprintf("%v_%v", v.kind, v.elem)
	}
	return fmt.Sprintf("%v_%v_%v", v.kind, v.from, v.to)
}

func (v variant) long() bool { return isLong(v.from) || isLong(v.to) }

// variants lists every combination that the verifier lets pass, but for those with F64.
func variants() []variant { return variantsOf(registers) }

// doubleVariants lists those with F64.
func doubleVariants() []variant {
	return slices.DeleteFunc(variantsOf(append(slices.Clone(registers), dtype.F64)), func(v variant) bool { return v.from != dtype.F64 && v.to != dtype.F64 })
}

func variantsOf(registers []dtype.Type) []variant {
	var all []variant
	for kind := simt.Invalid; kind < simt.NumKinds; kind++ {
		if !kind.IsElementwise() {
			continue
		}
		for _, from := range registers {
			for _, to := range registers {
				for _, elem := range []dtype.Type{dtype.F16, dtype.BF16} {
					v := variant{kind, from, to, elem}
					if kind != simt.Round16 {
						v.elem = 0
					}
					if !slices.Contains(all, v) && elementwise(kind, from, to, v.elem, 1) != nil {
						all = append(all, v)
					}
				}
			}
		}
	}
	return all
}

// TestVariants keeps the list from being empty by mistake.
func TestVariants(t *testing.T) {
	seen := map[simt.Kind]bool{}
	for _, v := range variants() {
		seen[v.kind] = true
	}
	for kind := simt.Neg; kind <= simt.FMA; kind++ {
		if !seen[kind] {
			t.Errorf("no variant of %v", kind)
		}
	}
}

// variantKernels are the kernels of all variants, with or without those of 64 bits.
func variantKernels(long bool, widths ...int) map[string]*simt.Func {
	kernels := map[string]*simt.Func{}
	for _, v := range variants() {
		if v.long() && !long {
			continue
		}
		for _, width := range widths {
			kernels[fmt.Sprintf("%v_x%d", v, width)] = elementwise(v.kind, v.from, v.to, v.elem, width)
		}
	}
	return kernels
}

// doubleKernels are the kernels of the variants with F64.
func doubleKernels() map[string]*simt.Func {
	kernels := map[string]*simt.Func{}
	for _, v := range doubleVariants() {
		for _, width := range []int{1, 4} {
			kernels[fmt.Sprintf("%v_x%d", v, width)] = elementwise(v.kind, v.from, v.to, v.elem, width)
		}
	}
	return kernels
}

// TestElementwise passes every element-wise kind on every type and width
// through the compilers.
func TestElementwise(t *testing.T) {
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, variantKernels(false, 1, 2, 4)) })
	t.Run("spirv", func(t *testing.T) { checkSPIRV(t, variantKernels(true, 1, 2, 4)) })
	t.Run("spirv, doubles", func(t *testing.T) { checkSPIRV(t, doubleKernels()) })
	t.Run("cuda", func(t *testing.T) {
		checkCUDA(t, doubleKernels(), "sm_90a")
		checkCUDA(t, variantKernels(true, 1), "sm_80")
		checkCUDA(t, variantKernels(true, 2), "sm_90a") // lane by lane, the same as for 4
	})
}

// shuffleKernel sums over the threads of a warp.
func shuffleKernel(e dtype.Type, width, threads int) *simt.Func {
	x, y := input("x", e), output("y", e)
	b := start("shuffle", threads, x, y)
	b.SetLine("sum.go:8")
	at := b.Binary(simt.Mul, thread(b), b.Int(width))
	v := b.Load(x, at, nil, width, 0)
	for mask := 1; mask < min(32, threads); mask *= 2 {
		other := b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, LaneMask: mask}, v.Type)
		v = b.Binary(simt.Ne, v, other)
		if e != dtype.Bool {
			v = b.Binary(simt.Add, other, other)
		}
	}
	b.Store(y, at, v, nil)
	return b.Func
}

func TestShuffle(t *testing.T) {
	kernels, texts, assembled := map[string]*simt.Func{}, map[string]string{}, map[string]string{}
	for _, e := range append(slices.Clone(registers), dtype.F64) {
		for _, width := range []int{1, 4} {
			for _, threads := range []int{8, 64} {
				k := shuffleKernel(e, width, threads)
				kernels[fmt.Sprintf("%v_x%d_%d", e, width, threads)] = k
				if threads >= wholeSPIRV.SubgroupSize {
					assembled[fmt.Sprintf("%v_x%d_%d", e, width, threads)] = emitSPIRV(t, k, wholeSPIRV)
				}
				if threads >= extended.SubgroupSize && e.Size() < 8 {
					texts[fmt.Sprintf("%v_x%d_%d", e, width, threads)] = emitWGSLFor(t, k, extended)
				}
				caps := extended
				caps.SubgroupSize = 16
				if threads < extended.SubgroupSize { // a subgroup that is not full
					caps = extended
				}
				_, err := wgsl.Emit(declared(t, k, caps), caps)
				_, errSPIRV := spirv.Emit(k, caps)
				for _, err := range []error{err, errSPIRV} {
					if !errors.Is(err, fault.ErrUnsupported) || e.Size() < 8 && !strings.Contains(err.Error(), "sum.go:8") {
						t.Errorf("a shuffle: %v", err)
					}
				}
			}
		}
	}
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, kernels, bothArchs...) })
	t.Run("wgsl", func(t *testing.T) { checkTexts(t, texts) })
	t.Run("spirv", func(t *testing.T) { checkAssembly(t, assembled) })
}

// TestEveryKind shows that no kind is forgotten: the kernels that these tests emit contain every one.
func TestEveryKind(t *testing.T) {
	seen := map[simt.Kind]bool{simt.Invalid: true}
	var visit func(b *simt.Block)
	visit = func(b *simt.Block) {
		for _, op := range b.Ops {
			seen[op.Kind] = true
			for _, body := range op.Blocks() {
				visit(body)
			}
		}
	}
	for _, kernels := range []map[string]*simt.Func{goldenKernels(), variantKernels(false, 4), {"wide": copying{dtype.F32, 4, 1, true, true}.kernel(), "narrow": copying{dtype.F32, 1, 4, true, true}.kernel()}} {
		for _, k := range kernels {
			for _, emit := range languages {
				emit(t, k)
			}
			visit(k.Body)
		}
	}
	for _, k := range []*simt.Func{ // which some languages lack
		shuffleKernel(dtype.F32, 1, 64), matrixKernel(dtype.F16, false, false), groupKernel(dtype.F16, false, 8), storeKernel(dtype.F16, 4),
		pairKernel(dtype.F16), bytesKernel(), bitsKernel(), ballotKernel(), rankKernel(), roleKernel(t, "ordered"), roleKernel(t, "groups"), cooperativeKernel(t, "opaque"),
	} {
		visit(k.Body)
	}
	for kind := range simt.NumKinds {
		if !seen[kind] {
			t.Errorf("no kernel has %v", kind)
		}
	}
}

// TestEntryNames rejects what cannot be an entry point, which keeps its name.
func TestEntryNames(t *testing.T) {
	for _, name := range []string{"", "2d", "a b", "a-b", "for", "ärger", "__x"} {
		k := addKernel()
		k.Name = name
		if _, err := wgsl.Emit(k, target.Caps{}); !errors.Is(err, fault.ErrKernel) {
			t.Errorf("wgsl accepts %q: %v", name, err)
		}
		if _, err := cuda.Emit(k, target.Caps{}); !errors.Is(err, fault.ErrKernel) {
			t.Errorf("cuda accepts %q: %v", name, err)
		}
		if _, err := spirv.Emit(k, target.Caps{}); name != "for" && !errors.Is(err, fault.ErrKernel) { // which is no word of assembly
			t.Errorf("spirv accepts %q: %v", name, err)
		}
	}
}

// TestPure shows that emitting twice gives the same text and leaves the kernel
// as it was.
func TestPure(t *testing.T) {
	for name, build := range golden {
		k := build()
		before := k.String()
		for range 5 {
			for language, emit := range languages {
				if emit(t, k) != emit(t, build()) {
					t.Errorf("%s: two %s texts of one kernel", name, language)
				}
			}
		}
		if k.String() != before {
			t.Errorf("%s: emitting changed the kernel", name)
		}
	}
}
