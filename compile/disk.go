package compile

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// disk keeps compiled kernels in files: a program that starts again neither lowers nor
// compiles them anew. What goes wrong with the files is package cachedir's to tell, and
// costs time alone.
type disk struct {
	store *cachedir.Store // nil without a cache
	// prefix is what all of a device's keys depend on: the library, and the device's
	// capabilities with its compiler.
	prefix string
	caps   target.Caps
}

// newDisk returns the cache of a device's kernels. The interpreter's are not worth a file, and
// those of an executable that is not run again are written if a cache is asked for by name alone.
func newDisk(caps target.Caps) disk {
	library, temporary := libraryVersion()
	if caps.Language == target.TileIR || library == "" || temporary && os.Getenv(cachedir.Env) == "" {
		return disk{}
	}
	store := cachedir.Programs.Open()
	if store.Dir() == "" {
		return disk{}
	}
	// The fingerprint names the one device and its driver. What depends on those is not in
	// the binary but in what the driver makes of it.
	prefix := caps
	prefix.Fingerprint, prefix.Machine = "", nil // whose facts follow, not where they are
	return disk{store: store, caps: caps, prefix: fmt.Sprintf("%s\n%+v\n%+v", library, prefix, *caps.Facts())}
}

// key names a kernel compiled for facts, "" without a cache.
func (d disk) key(k *tile.Func, facts Facts) string {
	if d.store == nil {
		return ""
	}
	hash := k.Hash()
	return cachedir.Key(d.prefix, string(hash[:]), facts.Key())
}

// stored is what precedes the binary in a file: what loading and launching need to know.
// The other stages are made anew for those who want to read them.
type stored struct {
	Kernel string // its name
	Arch   string
	Source backend.Source // without its text, which the binary stands for
	Words  []int
	Maps   []mapped
}

// load returns a kernel compiled before. Where the stages of lowering are asked for, none is.
func (d disk) load(key, kernel string) (a *Artifact, image []byte, ok bool) {
	if key == "" || os.Getenv(pass.DumpEnv) != "" {
		return nil, nil, false
	}
	data, ok := d.store.Get(key)
	if !ok {
		return nil, nil, false
	}
	n, at := binary.Uvarint(data)
	if at <= 0 || n > uint64(len(data)-at) {
		return nil, nil, false
	}
	head, image := data[at:at+int(n)], data[at+int(n):]
	var s stored
	if err := json.Unmarshal(head, &s); err != nil || s.Kernel != kernel || s.Arch != d.caps.Arch {
		return nil, nil, false
	}
	return &Artifact{Source: s.Source, words: s.Words, maps: s.Maps}, image, true
}

// save keeps a compiled kernel. Its failures are logged by the store and of no consequence.
func (d disk) save(key string, kernel string, a *Artifact, image []byte) {
	if key == "" {
		return
	}
	s := stored{Kernel: kernel, Arch: d.caps.Arch, Source: a.Source, Words: a.words, Maps: a.maps}
	s.Source.Text, s.Source.IR = "", nil
	head, err := json.Marshal(s)
	if err != nil {
		return // a Source holds strings and numbers alone
	}
	data := binary.AppendUvarint(make([]byte, 0, len(head)+len(image)+8), uint64(len(head)))
	_ = d.store.Put(key, append(append(data, head...), image...))
}
