// Package report prints results for people: as a table by op, and beside an older run.
package report
