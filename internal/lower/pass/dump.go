package pass

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/weftgpu/weft/fault"
)

// DumpEnv is the environment variable that names a folder for the tile IR and the
// thread-level IR of every lowered kernel after every pass.
const DumpEnv = "WEFT_DUMP"

var dumped atomic.Int64 // kernels so far; numbers their folders

// Dump writes the stages of one kernel into a folder of its own.
type Dump struct {
	dir   string // empty: nothing is written
	stage int
	err   error
}

// NewDump makes the folder of a kernel, if DumpEnv names one for all.
func NewDump(kernel string) *Dump {
	root := os.Getenv(DumpEnv)
	if root == "" {
		return &Dump{}
	}
	d := &Dump{dir: filepath.Join(root, fmt.Sprintf("%03d-%s", dumped.Add(1), fileName(kernel)))}
	d.check(os.MkdirAll(d.dir, 0o755))
	return d
}

// maxFileName is how much of a kernel's name a file's shows.
const maxFileName = 80

// fileName is a kernel's name as a part of a file's name on every system: letters, digits and -_. alone. Names that differ
// stay different, on file systems that ignore the case as well: one that is not wholly of lower case letters and the
// like ends with a hash after a ~, which no other has.
func fileName(kernel string) string {
	plain := kernel != "" && len(kernel) <= maxFileName
	var b strings.Builder
	for _, c := range []byte(kernel[:min(len(kernel), maxFileName)]) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
		case c >= 'A' && c <= 'Z':
			plain = false
		case c == '.' && b.Len() > 0 && !strings.HasSuffix(b.String(), "."):
		default:
			c, plain = '_', false
		}
		b.WriteByte(c)
	}
	name := b.String()
	if plain && !strings.HasSuffix(name, ".") {
		return name
	}
	sum := sha256.Sum256([]byte(kernel))
	return fmt.Sprintf("%s~%x", strings.TrimSuffix(name, "."), sum[:8])
}

// Write keeps a stage's text, "02-cse.simt"; ir says of which IR it is.
func (d *Dump) Write(name, ir string, k fmt.Stringer) {
	if d.dir == "" {
		return
	}
	path := filepath.Join(d.dir, fmt.Sprintf("%02d-%s.%s", d.stage, name, ir))
	d.check(os.WriteFile(path, []byte(k.String()), 0o644))
	d.stage++
}

// Err is what went wrong first.
func (d *Dump) Err() error { return d.err }

func (d *Dump) check(err error) {
	if err != nil && d.err == nil {
		d.err = fault.New(fault.ErrUnsupported, DumpEnv, "the stages of compilation cannot be written").Because(err)
	}
}
