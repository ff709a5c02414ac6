package cachedir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// Store is the entries of one kind. Its methods may be called from many goroutines, and any
// number of stores and processes may share a folder.
type Store struct {
	Kind
	dir string // "" without a cache

	mu   sync.Mutex
	size int64 // bytes of the files, as last counted and by what was put since
	puts int   // since the last count
	once sync.Once
}

// Open returns the store of a kind. It touches no file.
func (k Kind) Open() *Store {
	s := &Store{Kind: k}
	root, err := Root()
	if err != nil {
		logging.Logger().Debug("no cache", "kind", k.Name, "reason", err)
		return s
	}
	s.dir = filepath.Join(root, k.Name)
	return s
}

// Dir is the folder, "" without a cache.
func (s *Store) Dir() string { return s.dir }

// Key makes a key of all that an entry depends on: equal keys have equal parts.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// form is how the first line of an entry begins: the version of the form of files.
const form = "weft-cache 2 "

// headerBytes is the length of the first line: form, checksum in hex and the line's end. See header.
const headerBytes = len(form) + 2*sha256.Size + 1

// maxEntry bounds what is read of a file before anything is known to be right.
const maxEntry = 64 << 20

// header begins a file. Its checksum is of the kind, the key and the contents together: a file that was copied to another name is
// as damaged as one whose bytes changed.
func (s *Store) header(key string, data []byte) []byte {
	h := append(make([]byte, 0, headerBytes+len(data)), form...)
	return append(append(h, Key(s.Name, key, string(data))...), '\n')
}

// Get returns an entry, false if there is none or if it is damaged. Only regular files that are this user's, or root's, are read.
func (s *Store) Get(key string) ([]byte, bool) {
	if s.dir == "" || !validName(key) {
		return nil, false
	}
	if err := s.Check(); err != nil {
		s.complain(err)
		return nil, false
	}
	path := filepath.Join(s.dir, key)
	file, used, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false
	case errors.Is(err, errForeign):
		logging.Logger().Warn("file in the cache ignored", "file", path, "reason", err)
		return nil, false
	case err != nil:
		s.complain(failure("read "+path, err))
		return nil, false
	}
	data := file[min(headerBytes, len(file)):]
	if !bytes.Equal(file[:len(file)-len(data)], s.header(key, data)) {
		logging.Logger().Warn("damaged entry of the cache, deleted", "file", path, "bytes", len(file))
		_ = os.Remove(path)
		return nil, false
	}
	if time.Since(used) > time.Hour {
		_ = os.Chtimes(path, time.Time{}, time.Now()) // of a folder that cannot be written the order does not matter
	}
	return data, true
}

// Put writes an entry. A failure loses nothing but the entry; the first one is logged, so that
// the error may be ignored.
func (s *Store) Put(key string, data []byte) error {
	if s.dir == "" {
		return nil
	}
	err := s.put(key, data)
	if err != nil {
		s.complain(err)
	}
	return err
}

func (s *Store) put(key string, data []byte) error {
	bytes := int64(headerBytes + len(data))
	switch {
	case !validName(s.Name) || !validName(key):
		return fault.New(fault.ErrUnsupported, "cache: put", "%q of kind %q is not the name of an entry", key, s.Name)
	case s.Budget > 0 && bytes > s.Budget:
		return fault.New(fault.ErrLimit, "cache: put", "an entry of %d bytes, %s has room for %d", bytes, s.dir, s.Budget)
	case bytes > maxEntry:
		return fault.New(fault.ErrLimit, "cache: put", "an entry of %d bytes, want %d at most", bytes, maxEntry)
	}
	if err := s.Check(); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(s.dir, key), append(s.header(key, data), data...), s.Durable); err != nil {
		return err
	}
	return s.account(key, bytes)
}

// Delete removes an entry, if it is there.
func (s *Store) Delete(key string) error {
	if s.dir == "" || !validName(key) {
		return nil
	}
	return remove(filepath.Join(s.dir, key))
}

// complain logs the store's first failure.
func (s *Store) complain(err error) {
	s.once.Do(func() {
		logging.Logger().Warn("the cache is of no help", "kind", s.Name, "folder", s.dir, "error", err)
	})
}
