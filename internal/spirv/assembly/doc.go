// Package assembly turns the text of SPIR-V modules into binaries.
//
// The text has the syntax of spirv-as of the SPIRV-Tools, one instruction a line:
//
//	; Version: 1.3
//	               OpCapability Shader
//	        %sum = OpFAdd %float %x %y          ; a comment
//	       %half = OpConstant %float 0x1p-1
//
// Names of ids get numbers by their order in the text. Literals of constants have the type of the
// constant; a float that its type cannot hold exactly is rounded to nearest for 32 and 64 bits
// and is an error for 16. A word of any kind may be written as "!" and its number. The version of the
// module is 1.3 unless a comment says otherwise, as spirv-dis prints it.
//
// The tables of instructions and enumerants hold those that weft's printer has a use for. Assemble checks
// operands against them, that each id is defined once, and no more: what a module means is for spirv-val.
package assembly
