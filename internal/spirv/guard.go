package spirv

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gogpu/naga/ir"
	"github.com/gogpu/naga/spirv"
)

// bareVar is a function's variable without a value: "var x: T;".
var bareVar = regexp.MustCompile(`\bvar\s+(\w+)\s*:\s*([^=;]+);`)

// zeroVars gives such variables the zero that WGSL promises them. The compiler
// gives it once per call of the entry point only, so that in a loop, or in a
// helper that it inlines into one, the last round's value would still be there.
// Lines stay where they are.
func zeroVars(wgsl string) string {
	return bareVar.ReplaceAllString(wgsl, "var $1: $2 = $2();")
}

// vectors are arrays of vectors in memory that kernels write.
var vectors = regexp.MustCompile(`\bvar<(?:workgroup|storage, read_write)>\s+(\w+)\s*:\s*array<vec\d<`)

// loaded is a value that is an element of an array.
var loaded = regexp.MustCompile(`\blet (\w+) = (\w+)\[`)

// storeLoads makes variables of values that are vectors of memory which the kernel writes. The compiler takes an element of such a value from memory
// where it is used, and not where the value is: later stores would change it.
func storeLoads(wgsl string) string {
	written := map[string]bool{}
	for _, m := range vectors.FindAllStringSubmatch(wgsl, -1) {
		written[m[1]] = true
	}
	if len(written) == 0 {
		return wgsl
	}
	return loaded.ReplaceAllStringFunc(wgsl, func(text string) string {
		if written[loaded.FindStringSubmatch(text)[2]] {
			return "var" + text[len("let"):]
		}
		return text
	})
}

var (
	swizzle     = regexp.MustCompile(`\.[xyzw]{2,4}\b`)                              // a vector of components of another one
	declaration = regexp.MustCompile(`(?m)^(?:@|var<|struct |fn |const |override )`) // after directives
)

// nameVectors declares the types of vectors where subgroups exchange some that only swizzles made. The compiler looks up the type of what was exchanged in a
// list, to which it does not add the type of a swizzle, and panics. Lines stay where they are.
func nameVectors(wgsl string) string {
	at := declaration.FindStringIndex(wgsl)
	if at == nil || !strings.Contains(wgsl, "subgroup") || !swizzle.MatchString(wgsl) {
		return wgsl
	}
	elements := []string{"f32", "i32", "u32"}
	if strings.Contains(wgsl[:at[0]], "enable f16") {
		elements = append(elements, "f16")
	}
	var names strings.Builder
	for _, elem := range elements {
		for n := 2; n <= 4; n++ {
			fmt.Fprintf(&names, "alias exchanged_vec%d_%s = vec%d<%s>; ", n, elem, n, elem)
		}
	}
	return wgsl[:at[0]] + names.String() + wgsl[at[0]:]
}

// product is a value that is the product of two.
var product = regexp.MustCompile(`\blet (\w+) = (\w+) \* (\w+);`)

// fewSquares is how many squares in a row the compiler takes well.
const fewSquares = 16

// storeSquares makes variables of values that are squares, where there are many. The compiler finds the
// type of a product by that of either factor, all the way down, each time it is asked: 30 squarings in a row take it hours. A
// variable has its type written down.
func storeSquares(wgsl string) string {
	n := 0
	stored := product.ReplaceAllStringFunc(wgsl, func(text string) string {
		if m := product.FindStringSubmatch(text); m[2] == m[3] {
			n++
			return "var" + text[len("let"):]
		}
		return text
	})
	if n <= fewSquares {
		return wgsl
	}
	return stored
}

// miscompiled lists what the compiler accepts and gets wrong.
var miscompiled = map[ir.MathFunction]string{
	ir.MathDot4I8Packed:       "dot4I8Packed", // needs an extension that no device is asked for
	ir.MathDot4U8Packed:       "dot4U8Packed",
	ir.MathCountLeadingZeros:  "countLeadingZeros",
	ir.MathCountTrailingZeros: "countTrailingZeros",
}

// divideRemainders computes signed remainders as x - x/y*y. The compiler uses
// OpSRem, whose result Vulkan leaves undefined for negative operands, and NVIDIA's
// driver makes use of that (Vulkan specification, appendix A, "Precision and
// Operation of SPIR-V Instructions").
func divideRemainders(m module) module {
	next := m.header[3] // bound: all names are below
	var code [][]uint32
	for _, inst := range m.code {
		if op(inst) != spirv.OpSRem || len(inst) != 5 {
			code = append(code, inst)
			continue
		}
		kind, result, x, y := inst[1], inst[2], inst[3], inst[4]
		quotient, product := next, next+1
		next += 2
		code = append(code,
			instruction(spirv.OpSDiv, kind, quotient, x, y),
			instruction(spirv.OpIMul, kind, product, quotient, y),
			instruction(spirv.OpISub, kind, result, x, product))
	}
	header := slices.Clone(m.header)
	header[3] = next
	return module{header: header, code: code}
}

// truncateRemainders makes the remainder of floats take the sign of the
// dividend, as in WGSL, where the compiler gives it the divisor's.
func truncateRemainders(m module) {
	for _, inst := range m.code {
		if op(inst) == spirv.OpFMod {
			inst[0] -= uint32(spirv.OpFMod - spirv.OpFRem)
		}
	}
}

// refuse finds what the compiler would turn into a wrong binary.
func refuse(m *ir.Module) error {
	for _, c := range m.Constants {
		if _, scalar := m.Types[c.Type].Inner.(ir.ScalarType); !scalar {
			return fmt.Errorf("module constant %s is not a scalar, and the shader compiler would make it zero; use let", c.Name)
		}
	}
	functions := m.Functions
	for _, e := range m.EntryPoints {
		functions = append(functions, e.Function)
	}
	for _, f := range functions {
		for _, e := range f.Expressions {
			if math, ok := e.Kind.(ir.ExprMath); ok && miscompiled[math.Fun] != "" {
				return fmt.Errorf("the shader compiler compiles %s wrongly", miscompiled[math.Fun])
			}
		}
	}
	return nil
}
