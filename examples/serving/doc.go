// Command serving serves requests with a small decoder of random weights, as docs/serving.md explains step by step: weights of
// 4 bits, a cache of keys and values in pages, and one captured step for all sequences, of which some end while others begin.
//
//	go run ./examples/serving
//
// Its text means nothing: the example transformer has a model that is trained, and the sizes of large ones.
package main
