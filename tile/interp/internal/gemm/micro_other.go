//go:build !amd64

package gemm

var micros []*micro
