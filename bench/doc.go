// Command bench times ops on every backend found, side by side, on the shapes of well-known models.
//
//	go run ./bench                                   all GPUs, or else the CPU
//	go run ./bench --set llama --op ^linear          some of the work
//	go run ./bench --help                            all that can be asked for
//
// Its packages: suite says what is done and checks it, measure times it on devices, peers has other libraries do the
// same, result is the record, report prints it, chart draws it, command has the flags. cmd/weft has the same
// command. docs/bench.md says how to read what it prints.
package main
