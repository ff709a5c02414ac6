package tune

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/target"
)

// format is the version of entries, of buckets and views. Another one is a miss.
const format = 1

// Entry is the result of a race: what a file of the cache and a row of a table hold.
type Entry struct {
	Key
	// Caps are those of the device, for devices of another fingerprint that can do the same.
	Caps target.Caps `json:"caps"`
	// Measured is the problem that was raced, of whose bucket Problem is.
	Measured json.RawMessage `json:"measured"`
	// Config is the fastest config, and Kernel the hash of its kernel.
	Config json.RawMessage `json:"config"`
	Kernel string          `json:"kernel,omitempty"`
	// Partial says that the race was interrupted: Config is the fastest of what was measured until then.
	Partial bool `json:"partial,omitempty"`
	// Timings are those of all configs of the race, the fastest first and those that were dropped last.
	Timings []Timing  `json:"timings"`
	Time    time.Time `json:"time"`
}

// Key is what an entry is found by.
type Key struct {
	Format  int             `json:"format"`
	Library string          `json:"library"` // weft's version
	Op      string          `json:"op"`
	Device  string          `json:"device"` // fingerprint of device and driver
	Problem json.RawMessage `json:"problem"`
}

// Timing is how a config did in a race.
type Timing struct {
	Config  json.RawMessage `json:"config"`
	Median  time.Duration   `json:"median_ns,omitempty"`
	Samples int             `json:"samples,omitempty"`
	Dropped string          `json:"dropped,omitempty"` // why the config was not measured to the end
	Rule    bool            `json:"rule,omitempty"`    // the rule's choice
	Model   bool            `json:"model,omitempty"`   // the model's choice
	Tried   bool            `json:"tried,omitempty"`   // asked for by Options.Try
	Why     string          `json:"why,omitempty"`     // what the model sees in it that is worse than in the fastest
}

// Best is the time of the fastest config.
func (e Entry) Best() time.Duration {
	if len(e.Timings) == 0 {
		return 0
	}
	return e.Timings[0].Median
}

// id is the name of an entry's file.
func (k Key) id() string {
	return cachedir.Key(fmt.Sprint(k.Format), k.Library, k.Op, k.Device, string(k.Problem))
}

// like is a name that entries of devices share that can do the same.
func like(k Key, caps target.Caps) string {
	// Of the machine its name and size count: its other figures are better known one day than the other.
	machine := caps.Facts()
	caps.Fingerprint, caps.Machine = "", &target.Machine{Name: machine.Name, Units: machine.Units}
	text, _ := json.Marshal(caps) // plain data
	k.Device = string(text)
	return k.id()
}

// library is weft's version: that of the module, if the program knows it.
var library = sync.OnceValue(func() string {
	const module = "github.com/weftgpu/weft"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == module && m.Replace == nil {
			return m.Version
		}
	}
	return "devel"
})

// device names a device with all that times depend on: the interpreter's also on the cores
// that the program may use.
func device(caps target.Caps) string {
	if caps.WholeTiles {
		return fmt.Sprintf("%s, %d threads", caps.Fingerprint, runtime.GOMAXPROCS(0))
	}
	return caps.Fingerprint
}

// tables holds what is known: what this process measured or read, and what was imported.
var tables = struct {
	sync.Mutex
	own      map[string]*Entry // by id; nil for what is in no file
	merged   map[string]*Entry // files by what devices can do; nil for what is in none
	imported map[string]*Entry // by id, and by what devices can do
}{own: map[string]*Entry{}, merged: map[string]*Entry{}, imported: map[string]*Entry{}}

// files is the folder of entries. It is opened anew by tests alone.
var files = sync.OnceValue(func() *cachedir.Store { return cachedir.Tuned.Open() })

// lookup finds the entry for a key: the process's own, a file's, or an imported one.
func lookup(k Key, caps target.Caps) (e *Entry, from source) {
	id := k.id()
	tables.Lock()
	defer tables.Unlock()
	e, read := tables.own[id]
	if !read {
		e = load(id, k)
		tables.own[id] = e
	}
	switch {
	case e != nil && e.Partial:
		return e, partly
	case e != nil:
		return e, measured
	}
	shared := like(k, caps)
	if _, known := tables.merged[shared]; !known {
		tables.merged[shared] = fileEntry(shared)
	}
	for _, e := range []*Entry{tables.merged[shared], tables.imported[id], tables.imported[shared]} {
		if e != nil {
			return e, imported
		}
	}
	return nil, modelled
}

// load reads an entry's file; nil if there is none that can be used.
func load(id string, k Key) *Entry {
	data, ok := files().Get(id)
	if !ok {
		return nil
	}
	e, err := decode(data)
	if err != nil || !k.equal(e.Key) {
		logging.Logger().Warn("tuned choice that cannot be read", "op", k.Op, "problem", string(k.Problem), "error", err)
		return nil
	}
	return e
}

// decode reads an entry.
func decode(data []byte) (*Entry, error) {
	e := &Entry{}
	if err := json.Unmarshal(data, e); err != nil {
		return e, err
	}
	return e, e.compact()
}

// compact takes out of an entry's JSON the spaces that people like.
func (e *Entry) compact() error {
	parts := []*json.RawMessage{&e.Problem, &e.Measured, &e.Config}
	for i := range e.Timings {
		parts = append(parts, &e.Timings[i].Config)
	}
	for _, p := range parts {
		var b bytes.Buffer
		if err := json.Compact(&b, *p); err != nil {
			return err
		}
		*p = b.Bytes()
	}
	return nil
}

func (k Key) equal(o Key) bool {
	return k.Format == o.Format && k.Library == o.Library && k.Op == o.Op && k.Device == o.Device && bytes.Equal(k.Problem, o.Problem)
}

// keep notes an entry here and in its file. What another process measured meanwhile to the end is
// not replaced by less.
func keep(e *Entry) {
	id := e.id()
	tables.Lock()
	defer tables.Unlock()
	if there := load(id, e.Key); e.Partial && there != nil && !there.Partial {
		tables.own[id] = there
		return
	}
	tables.own[id] = e
	data, err := json.Marshal(e)
	if err == nil {
		err = files().Put(id, data) // logged there; the process goes on with what it knows
	}
	if err != nil {
		logging.Logger().Debug("tuned choice not stored", "op", e.Op, "error", err)
	}
}

// keys are those under which a problem may be found: its own and that of its bucket.
func (s *Space[P, C]) keys(caps target.Caps, p P) (list []Key, err error) {
	for _, p := range slices.Compact([]P{p, s.bucket(p)}) {
		text, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		list = append(list, Key{Format: format, Library: library(), Op: s.Op, Device: device(caps), Problem: text})
	}
	return list, nil
}

// recall finds what is known for a problem. It holds it to today's rules and today's kernel.
func (s *Space[P, C]) recall(caps target.Caps, p P) (c C, best origin) {
	list, err := s.keys(caps, p)
	if err != nil {
		logging.Logger().Error("a problem that cannot be a key", "op", s.Op, "error", err)
		return c, best
	}
	for i, k := range list {
		e, from := lookup(k, caps)
		if from <= best.source {
			continue
		}
		found, err := s.accept(caps, p, e)
		if err != nil {
			logging.Logger().Info("tuned choice that no longer holds", "op", s.Op, "problem", string(k.Problem), "config", string(e.Config), "error", err)
			continue
		}
		c, best = found, origin{from, i == 0}
	}
	return c, best
}

// accept reads the config of an entry, whatever is in it.
func (s *Space[P, C]) accept(caps target.Caps, p P, e *Entry) (c C, err error) {
	decoder := json.NewDecoder(bytes.NewReader(e.Config))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return c, err
	}
	if err := s.legal(caps, p, c); err != nil {
		return c, err
	}
	var measured P
	if err := json.Unmarshal(e.Measured, &measured); err != nil {
		return c, err
	}
	if hash, err := s.kernelHash(caps, measured, c); err != nil || hash != e.Kernel {
		return c, fmt.Errorf("the entry was measured with another kernel (%v)", err)
	}
	return c, nil
}

// kernelHash names the kernel of a config by its IR, without the lines of Go that it comes from.
func (s *Space[P, C]) kernelHash(caps target.Caps, p P, c C) (string, error) {
	if s.Kernel == nil {
		return "", nil
	}
	k, err := s.Kernel(caps, p, c)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for line := range strings.Lines(k.String()) {
		op, _, _ := strings.Cut(line, "//")
		h.Write([]byte(strings.TrimRight(op, " \n") + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
