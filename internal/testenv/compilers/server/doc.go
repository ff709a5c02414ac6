// Command server compiles what requests of package compilers ask for, and ends with its standard
// input. It links the compilers that tests of packages which users import must not import.
//
// It stands outside the flow from kernel to device; package compilers runs it.
package main
