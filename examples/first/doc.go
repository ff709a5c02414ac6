// Command first is the first program of the README: it multiplies a matrix with its transpose.
//
//	go run ./examples/first
//
// It imports the two backends that need no C compiler and download little, so it is built in
// the shortest time. A program that also runs on other GPUs imports backend/all.
package main
