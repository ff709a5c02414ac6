// Package trace writes what happens when, as a file for Perfetto (ui.perfetto.dev) and chrome://tracing: the
// "JSON Array Format" of the Trace Event Format.
//
// It is a leaf apart from the flow from kernel to device: the compiler brackets its steps by spans,
// and package internal/tracedev notes launches and copies with the devices' own times. Off, which it is unless the
// environment variable WEFT_TRACE names a file, a span costs the load of a pointer.
//
// The file is whole JSON after every flush, so that what was flushed before a crash can be read. Times are
// microseconds since tracing began.
package trace
