// Package target describes what a device can do, as plain data: the language
// it runs, its limits, its features and a fingerprint.
//
// Lowering chooses instructions from Caps, the compile cache keys on the
// fingerprint, and launches are checked against the limits before anything
// reaches a driver.
package target
