package interp

import "sync/atomic"

// Stop ends launches: those that run, and those that begin later. A nil Stop never does.
type Stop struct{ err atomic.Pointer[error] }

// Now ends the launches; they fail with the error. The first error stays.
func (s *Stop) Now(err error) { s.err.CompareAndSwap(nil, &err) }

// Err is the error that launches end with, nil if they need not.
func (s *Stop) Err() error {
	if s == nil {
		return nil
	}
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}

// goesOn reports whether the worker is to go on, which it asks before each program and each iteration of a loop.
func (w *worker) goesOn() bool {
	if err := w.Stop.Err(); err != nil {
		w.fail(err)
	}
	return w.err == nil
}
