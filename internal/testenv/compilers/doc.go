// Package compilers gives tests the compilers of GPU languages, WGSL to SPIR-V and CUDA C++ to
// cubins, in a process of their own.
//
// It stands outside the flow from kernel to device; only tests import it. A test of a package that
// users import must not import a binding: go mod tidy loads the tests of all packages that a
// program imports, and would download each binding for programs that use none. The process is
// the command compilers/server, which go run builds and keeps in the build cache.
package compilers
