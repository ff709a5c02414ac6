// Package mesh computes with several devices: collectives between them, tensors that are cut over them, and products and attention that
// overlap computing with communication.
//
// A Group is a number of ranks, each a device of one backend. One process may have all of them, and then makes one call for all, with one tensor for
// each device; what the call starts is on the devices' streams, in order with their kernels:
//
//	g, err := mesh.Open("cuda", 0) // all GPUs of this host
//	err = g.AllReduce(mesh.Sum, sums, parts)
//
// Or several processes have some ranks each, of one host or of more: Join makes a group by the environment variables that launchers such as torchrun
// set, and every process makes the same calls for its own devices, which are the group's members there.
//
// # Placements
//
// A Mesh arranges the ranks in dimensions. A Tensor on it has a Placement for each of these: Shard(dim), Replicate or Partial(Sum). Redistribute changes
// placements by the collectives that this takes.
//
// # Engines
//
// A backend may have a library for collectives (backend.Collectives): CUDA uses NCCL, and the CPU has its own for one process. On any other, and with ThroughHost, elements are copied to the host's memory
// and combined there, over TCP between processes: slow, but every program runs, and the library is checked against it.
//
// # Errors
//
// All that one process can check is checked before anything starts, for all its members: if one of them fails, none starts. Between processes, Checked compares
// the calls first. Timeout ends a group whose collectives do not end in time; the error names rank, collective and size, all processes get it, and the group
// cannot be used any more.
//
// It builds on weft and ops, and reaches what devices do together through the optional interfaces of package backend. Nothing but programs imports
// it, so that importing weft stays light.
package mesh
