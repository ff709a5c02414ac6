// Package pass is what passes over tile IR and over simt IR have in common: in which order they must run, when
// the IR is verified between them, and the folder that shows it after each.
//
// It stands beneath packages lower and simtpass and knows neither IR.
package pass
