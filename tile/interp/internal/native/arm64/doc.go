// Package arm64 encodes the instructions of A64 that package native uses: vector instructions (NEON) on lanes of 32 bits in registers of 128, those of ARMv8.0
// alone, and the few on general registers that loops need.
//
// Encodings follow the Arm Architecture Reference Manual for A-profile, chapter C7 (vectors) and C6 (others).
package arm64
