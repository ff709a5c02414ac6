package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

// A watch says how often to tell what goes on, and when to give up.
type watch struct {
	every time.Duration // between two lines of progress, or two states of the one line of a terminal
	stall time.Duration // of silence after which a package's tests are stopped; 0 for never
	grace time.Duration // from the request for stacks to the end by force
}

// command runs a command that prints events, such as go test -json, and takes what it prints. A
// package whose tests stall is told to print its stacks and to end, and what then remains is killed.
func (r *run) command(args []string, w watch) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	ownGroup(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	defer signal.Stop(interrupt)
	lines := make(chan string)
	read := make(chan error, 1)
	go func() {
		read <- scan(out, lines)
		close(lines)
	}()
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	var kill <-chan time.Time
	for lines != nil {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
				break
			}
			r.line(line)
		case <-interrupt:
			askToEnd(cmd, true)
		case <-tick.C:
			r.tell()
			if names := r.stalled(w.stall); len(names) > 0 && kill == nil {
				r.status.Clear()
				fmt.Fprintf(r.out, "no test has said anything for %v in:\n  %s\n", w.stall, strings.Join(names, "\n  "))
				r.gaveUp = append(r.gaveUp, names...)
				askToEnd(cmd, false)
				kill = time.After(w.grace)
			}
		case <-kill:
			killGroup(cmd)
		}
	}
	r.status.Clear()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.exited = exit.Error() // the report says why, or that
		err = nil
	}
	return errors.Join(<-read, err)
}

// scan sends the lines of a text.
func scan(in io.Reader, lines chan<- string) error {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		lines <- sc.Text()
	}
	return sc.Err()
}

// tell prints what goes on: on a terminal in place of what it said last.
func (r *run) tell() {
	if r.status == nil {
		fmt.Fprintf(r.out, ".. %v\n", r.progress)
		return
	}
	const width = 118 // a longer line would not be overwritten
	line := []rune(r.progress.String())
	r.status.Show(string(line[:min(len(line), width)]))
}
