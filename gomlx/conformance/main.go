// Command conformance runs GoMLX's own tests on weft and on GoMLX's backend in pure Go, and compares.
//
//	go run ./conformance                                    all packages on weft:cpu
//	go run ./conformance -reference go -record              the same, and in pure Go, whose outcomes are recorded
//	go run ./conformance -backend weft:vulkan -packages core/graph
//	conformance -dir d -built -jobs 8 -backend weft:cuda    where there is no Go: a copy of what -dir d of another run has
//	go run ./conformance -write ../docs                     writes the tables of results, of packages of earlier runs, too
//
// Training tests take the backend in pure Go minutes, so that its outcomes are in reference.json.
//
// GoMLX is copied from the module cache, since its tests open XLA: in the copy they open the backend that GOMLX_BACKEND names.
// A test that passes in pure Go and fails on weft is a failure, unless what failed is an op or an element type that the backend
// says it does not have.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
)

func main() {
	o := options{}
	flag.StringVar(&o.backend, "backend", "weft:cpu", "the backend to test, as in GOMLX_BACKEND")
	flag.StringVar(&o.reference, "reference", "", "the backend to compare with, \"go\" for the one in pure Go; without it, what is recorded of that")
	flag.BoolVar(&o.record, "record", false, "record the outcomes on the reference")
	skip := flag.String("skip", "", "a regular expression: tests to leave out")
	pattern := flag.String("packages", "", "a regular expression: the packages to test")
	flag.StringVar(&o.run, "run", "", "as -run of go test")
	flag.StringVar(&o.write, "write", "", "the folder of the pages whose tables are written")
	flag.StringVar(&o.dir, "dir", "", "a folder to keep the copy and the tests in, for the next run")
	flag.BoolVar(&o.built, "built", false, "run what an earlier run, perhaps on another machine, has built in the folder -dir: needs no Go")
	flag.IntVar(&o.jobs, "jobs", 1, "tests that run at the same time")
	flag.BoolVar(&o.verbose, "v", false, "print what failing tests say")
	flag.Parse()
	o.packages, o.skip = regexp.MustCompile(*pattern), regexp.MustCompile(*skip)
	failed, err := o.test()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}
