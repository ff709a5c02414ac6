// Package docs holds the guides, Markdown for readers, and the tests that keep them true. It exports nothing.
//
// Every block of Go code and every output in the guides and the README stands under a comment that says
// where it comes from, and a test compares the two:
//
//	<!-- code: saxpy -->                        a declaration in this folder's tests
//	<!-- code: Example_saxpy -->                the body of an example
//	<!-- code: example_test.go#softmaxRows -->  a declaration in another file of the module
//	<!-- output: Example_saxpy -->              what an example prints, which go test checks
//	<!-- text: passes -->                       what a function of texts_test.go generates
//	<!-- program: examples/first -->            a whole program: the folder's main.go
//	<!-- prints: examples/first -->             what that prints, pasted into a module of its own
//
// So the blocks are code that was compiled and run. go test ./docs -update rewrites them, and the pictures in
// images that are drawn from layouts.
package docs
