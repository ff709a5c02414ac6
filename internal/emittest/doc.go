// Package emittest holds no code, only tests: of the texts that the printers wgsl, cuda and spirv make of
// thread-level kernels. They are compared with goldens, compiled for every language and
// architecture, and executed on the devices there are.
//
// It stands outside the flow from kernel to device, and nothing imports it. The tests of a package
// that users import must not import a binding: go mod tidy would download it for every program.
package emittest
