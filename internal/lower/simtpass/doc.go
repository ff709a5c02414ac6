// Package simtpass is the passes over simt IR, between the lowering of tile IR and the printers: loop-invariant ops
// leave loops, equal ops become one, dead ones go; loops are pipelined through registers, by asynchronous copies or by warps of their
// own that tensor maps serve; shared arrays get their places and barriers.
//
// passes.go lists them in their order. Each changes the kernel of a Context and must not change what it computes: testdata/passes has
// kernels before and after each, which the emulator (internal/machine) runs.
//
//   - Which loops have how many stages: pipeline.go for registers, async.go for copies by threads, roles.go for tensor maps.
//   - Who copies, who computes and who takes turns: roles.go, pingpong.go, inflight.go, ahead.go, cluster.go.
//   - Where barriers stand and which arrays share a place: barriers.go, share.go, overlap.go, late.go.
package simtpass
