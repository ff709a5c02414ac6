// Package endtoend holds no code, only tests: of what a program sees that uses weft, ops and more than
// one backend, such as its trace, its pool of memory and its tuned choices.
//
// It stands outside the flow from kernel to device, and nothing imports it. The tests of a package
// that users import must not import a binding: go mod tidy would download it for every program.
package endtoend
