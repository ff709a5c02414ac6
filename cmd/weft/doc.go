// Command weft shows what weft finds, compiles and chooses: devices, the kernels of an op on any hardware, and why
// they are what they are; and it writes kernels out. It is a leaf above all packages: ops come from
// internal/catalog, hardware that is not there from internal/offline.
//
// Exit codes: 0, 1 for work that failed, 2 for a command that cannot be understood.
package main
