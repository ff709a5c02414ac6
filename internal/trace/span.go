package trace

import (
	"fmt"
	"slices"
	"time"
)

// Span is something that the host does, from Begin to End. Spans that overlap without one being part of
// the other are on different tracks. A nil Span does nothing.
type Span struct {
	file     *file
	parent   *Span
	lane     int
	category string
	name     string
	start    time.Time
	args     Args
}

// Begin starts a span, nil if no trace is written.
func Begin(category, name string) *Span {
	f := current.Load()
	if f == nil {
		return nil
	}
	f.mu.Lock()
	lane := slices.Index(f.lanes, false)
	fresh := lane < 0
	if fresh {
		lane = len(f.lanes)
		f.lanes = append(f.lanes, true)
	}
	f.lanes[lane] = true
	f.mu.Unlock()
	if fresh {
		f.meta(Host, lane, "thread_name", fmt.Sprintf("calls %d", lane+1))
	}
	return &Span{file: f, lane: lane, category: category, name: name, start: time.Now()}
}

// Child starts a span that is a part of s and ends before it.
func (s *Span) Child(name string) *Span {
	if s == nil {
		return nil
	}
	return &Span{file: s.file, parent: s, lane: s.lane, category: s.category, name: name, start: time.Now()}
}

// Set adds something for the viewer to show.
func (s *Span) Set(key string, value any) {
	if s == nil {
		return
	}
	if s.args == nil {
		s.args = Args{}
	}
	s.args[key] = value
}

// End ends the span.
func (s *Span) End() {
	if s == nil {
		return
	}
	now := time.Now()
	f := s.file
	f.mu.Lock()
	defer f.mu.Unlock()
	f.complete(Host, s.lane, s.category, s.name, s.start, now, s.args)
	if s.parent == nil {
		f.lanes[s.lane] = false
	}
}
