// Package tracedev notes what a device does in a trace: launches and copies, by the device's own clock and
// by the host's.
//
// It is between package weft and a backend: a backend.Device that passes everything on to another one. Around
// each launch and copy it records two events of the stream; their times are asked for when the device is waited
// for, or half a batch at a time when many have piled up, so that the device does not run dry. What a device
// without timestamps does appears on the host's tracks alone.
//
// The device's clock is set by the host's when both have waited for each other: as late as it can be, so that nothing
// starts before it was asked for. A launch costs two more events, about 5 µs on CUDA.
package tracedev
