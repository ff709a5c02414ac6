//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup lets a command and all that it starts be signalled together.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd interrupts a command and all that it has started, or lets tests print their stacks and
// end: go test waits for them and reports that they failed.
func askToEnd(cmd *exec.Cmd, interrupted bool) {
	sig := syscall.SIGQUIT
	if interrupted {
		sig = syscall.SIGINT
	}
	_ = syscall.Kill(-cmd.Process.Pid, sig) // it may have ended by itself
}

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
