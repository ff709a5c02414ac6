// Package timing times the launches of examples: what they print with the results.
package timing
