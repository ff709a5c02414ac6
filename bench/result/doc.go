// Package result is the record of one measurement, and its forms on disk: one JSON object a line, with all
// that is needed to understand it alone, and the format of Go's benchmarks, which benchstat reads.
//
// Package measure makes records, package report and package chart show them.
package result
