// Package plan says what a kernel of matrix products takes of a device, from element types and sizes of tiles alone: which instruction multiplies, how many pipeline
// stages there is room for, how many bytes of shared memory and how many registers a thread it needs, and what is refused, with reasons. The compiler decides by
// these functions, and launch rules ask them about configs that are not compiled; TestPlansAreKept of package ops compares the two.
//
// dot.go has the legality of matrix instructions, tensormap.go that of tensor maps, shared.go the bytes and the stages of shared memory, and plan.go plans a kernel.
package plan
