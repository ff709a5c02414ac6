// Package processor tells which vector instructions the processor has, and the system lets programs use.
package processor
