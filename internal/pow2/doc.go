// Package pow2 finds powers of two: sizes of tiles and workgroups. Launch rules
// use it.
package pow2
