//go:build !android && (amd64 || arm64)

package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// ncclEnv names the file or folder of the NCCL to use.
const ncclEnv = "WEFT_NCCL"

// ncclTable holds the functions of libnccl; all return an ncclResult_t but those that return text. An ncclComm_t is a pointer, a stream is
// the driver's.
type ncclTable struct {
	Version        proc `sym:"ncclGetVersion"`     // (int*)
	GetErrorString proc `sym:"ncclGetErrorString"` // (ncclResult_t), returns const char*
	GetLastError   proc `sym:"ncclGetLastError"`   // (comm), returns const char*
	GetUniqueID    proc `sym:"ncclGetUniqueId"`    // (ncclUniqueId*)
	CommInitAll    proc `sym:"ncclCommInitAll"`    // (comm*, int n, const int *devices)
	// (comm*, int ranks, int rank, int ids, ncclUniqueId*, ncclConfig_t*); since 2.23. The older function takes the id by value.
	CommInitRankScalable proc `sym:"ncclCommInitRankScalable,optional"`
	CommDestroy          proc `sym:"ncclCommDestroy"`       // (comm)
	CommAbort            proc `sym:"ncclCommAbort"`         // (comm)
	CommGetAsyncError    proc `sym:"ncclCommGetAsyncError"` // (comm, ncclResult_t*)
	GroupStart           proc `sym:"ncclGroupStart"`        // ()
	GroupEnd             proc `sym:"ncclGroupEnd"`          // ()
	AllReduce            proc `sym:"ncclAllReduce"`         // (send, recv, size_t, type, op, comm, stream)
	AllGather            proc `sym:"ncclAllGather"`         // (send, recv, size_t, type, comm, stream)
	ReduceScatter        proc `sym:"ncclReduceScatter"`     // (send, recv, size_t, type, op, comm, stream)
	Broadcast            proc `sym:"ncclBroadcast"`         // (send, recv, size_t, type, int root, comm, stream)
	Send                 proc `sym:"ncclSend"`              // (send, size_t, type, int peer, comm, stream)
	Recv                 proc `sym:"ncclRecv"`              // (recv, size_t, type, int peer, comm, stream)
}

// Values of nccl.h.
const (
	ncclIDBytes     = 128
	ncclSystemError = 2
	ncclRemoteError = 6
	ncclInProgress  = 7
)

// ncclTypes are the values of ncclDataType_t. What is only moved moves as bytes.
var ncclTypes = map[dtype.Type]uintptr{
	dtype.I8: 0, dtype.U8: 1, dtype.I32: 2, dtype.U32: 3, dtype.I64: 4, dtype.U64: 5, dtype.F16: 6, dtype.F32: 7, dtype.F64: 8, dtype.BF16: 9,
}

// ncclLib is a loaded libnccl.
type ncclLib struct {
	ncclTable
	path    string
	version int // 22705 for 2.27.5
}

// theNCCL is the process's NCCL.
var theNCCL = sync.OnceValues(func() (*ncclLib, error) { return openNCCL(ncclPaths()) })

// ncclPaths lists what to try to load, in order.
func ncclPaths() []string {
	const name, pattern = "libnccl.so.2", "libnccl.so*"
	files := func(dir string) []string {
		list, _ := filepath.Glob(filepath.Join(dir, pattern))
		slices.Reverse(list)
		return list
	}
	if forced := os.Getenv(ncclEnv); forced != "" {
		if info, err := os.Stat(forced); err == nil && info.IsDir() {
			return files(forced)
		}
		return []string{forced}
	}
	paths := []string{name}
	for _, packages := range pythonPackages() {
		dirs, _ := filepath.Glob(filepath.Join(packages, "nvidia", "nccl", "lib"))
		slices.Reverse(dirs)
		for _, dir := range dirs {
			paths = append(paths, files(dir)...)
		}
	}
	return paths
}

func openNCCL(paths []string) (*ncclLib, error) {
	var failed []string
	for _, path := range paths {
		lib, err := loadNCCL(path)
		if err == nil {
			return lib, nil
		}
		failed = append(failed, fmt.Sprintf("%s: %v", path, err))
	}
	where := strings.Join(failed, "; ")
	if forced := os.Getenv(ncclEnv); forced != "" {
		where = strings.TrimSuffix(fmt.Sprintf("%s is %s; %s", ncclEnv, forced, where), "; ")
	}
	return nil, fault.New(fault.ErrUnsupported, "cuda: NCCL",
		"not found (%s); install NVIDIA's libnccl2 or the wheel nvidia-nccl-cu12, or set %s to its file or folder", where, ncclEnv)
}

// loadNCCL loads the library at path. Multicast over NVLink stays off unless the user asks for it: not every machine that reports it can use it.
func loadNCCL(path string) (*ncclLib, error) {
	if err := setDefaultC("NCCL_NVLS_ENABLE", "0"); err != nil {
		return nil, err
	}
	handle, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	lib := &ncclLib{path: path}
	if err := bind(handle, &lib.ncclTable); err != nil {
		return nil, err
	}
	var version int32
	if r := lib.Version.call(uintptr(unsafe.Pointer(&version))); r != 0 {
		return nil, fmt.Errorf("ncclGetVersion returned %d", r)
	}
	lib.version = int(version)
	return lib, nil
}

// setDefaultC sets a variable of C's environment, which Go's os.Setenv does not change without cgo, if it is not set.
func setDefaultC(name, value string) error {
	set, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	if err != nil {
		return err
	}
	n, v := cString(name), cString(value)
	f := proc{"setenv", set}
	if r := f.call(uintptr(unsafe.Pointer(&n[0])), uintptr(unsafe.Pointer(&v[0])), 0); r != 0 {
		return fmt.Errorf("setenv returned %d", r)
	}
	return nil
}

// String names the library.
func (lib *ncclLib) String() string {
	return fmt.Sprintf("NCCL %d.%d.%d", lib.version/10000, lib.version/100%100, lib.version%100)
}

// fault turns a status into an error with NCCL's explanation; comm may be 0.
func (lib *ncclLib) fault(p *proc, status int32, comm uintptr) *fault.Error {
	kind := fault.ErrUnsupported
	if status == ncclRemoteError || status == ncclSystemError {
		kind = fault.ErrDeviceLost
	}
	text := func(p *proc, arg uintptr) string {
		s, _, _ := purego.SyscallN(p.addr, arg)
		return goString(*(**byte)(unsafe.Pointer(&s)))
	}
	msg := text(&lib.GetErrorString, uintptr(status))
	if last := text(&lib.GetLastError, comm); last != "" {
		msg += ": " + strings.TrimSpace(last)
	}
	return fault.New(kind, "cuda: "+p.name, "%s", msg)
}
