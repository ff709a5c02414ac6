// Package pass is what passes over tile IR and over simt IR have in common: the order in which they
// must run, when the IR is verified between them, and the folder that shows it after each.
//
// Packages lower and simtpass import it. It knows neither IR.
package pass
