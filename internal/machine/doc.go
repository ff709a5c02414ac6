// Package machine executes simt IR on the host: what the IR means, for tests of
// what lowers to it, changes it and prints it.
//
// All threads of a workgroup go in step, op by op, so that a run is repeatable,
// and what a GPU would not notice is an error: a data race, an index out of bounds or not
// aligned, an element of a shared array that nobody wrote, threads that part
// where they should go together, an integer division by 0.
//
// A Schedule interleaves the threads of two roles (simt.Roles), the copies that the hardware makes and the workgroups of a cluster;
// other workgroups run one after the other. Races between them are found by what their barriers order, so most are found in each schedule.
//
//	err := machine.Run(kernel, grid, buffers, words) // buffers hold elements, little endian
//	add := machine.Elementwise(simt.Add, dtype.F32, dtype.F32, 0)
package machine
