// Package codes recognises bits of words in thread-level IR, and what depends on 4 of them, or on a byte, alone. Package emit makes pairs of 16 bits of both,
// package simtpass looks the second up in shared memory where no instruction picks bytes.
package codes
