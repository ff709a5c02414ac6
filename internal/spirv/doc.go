// Package spirv turns WGSL text into SPIR-V binaries for Vulkan 1.1.
//
// It is between the WGSL emitter and the Vulkan backend and is the only
// package that knows the shader compiler, github.com/gogpu/naga. That compiler
// trusts its input: a module that breaks WGSL's typing or uniformity rules may
// compile to a binary that no driver should see. Tests therefore pass every
// emitted kernel through spirv-val as well.
//
// Where the compiler is known to go wrong, Compile mends the text or the binary
// or refuses the module (see guard.go).
//
// What the compiler adds for the sake of browsers and a compute library does
// not need, the clearing of workgroup memory at the start of every workgroup,
// is taken out again (see clear.go). Masks become selections instead of branches (see flatten.go), and the high half of a
// product, for which WGSL has no function, the instruction that SPIR-V has (see wide.go).
package spirv
