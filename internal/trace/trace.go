package trace

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// Env names the file. "%p" in it stands for the process's number.
const Env = "WEFT_TRACE"

// current is the trace that is written, nil for none.
var (
	current  atomic.Pointer[file]
	starting sync.Mutex
)

// FromEnv starts the trace that the environment asks for, if it does. Error: that of Start, every time.
var FromEnv = sync.OnceValue(func() error {
	name := os.Getenv(Env)
	if name == "" {
		return nil
	}
	_, err := Start(name)
	return err
})

// On reports whether a trace is written.
func On() bool { return current.Load() != nil }

// Start writes a trace to a file, which it replaces, until stop is called.
//
// Error: fault.ErrUnsupported if there is a trace or if the file cannot be written.
func Start(name string) (stop func(), err error) {
	starting.Lock()
	defer starting.Unlock()
	if On() {
		return nil, fault.New(fault.ErrUnsupported, Env, "a trace is being written already")
	}
	name = strings.ReplaceAll(name, "%p", strconv.Itoa(os.Getpid()))
	out, err := os.Create(name)
	if err != nil {
		return nil, fault.New(fault.ErrUnsupported, Env, "the trace cannot be written").Because(err)
	}
	f := &file{out: out, began: time.Now(), flushed: time.Now()}
	f.meta(Host, 0, "process_name", "host")
	current.Store(f)
	Flush()
	return func() {
		Flush()
		current.CompareAndSwap(f, nil)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.out.Close()
		f.failed = true
	}, nil
}

// A Process groups tracks: the host, or a device.
type Process int

// Host is the process of the spans.
const Host Process = 1

// Args are what a viewer shows of an event in addition to its name.
type Args map[string]any

// file is a trace.
type file struct {
	began time.Time

	mu      sync.Mutex
	out     *os.File
	end     int64  // where the next event goes
	pending []byte // events that are not in the file
	flushed time.Time
	failed  bool
	lanes   []bool // tracks of the host in use
	procs   Process
}

// event is one entry; the field names are the format's.
type event struct {
	Name string   `json:"name"`
	Cat  string   `json:"cat,omitempty"`
	Ph   string   `json:"ph"`
	TS   float64  `json:"ts"`
	Dur  *float64 `json:"dur,omitempty"`
	Pid  Process  `json:"pid"`
	Tid  int      `json:"tid"`
	Args Args     `json:"args,omitempty"`
}

const (
	flushBytes = 64 << 10
	flushEvery = time.Second
)

// add appends an event and flushes now and then; mu is held.
func (f *file) add(e event) {
	text, err := json.Marshal(e)
	if err != nil {
		text, _ = json.Marshal(event{Name: e.Name + ": " + err.Error(), Ph: "i", TS: e.TS, Pid: e.Pid, Tid: e.Tid})
	}
	separator := ",\n"
	if f.end == 0 && len(f.pending) == 0 {
		separator = "[\n"
	}
	f.pending = append(append(f.pending, separator...), text...)
	if len(f.pending) >= flushBytes || time.Since(f.flushed) >= flushEvery {
		f.flush()
	}
}

// flush writes what is pending and the array's end over the end before; mu is held.
func (f *file) flush() {
	f.flushed = time.Now()
	if len(f.pending) == 0 || f.failed {
		f.pending = f.pending[:0]
		return
	}
	n := len(f.pending)
	if _, err := f.out.WriteAt(append(f.pending, "\n]\n"...), f.end); err != nil {
		f.failed = true
		logging.Logger().Warn("the trace ends here", "file", f.out.Name(), "error", err)
	}
	f.end += int64(n)
	f.pending = f.pending[:0]
}

func (f *file) meta(p Process, track int, what, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(event{Name: what, Ph: "M", Pid: p, Tid: track, Args: Args{"name": name}})
}

// micros is a time in the format's unit, to the nanosecond.
func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func (f *file) complete(p Process, track int, category, name string, from, to time.Time, args Args) {
	dur := max(0, micros(to.Sub(from)))
	f.add(event{Name: name, Cat: category, Ph: "X", TS: micros(from.Sub(f.began)), Dur: &dur, Pid: p, Tid: track, Args: args})
}

// Flush writes all events so far to the file.
func Flush() {
	if f := current.Load(); f != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.flush()
	}
}

// NewProcess adds a group of tracks with a name.
func NewProcess(name string, tracks ...string) Process {
	f := current.Load()
	if f == nil {
		return 0
	}
	f.mu.Lock()
	f.procs++
	p := Host + f.procs
	f.mu.Unlock()
	f.meta(p, 0, "process_name", name)
	for i, track := range tracks {
		f.meta(p, i, "thread_name", track)
	}
	return p
}

// Complete adds what went on between two times on a track of a process.
func Complete(p Process, track int, category, name string, from, to time.Time, args Args) {
	if f := current.Load(); f != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.complete(p, track, category, name, from, to, args)
	}
}
