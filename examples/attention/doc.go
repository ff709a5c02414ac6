// Command attention lets the tokens of a sequence look at one another, as a layer of a language
// model does: 8 heads of queries share 2 heads of keys and values. One op does it without
// ever storing the scores of all pairs; three ops do the same and store them.
//
//	go run ./examples/attention -device cuda -n 8192
package main
