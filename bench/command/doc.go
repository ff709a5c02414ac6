// Package command is the benchmark as a command: its flags, and what follows from them. bench and cmd/weft run it.
package command
