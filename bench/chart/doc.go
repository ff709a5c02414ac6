// Package chart draws results, as PNG for reading and as SVG for printing:
//
//   - ops: the share of the machine's roofline that each contender reaches, by families of ops
//   - ratio: how fast weft's devices are compared with the fastest other library
//   - bars-FAMILY: the rates of each work
//   - roofline-MACHINE: operations a second over operations a byte, below the measured ceilings
//   - scaling-SERIES: the rate over the size
//
// Colours are those of Okabe and Ito (Color Universal Design, 2008), which people tell apart whatever colours they
// see; a contender has the same one everywhere.
package chart
