// Package memory plans how the blocks of a kernel are accessed in global memory, by facts about views: the width of vectors (vector.go), rows that
// begin anywhere (rotation.go for one row, unaligned.go for loads and rowstore.go for stores of several), tensor maps with the reason why one is refused (tensormap.go, tensorstore.go), and
// which stores have no alias (distinct.go). Package cost compares the plans, and package emit carries them out.
package memory
