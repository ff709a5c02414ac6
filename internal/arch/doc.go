// Package arch holds no code, only a test: it compares what every package of
// the module imports with the table of layers in table_test.go.
//
// It stands outside the flow from kernel to device and keeps that flow
// one-way: a kernel language that knew a device, or a backend that knew an op,
// would compile, and nothing but this test would notice. A new package needs a
// row in the table before the test passes.
package arch
