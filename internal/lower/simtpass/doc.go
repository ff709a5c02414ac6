// Package simtpass is the passes over simt IR, between the lowering of tile IR and the printers.
// Loop-invariant ops leave loops, equal ops become one, dead ops are removed. Loops are pipelined
// through registers, by asynchronous copies, or by producer warps that copy by tensor maps. Shared
// arrays are allocated by liveness and get their barriers.
//
// Passes in passes.go is the list in order. A pass changes the kernel of a Context and must not
// change what the kernel computes. The folder testdata/passes has kernels before and after each
// pass, which the emulator (internal/machine) runs. All that a pass inserts, copies, replaces or removes it does with
// a simt.Editor.
//
// All pipelined loops have a schedule (schedule.go): policies say which ops run for which iteration, and one expander (expand.go)
// writes prologue, steady state and epilogue. The pass pipeline schedules loops of all threads, the pass specialise those whose copies
// producer warps make.
//
//   - Which loads run ahead, in how many stages: prefetch.go through registers, async.go by asynchronous copies, made.go what threads make of others next to these, tensorcopy.go and
//     specialise.go by tensor maps. Circular buffers and how many stages fit: circular.go.
//   - Software pipelining of the operand transform: transform.go. Outstanding wgmma: outstanding.go.
//   - Elements of cooperative matrices that only the device knows, through shared memory: elements.go.
//   - Which warps are producers and which are consumers: specialise.go. Ping-pong consumers:
//     pingpong.go. Warpgroups that go on by themselves: warpgroups.go. Multicast within clusters: cluster.go.
//   - Where barriers stand: barriers.go. Which arrays share memory: allocate.go, in SPIR-V pack.go, which gives arrays parts of a
//     block by intervals of bytes; overlap.go says which must not. merge.go makes such arrays one. alias.go is for the epilogue's, which
//     alias the mainloop's.
//   - What a device's own compiler is kept from undoing: constants.go, issue.go and opaque.go. What printers are told of accesses and
//     arithmetic: declare.go and declare_spirv.go (types of arrays), wraps.go, infinities.go. Proxy fences: fences.go. Registers of roles: registers.go.
package simtpass
