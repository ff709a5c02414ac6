// Command matrix makes docs/conformance.md, the table of what the conformance suite checked
// where, of the files that runs of the suite left in docs/conformance:
//
//	WEFT_MATRIX=$PWD/docs/conformance go test ./backend/... -run Conformance
//	go run ./backend/backendtest/matrix
//
// Runs on other machines leave their files in any folder; they are copied to the others.
// The rows are the functions of package ops, found in its source, so that one without a
// case shows.
package main
