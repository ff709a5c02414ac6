// Package timing times the launches of examples: what they print beside the results.
package timing
