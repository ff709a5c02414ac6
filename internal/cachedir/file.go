package cachedir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// temporary is how the names of unfinished files begin.
const temporary = ".tmp-"

// file is what writing needs of an *os.File.
type file interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// create makes an unfinished file; tests replace it by one that fails.
var create = func(dir string) (file, error) { return os.CreateTemp(dir, temporary) }

// writeFile puts a file into its place at once: a reader finds all of it or the
// one before.
func writeFile(path string, data []byte, durable bool) error {
	dir := filepath.Dir(path)
	f, err := create(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return failure("make "+dir, err)
		}
		f, err = create(dir)
	}
	if err != nil {
		return failure("write "+path, err)
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return failure("write "+path, err)
	}
	if durable {
		syncDir(dir)
	}
	return nil
}

// syncDir makes a rename last. Not every system can: then the entry may be lost in a crash of
// the machine, whole.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// remove deletes a file that another process may delete as well.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure("delete "+path, err)
	}
	return nil
}
