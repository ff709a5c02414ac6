// Package tune chooses the configs of kernels: block sizes, threads, the order of
// programs and everything else that steers how a kernel runs and not what it computes.
//
// The configs of one op are a Space: which configs are legal on a device for a
// problem, how long each of them should take by a model of the machine, and how they are
// enumerated. A problem is what a choice depends on: sizes, element types and the layouts of
// tensors in memory (View).
//
// Space.Pick answers from the best source that it has: what was measured on this device before,
// by this process or another one (see Store); a table that was imported; and else the space's
// rule, or the model. The answer for a problem is remembered, so that asking again costs a
// look-up and allocates nothing.
//
// Nothing is measured unless it is asked for, by Auto, by the environment variable
// WEFT_TUNE=1 or by the command weft tune. Space.Tune then races the configs that the model
// ranks first: alternately, so that noise meets all of them, dropping the slower half in each round. Configs
// that do not compile, do not fit into memory, give a wrong result or are far too slow are
// dropped and logged. A race runs on tensors of its own (Trial).
//
// No config wins that is wrong. Each is checked before it is timed and again after that, and the winner a third time at the end, on other
// numbers; a time that is shorter than the machine's rates allow for the problem (Space.Needs) drops the config that reports it.
//
// The package is between the compiler and the ops: it knows devices by their capabilities and a
// way to take the time, and no op.
package tune
