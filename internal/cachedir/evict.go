package cachedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/weftgpu/weft/internal/logging"
)

// Entry is a file of a store.
type Entry struct {
	Key   string
	Bytes int64     // of the file
	Used  time.Time // its last use, to the hour
}

// recount is after how many entries a store counts its folder again, for the
// sake of what other processes put there.
const recount = 100

// stale is the age from which on an unfinished file is that of a process that ended.
const stale = time.Hour

// Entries lists the store's files, those used last first. It is empty without a cache.
func (s *Store) Entries() ([]Entry, error) {
	if s.dir == "" {
		return nil, nil
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failure("list "+s.dir, err)
	}
	var entries []Entry
	for _, e := range list {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular(): // deleted meanwhile, or not ours
		case strings.HasPrefix(e.Name(), temporary):
			if time.Since(info.ModTime()) > stale {
				_ = os.Remove(filepath.Join(s.dir, e.Name()))
			}
		case validName(e.Name()):
			entries = append(entries, Entry{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		if c := b.Used.Compare(a.Used); c != 0 {
			return c
		}
		return strings.Compare(a.Key, b.Key)
	})
	return entries, nil
}

// Clear deletes all entries of the store and returns how many bytes they took.
func (s *Store) Clear() (int64, error) {
	entries, err := s.Entries()
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes, err := s.delete(entries)
	s.size, s.puts = 0, 0
	return bytes, err
}

func (s *Store) delete(entries []Entry) (bytes int64, err error) {
	for _, e := range entries {
		if err := remove(filepath.Join(s.dir, e.Key)); err != nil {
			return bytes, err
		}
		bytes += e.Bytes
	}
	return bytes, nil
}

// account counts an entry that was put, and deletes old ones if the budget is spent.
func (s *Store) account(key string, bytes int64) error {
	if s.Budget <= 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += bytes
	counted := s.puts > 0
	s.puts = (s.puts + 1) % recount
	if counted && s.size <= s.Budget {
		return nil
	}
	entries, err := s.Entries()
	if err != nil {
		return err
	}
	s.size = 0
	for _, e := range entries {
		s.size += e.Bytes
	}
	if s.size <= s.Budget {
		return nil
	}
	// Of files written within a tick of the file system's clock none is the latest.
	old := slices.DeleteFunc(entries, func(e Entry) bool { return e.Key == key })
	room := s.Budget/4*3 - bytes
	for len(old) > 0 && old[0].Bytes <= room {
		room -= old[0].Bytes
		old = old[1:]
	}
	freed, err := s.delete(old)
	s.size -= freed
	logging.Logger().Info("cache beyond its budget", "kind", s.Name, "budget", s.Budget, "deleted", len(old), "bytes", freed)
	return err
}
