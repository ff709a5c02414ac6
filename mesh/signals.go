package mesh

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
)

// signals are words by which devices that reach each other say how far they are, without the host.
type signals struct {
	tried   bool
	members []*signaller           // nil where devices cannot
	free    atomic.Pointer[func()] // lets those go on who wait for words of others
}

// signaller is one device.
type signaller struct {
	peers backend.Peers
	flags *weft.Tensor      // rows of a word for each rank, by which it says: its last call that arrived here; that it is in a phase of a recording
	there []*weft.Tensor    // flags of each rank, as this device reaches them
	words []backend.Buffer  // of there
	side  backend.CopyQueue // by which waits are ended
}

// The rows of words: of calls, and of the two phases of what is recorded. The last one nobody waits for.
const (
	callWords = iota
	firstPhase
	secondPhase
	spareWords
	wordRows
)

// ready sets the members up, once.
func (s *signals) ready(g *Group) bool {
	if s.tried {
		return s.members != nil
	}
	s.tried = true
	if g.store != nil || g.host {
		return false
	}
	var devices []backend.Device
	for _, d := range g.devices {
		devices = append(devices, d.Backend())
	}
	var members []*signaller
	for i, d := range g.devices {
		peers, can := devices[i].(backend.Peers)
		if !can || peers.Reach(devices) != nil {
			return false
		}
		flags, err := weft.Zeros(d, weft.U32, wordRows, g.world)
		if err != nil {
			return false
		}
		members = append(members, &signaller{peers: peers, flags: flags})
	}
	for _, m := range members {
		if m.connect(g, members) != nil {
			return false
		}
	}
	free, err := releaser(members)
	if err != nil {
		return false
	}
	s.members = members
	s.free.Store(&free)
	return true
}

// abort ends all waits.
func (s *signals) abort() {
	if free := s.free.Load(); free != nil {
		(*free)()
	}
}

// releaser returns what writes words that every wait is content with, next to the streams, which wait.
func releaser(members []*signaller) (func(), error) {
	const any = 1 << 30
	var words []*weft.Tensor
	for _, m := range members {
		w, err := weft.Full(m.flags.Device(), weft.U32, any, m.flags.Shape()...)
		if err != nil {
			return nil, err
		}
		if m.side, err = m.peers.CopyQueue(); err != nil {
			return nil, err
		}
		if err := w.Device().Synchronize(); err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return func() {
		for i, m := range members {
			_ = weft.WithSpans("mesh: abort", []*weft.Tensor{m.flags, words[i]}, func(s []weft.BufferSpan) error {
				return m.side.Copy(s[0].Buffer, 0, s[1].Buffer, s[1].Offset, bytesOf(words[i]))
			})
		}
	}, nil
}

// connect makes the flags of all ranks reachable, and finds out whether the device can signal.
func (m *signaller) connect(g *Group, members []*signaller) error {
	for _, p := range members {
		view, err := p.flags.On(m.flags.Device())
		if err != nil {
			return err
		}
		m.there = append(m.there, view)
	}
	err := weft.WithSpans("mesh: connect", m.there, func(spans []weft.BufferSpan) error {
		for _, s := range spans {
			m.words = append(m.words, s.Buffer)
		}
		return m.peers.Signal([]backend.SignalStep{{Buffer: m.words[0], Wait: true}})
	})
	return errors.Join(err, m.flags.Device().Synchronize())
}

func (s *signals) close() error {
	var errs []error
	for _, m := range s.members {
		errs = append(errs, m.side.Close())
		closeAll(m.there)
		m.flags.Close()
	}
	s.members = nil
	return errors.Join(errs...)
}

// recordPhase records that a rank tells all others that it is there, and waits for them. It is ordered with what writes and reads the given tensors. Words have
// one value in all replays, so that each wait clears its word, and a recording alternates between the two phases: a rank cannot be in a phase again before all others
// have left it.
func (m *signaller) recordPhase(rec *weft.Recorder, op string, rank, phase int, writes, reads []*weft.Tensor) error {
	word := func(b backend.Buffer, from int, value uint32, wait bool) backend.SignalStep {
		return backend.SignalStep{Buffer: b, Offset: int64(4 * (phase*len(m.words) + from)), Value: value, Wait: wait}
	}
	var sends, waits, clears []backend.SignalStep
	for peer, b := range m.words {
		if peer != rank {
			sends = append(sends, word(b, rank, 1, false))
			waits = append(waits, word(m.words[rank], peer, 1, true))
			clears = append(clears, word(m.words[rank], peer, 0, false))
		}
	}
	return m.record(rec, op, slices.Concat(sends, waits, clears), writes, reads)
}

// recordOrder records that what is recorded from now on and uses the tensors after waits for what is so far and writes before.
func (m *signaller) recordOrder(rec *weft.Recorder, op string, rank int, before, after *weft.Tensor) error {
	spare := backend.SignalStep{Buffer: m.words[rank], Offset: int64(4 * spareWords * len(m.words))}
	return m.record(rec, op, []backend.SignalStep{spare}, []*weft.Tensor{after}, []*weft.Tensor{before})
}

func (m *signaller) record(rec *weft.Recorder, op string, steps []backend.SignalStep, writes, reads []*weft.Tensor) error {
	writes = slices.Concat(writes, m.there)
	return rec.Work(op, writes, reads, func(spans []weft.BufferSpan) (backend.Work, error) {
		var uses []backend.Use
		for i, s := range spans {
			access := backend.ReadWrite
			if i >= len(writes) {
				access = backend.Read
			}
			uses = backend.Uses(uses, s.Buffer, access)
		}
		return m.peers.RecordSignal(steps, uses)
	})
}
