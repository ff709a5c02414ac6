// Package amd64 encodes the instructions of x86-64 that package native uses: vector instructions on 32-bit lanes, of 256 bits (AVX2, in VEX
// form) or of 512 bits (AVX-512, in EVEX form), and the few on general registers that loops need.
//
// Encodings follow the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
package amd64
