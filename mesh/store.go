package mesh

import (
	"encoding/gob"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weftgpu/weft/fault"
)

// message is what processes and the server of their store say to each other.
type message struct {
	Kind     messageKind
	ID       uint64 // of a request and its answer
	Process  int    // who says it
	Key      string // group and number of the call
	Members  []int  // processes that take part
	Text     string // what is called; or why the group ends
	Refused  bool   // Text says why the sender cannot take part
	Sentinel string // the kind of error that Text is, by its text
	Parts    [][]byte
	Ways     [][2]int   // of an exchange: sender and receiver of each part
	Answers  []*message // the requests of all members, in their order
}

type messageKind uint8

const (
	hello messageKind = iota
	request
	answer
	abort
	bye
)

// wire is one end of a connection.
type wire struct {
	conn net.Conn
	mu   sync.Mutex
	enc  *gob.Encoder
	dec  *gob.Decoder
}

func newWire(conn net.Conn) *wire {
	return &wire{conn: conn, enc: gob.NewEncoder(conn), dec: gob.NewDecoder(conn)}
}

func (w *wire) send(m *message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.enc.Encode(m)
}

// store connects the processes of a group: it tells each what all of them said. One process serves it.
type store struct {
	process, processes int
	timeout            time.Duration
	wire               *wire
	server             *server // in process 0

	mu      sync.Mutex
	next    uint64
	waiting map[uint64]chan *message
	aborts  map[string]func(*fault.Error) // by group
	lost    *fault.Error
	closing bool
}

// openStore connects to the store at an address, and serves it in process 0.
func openStore(addr string, process, processes int, timeout time.Duration) (*store, error) {
	const op = "mesh: join"
	s := &store{process: process, processes: processes, timeout: timeout, waiting: map[uint64]chan *message{}, aborts: map[string]func(*fault.Error){}}
	if process == 0 {
		var err error
		if s.server, err = serve(addr, processes, timeout); err != nil {
			return nil, fault.New(fault.ErrDevice, op, "process 0 cannot listen on %s", addr).Because(err)
		}
	}
	conn, err := dial(addr, timeout)
	if err != nil {
		s.server.close()
		return nil, fault.New(fault.ErrDeviceLost, op, "process %d of %d found no process 0 on %s within %v", process, processes, addr, timeout).Because(err)
	}
	s.wire = newWire(conn)
	if err := s.wire.send(&message{Kind: hello, Process: process, Members: []int{processes}}); err != nil {
		s.server.close()
		return nil, fault.New(fault.ErrDeviceLost, op, "process 0 on %s is gone", addr).Because(err)
	}
	go s.listen()
	return s, nil
}

// dial connects to the server, which may begin later.
func dial(addr string, timeout time.Duration) (net.Conn, error) {
	for end := time.Now().Add(timeout); ; time.Sleep(50 * time.Millisecond) {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil || time.Now().After(end) {
			return conn, err
		}
	}
}

// listen takes what the server says until the connection ends.
func (s *store) listen() {
	for {
		m := new(message)
		if err := s.wire.dec.Decode(m); err != nil {
			s.mu.Lock()
			closing := s.closing
			s.mu.Unlock()
			if !closing {
				s.end(fault.New(fault.ErrDeviceLost, "mesh", "process 0, which serves the group, is lost").Because(err))
			}
			return
		}
		switch m.Kind {
		case answer:
			s.mu.Lock()
			to := s.waiting[m.ID]
			delete(s.waiting, m.ID)
			s.mu.Unlock()
			if to != nil {
				to <- m
			}
		case abort:
			s.end(m.error())
		}
	}
}

// end tells all groups, and all who wait, that the store cannot be used any more.
func (s *store) end(err *fault.Error) {
	s.mu.Lock()
	if s.lost == nil {
		s.lost = err
	}
	waiting := s.waiting
	s.waiting = map[uint64]chan *message{}
	var tell []func(*fault.Error)
	for _, f := range s.aborts {
		tell = append(tell, f)
	}
	s.mu.Unlock()
	for _, to := range waiting {
		close(to)
	}
	for _, f := range tell {
		f(err)
	}
}

// onAbort names who is told that a group ends. The end of one group is that of all.
func (s *store) onAbort(key string, f func(*fault.Error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aborts[key] = f
}

// abort tells all processes that a group ends.
func (s *store) abort(key string, err *fault.Error) {
	s.mu.Lock()
	known := s.lost != nil || s.closing
	s.mu.Unlock()
	if !known {
		_ = s.wire.send(&message{Kind: abort, Process: s.process, Key: key, Text: err.Msg, Sentinel: err.Kind.Error()})
	}
}

// ask sends a request and waits for those of all its members.
func (s *store) ask(m *message) ([]*message, error) {
	m.Kind, m.Process = request, s.process
	to := make(chan *message, 1)
	s.mu.Lock()
	if s.lost != nil {
		err := *s.lost
		s.mu.Unlock()
		return nil, &err
	}
	s.next++
	m.ID = s.next
	s.waiting[m.ID] = to
	s.mu.Unlock()
	if err := s.wire.send(m); err != nil {
		return nil, fault.New(fault.ErrDeviceLost, "mesh", "process 0, which serves the group, is lost").Because(err)
	}
	select {
	case got, ok := <-to:
		if !ok {
			s.mu.Lock()
			defer s.mu.Unlock()
			err := *s.lost
			return nil, &err
		}
		if got.Text != "" {
			return nil, got.error()
		}
		return got.Answers, nil
	case <-time.After(s.timeout + time.Second + s.timeout/4): // the server says earlier who is missing
		return nil, fault.New(fault.ErrDeviceLost, "mesh", "process 0, which serves the group, does not answer within %v", s.timeout)
	}
}

func (s *store) close() error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	_ = s.wire.send(&message{Kind: bye, Process: s.process})
	s.server.wait() // the others may still need it
	err := s.wire.conn.Close()
	s.server.close()
	return err
}

// sentinels that errors between processes have.
var sentinels = []error{fault.ErrArgument, fault.ErrCanceled, fault.ErrOutOfMemory, fault.ErrShape, fault.ErrDevice, fault.ErrClosed, fault.ErrUnsupported}

// error is what the message says as an error.
func (m *message) error() *fault.Error {
	kind := fault.ErrDeviceLost
	if i := slices.IndexFunc(sentinels, func(err error) bool { return err.Error() == m.Sentinel }); i >= 0 {
		kind = sentinels[i]
	}
	return fault.New(kind, "mesh", "%s", m.Text)
}

// server is the store's other side.
type server struct {
	listener  net.Listener
	processes int
	timeout   time.Duration

	mu     sync.Mutex
	wires  map[int]*wire
	left   int // processes that said bye, or are lost
	gone   chan struct{}
	open   map[string]*round
	failed *message
}

// round is a request of several processes.
type round struct {
	members []int
	got     map[int]*message
	timer   *time.Timer
}

func serve(addr string, processes int, timeout time.Duration) (*server, error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		return nil, err
	}
	v := &server{listener: listener, processes: processes, timeout: timeout, wires: map[int]*wire{}, gone: make(chan struct{}), open: map[string]*round{}}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go v.talk(newWire(conn))
		}
	}()
	return v, nil
}

// talk takes what a process says.
func (v *server) talk(w *wire) {
	first := new(message)
	if err := w.dec.Decode(first); err != nil || first.Kind != hello || len(first.Members) != 1 {
		w.conn.Close()
		return
	}
	process := first.Process
	v.mu.Lock()
	if _, twice := v.wires[process]; twice || first.Members[0] != v.processes || process < 0 || process >= v.processes {
		v.mu.Unlock()
		_ = w.send(&message{Kind: abort, Sentinel: fault.ErrArgument.Error(),
			Text: fmt.Sprintf("process %d of %d joins a group of %d, in which each number is there once", process, first.Members[0], v.processes)})
		w.conn.Close()
		return
	}
	v.wires[process] = w
	v.mu.Unlock()
	for {
		m := new(message)
		if err := w.dec.Decode(m); err != nil {
			v.abort(&message{Kind: abort, Text: fmt.Sprintf("process %d is lost", process)})
			v.leave()
			return
		}
		switch m.Kind {
		case request:
			v.request(m)
		case abort:
			v.abort(m)
		case bye:
			v.leave()
			return
		}
	}
}

// leave counts a process that will say nothing more.
func (v *server) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.left++; v.left == v.processes {
		close(v.gone)
	}
}

// request adds a process to a round, and answers all when the last is there.
func (v *server) request(m *message) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed != nil {
		_ = v.wires[m.Process].send(&message{Kind: answer, ID: m.ID, Text: v.failed.Text, Sentinel: v.failed.Sentinel})
		return
	}
	r := v.open[m.Key]
	if r == nil {
		r = &round{members: m.Members, got: map[int]*message{}}
		r.timer = time.AfterFunc(v.timeout, func() { v.late(m.Key) })
		v.open[m.Key] = r
	}
	r.got[m.Process] = m
	if len(r.got) < len(r.members) {
		return
	}
	r.timer.Stop()
	delete(v.open, m.Key)
	v.answer(r, r.result())
}

// answer sends the result of a round to those that asked; mu is held.
func (v *server) answer(r *round, result *message) {
	for process, m := range r.got {
		own := *result
		own.Kind, own.ID = answer, m.ID
		if w := v.wires[process]; w != nil {
			_ = w.send(&own)
		}
	}
}

// result is what all have said, or why they do not agree.
func (r *round) result() *message {
	out := &message{}
	var texts []string
	differ := false
	for _, process := range r.members {
		m := r.got[process]
		if m == nil {
			continue
		}
		out.Answers = append(out.Answers, m)
		texts = append(texts, fmt.Sprintf("process %d calls %s", process, m.Text))
		differ = differ || m.Text != out.Answers[0].Text
		if m.Refused && out.Text == "" {
			out.Text, out.Sentinel = fmt.Sprintf("process %d cannot take part: %s", process, m.Text), m.Sentinel
		}
	}
	if out.Text == "" && differ {
		out.Text, out.Sentinel = "the processes do not call the same: "+strings.Join(texts, ", "), fault.ErrArgument.Error()
	}
	if out.Text != "" {
		out.Answers = nil
	}
	return out
}

// late ends the group because a round has waited too long.
func (v *server) late(key string) {
	v.mu.Lock()
	r := v.open[key]
	if r == nil {
		v.mu.Unlock()
		return
	}
	delete(v.open, key)
	var missing []string
	text := ""
	for _, process := range r.members {
		if m := r.got[process]; m == nil {
			missing = append(missing, fmt.Sprint(process))
		} else {
			text = m.Text
		}
	}
	v.mu.Unlock()
	v.abort(&message{Kind: abort, Text: fmt.Sprintf("process %s did not come to the call of %s within %v", strings.Join(missing, ", "), text, v.timeout)})
}

// abort tells all processes, once, that the group ends.
func (v *server) abort(m *message) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed != nil {
		return
	}
	v.failed = m
	for key, r := range v.open {
		r.timer.Stop()
		delete(v.open, key)
	}
	for _, w := range v.wires {
		_ = w.send(&message{Kind: abort, Text: m.Text, Sentinel: m.Sentinel})
	}
}

// wait waits until all processes have left, but not for long.
func (v *server) wait() {
	if v == nil {
		return
	}
	select {
	case <-v.gone:
	case <-time.After(v.timeout):
	}
}

func (v *server) close() {
	if v == nil {
		return
	}
	v.listener.Close()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range v.wires {
		w.conn.Close()
	}
}
