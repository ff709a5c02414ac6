package lower

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/weftgpu/weft/fault"
)

// DumpEnv is the environment variable that names a folder for the tile IR and the
// thread-level IR of every lowered kernel after every pass.
const DumpEnv = "WEFT_DUMP"

var dumped atomic.Int64 // kernels so far; numbers their folders

// dump writes the stages of one kernel into a folder of its own.
type dump struct {
	dir   string // empty: nothing is wanted
	stage int
	err   error
}

func newDump(kernel string) *dump {
	root := os.Getenv(DumpEnv)
	if root == "" {
		return &dump{}
	}
	d := &dump{dir: filepath.Join(root, fmt.Sprintf("%03d-%s", dumped.Add(1), kernel))}
	d.check(os.MkdirAll(d.dir, 0o755))
	return d
}

// write keeps a stage's text, "02-cse.simt"; ir says of which IR it is.
func (d *dump) write(name, ir string, k fmt.Stringer) {
	if d.dir == "" {
		return
	}
	path := filepath.Join(d.dir, fmt.Sprintf("%02d-%s.%s", d.stage, name, ir))
	d.check(os.WriteFile(path, []byte(k.String()), 0o644))
	d.stage++
}

func (d *dump) check(err error) {
	if err != nil && d.err == nil {
		d.err = fault.New(fault.ErrUnsupported, DumpEnv, "the stages cannot be written").Because(err)
	}
}
