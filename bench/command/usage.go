package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/fault"
)

// UsageError is an error of the command line itself, not of what was done.
type UsageError struct{ Err error }

// Error returns the text of what is wrong.
func (u *UsageError) Error() string { return u.Err.Error() }

// Unwrap returns the error within.
func (u *UsageError) Unwrap() error { return u.Err }

// ExitCode is that of a process whose command ended with an error: 0 for none, 2 if the command line was wrong, else 1.
func ExitCode(err error) int {
	var u *UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &u):
		return 2
	}
	return 1
}

// noArgs takes no arguments.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &UsageError{fmt.Errorf("%s given, want none: %q", fault.Count(len(args), "argument"), args)}
	}
	return nil
}
