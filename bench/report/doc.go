// Package report prints results for people: as a table by op, and compared with an older run.
package report
