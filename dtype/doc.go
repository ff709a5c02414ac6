// Package dtype names the element types of tensors and tiles and converts
// between them and Go's types on the host.
//
// It is a leaf: every layer of weft speaks of elements through it.
package dtype
