// Package setting holds the variables of the environment that have one of a few values, so that a wrong value is an error
// and has the same text everywhere. It is a leaf that every layer may import: weft.Open and the command check all of them.
package setting
