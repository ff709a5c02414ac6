// Package compile knows the whole way of a kernel to a device: facts about the
// arguments, lowering for the device's capabilities, emission in the device's
// language, the device's own compiler, loading and launching.
//
// A Compiler belongs to one device and keeps what it compiled. Emit is the
// pure part of the way, which needs no device.
package compile
