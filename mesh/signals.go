package mesh

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// signals are words by which devices that reach each other say how far they are, without the host.
type signals struct {
	tried   bool
	why     error // devices cannot
	members []*signaller
	free    atomic.Pointer[func()] // lets those go on who wait for words of others
}

// signaller is one device.
type signaller struct {
	peers backend.Peers
	own   backend.Buffer    // rows of a word for each rank, by which it says that it is in a phase
	words []backend.Buffer  // those of each rank, as this device reaches them
	any   backend.Buffer    // what every wait is content with
	side  backend.CopyQueue // by which waits are ended
}

// The rows of words: of the two phases of what is recorded.
const (
	firstPhase = iota
	secondPhase
	wordRows
)

// ready sets the members up, once.
func (s *signals) ready(g *Group) bool {
	if !s.tried {
		s.tried = true
		if s.why = s.setUp(g); s.why != nil {
			logging.Logger().Warn("captured products do not overlap", "op", "mesh", "error", s.why)
		}
	}
	return s.why == nil
}

func (s *signals) setUp(g *Group) error {
	const op = "mesh: signals"
	var devices []backend.Device
	for _, d := range g.devices {
		devices = append(devices, d.Backend())
	}
	var members []*signaller
	for i, d := range g.devices {
		peers, can := devices[i].(backend.Peers)
		if !can {
			return fault.New(fault.ErrUnsupported, op, "the device %v does not reach others", d)
		}
		if err := peers.Reach(devices); err != nil {
			return err
		}
		m := &signaller{peers: peers}
		members = append(members, m)
		if err := m.allocate(g.world); err != nil {
			return errors.Join(err, closeSignallers(members))
		}
	}
	for _, m := range members {
		if err := m.connect(members); err != nil {
			return errors.Join(err, closeSignallers(members))
		}
	}
	s.members = members
	free := func() {
		for _, m := range members {
			_ = m.side.Copy(m.own, 0, m.any, 0, m.own.Bytes())
		}
	}
	s.free.Store(&free)
	return nil
}

// abort ends all waits.
func (s *signals) abort() {
	if free := s.free.Load(); free != nil {
		(*free)()
	}
}

// allocate makes a device's words, and what ends waits for them next to its stream, which waits.
func (m *signaller) allocate(world int) (err error) {
	const content = 1 << 30
	if m.own, err = m.peers.NewWords(wordRows * world); err != nil {
		return err
	}
	if m.any, err = m.peers.NewWords(wordRows * world); err != nil {
		return err
	}
	var raw []byte
	for range wordRows * world {
		raw = binary.NativeEndian.AppendUint32(raw, content)
	}
	if err := m.any.Upload(0, raw); err != nil {
		return err
	}
	m.side, err = m.peers.CopyQueue()
	return errors.Join(err, m.peers.Stream().Synchronize())
}

// connect makes the words of all ranks reachable, and finds out whether the device can signal.
func (m *signaller) connect(members []*signaller) error {
	for _, p := range members {
		view, err := m.peers.View(p.own, 0, p.own.Bytes())
		if err != nil {
			return err
		}
		m.words = append(m.words, view)
	}
	if err := m.peers.Signal([]backend.SignalStep{{Buffer: m.words[0], Wait: true}}); err != nil {
		return err
	}
	return m.peers.Stream().Synchronize()
}

func (s *signals) close() error {
	members := s.members
	s.members = nil
	return closeSignallers(members)
}

// closeSignallers frees what there is of members.
func closeSignallers(members []*signaller) error {
	var errs []error
	for _, m := range members {
		if m.side != nil {
			errs = append(errs, m.side.Close())
		}
		for _, b := range append(slices.Clone(m.words), m.any, m.own) {
			if b != nil {
				errs = append(errs, b.Close())
			}
		}
	}
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
	return rec.Work(op, writes, reads, func(spans []weft.BufferSpan) (backend.Work, error) {
		return m.peers.RecordSignal(slices.Concat(sends, waits, clears), usesOf(spans, len(writes)))
	})
}

// usesOf is how a step uses tensors, of which it writes so many of the first.
func usesOf(spans []weft.BufferSpan, writes int) (uses []backend.Use) {
	for i, s := range spans {
		access := backend.ReadWrite
		if i >= writes {
			access = backend.Read
		}
		uses = backend.Uses(uses, s.Buffer, access)
	}
	return uses
}
