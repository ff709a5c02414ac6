// Package lower turns verified tile IR into thread-level IR for a target: a
// list of passes over tile IR, the assignment of a distribution (a
// layout.Linear) to every tile, instruction choice from facts about the arguments, and a
// list of passes over the resulting simt IR, each result verified.
package lower
