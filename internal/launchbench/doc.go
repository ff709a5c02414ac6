// Package launchbench measures the host's time for launches of ops on a device: the ops'
// tests use it with devices that run nothing, those of backends with their own.
package launchbench
