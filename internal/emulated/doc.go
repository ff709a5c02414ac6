// Package emulated is a backend whose devices are GPUs that are not there: kernels are lowered for a preset of package target,
// by its launch rules, and their thread-level IR runs in package internal/machine, which sees races, accesses out of bounds and reads of what nobody wrote.
//
//	tile IR → simt IR, as for that GPU → internal/machine, in place of the GPU's compiler
//
// It is for tests: what ops give on any GPU, and that their kernels keep the rules that the hardware does not check. A test registers it:
//
//	h200, _ := emulated.Preset("h200")
//	backend.Register(emulated.New(h200))
package emulated
