//go:build !unix

package main

import "os/exec"

// Without signals a command is killed, and its children see the ends of their pipes.

func ownGroup(*exec.Cmd) {}

func askToEnd(cmd *exec.Cmd, _ bool) { killGroup(cmd) }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended by itself
