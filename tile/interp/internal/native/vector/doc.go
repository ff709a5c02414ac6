// Package vector names what the machine code of loops is made of: operations on the lanes of vectors, and the machine whose instructions do them. Packages
// amd64 and arm64 are such machines.
package vector
