// Package measure times works on devices and hands out results.
//
// Every work is first run once on an output filled with numbers that it does not compute, and checked. Then it is timed, contender
// after contender, work by work, so that what changes with time (clocks, heat, other users) meets all of them
// alike. Only one of them works at any time, though all backends hold the same GPU open.
//
// A sample is the device's own time between two points in its queue, divided by the launches between them, of which there are
// enough to last 2 ms, up to 200. It contains what a program pays that launches without waiting: where the host prepares launches
// more slowly than the device runs them, that is what is measured. After a warm-up there are as many samples as the budget of a work
// allows, 5 to 50; the median counts.
//
// Launches alternate between copies of their operands, so many that together they exceed the caches (256 MiB on a GPU, 64 MiB on the
// host): a small work is measured as in a program that has used other memory since. Options.Warm uses one copy.
package measure
