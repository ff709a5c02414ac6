//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// proc is a function of a C library. All of those used here take integers and
// pointers only and return a 32-bit status.
type proc struct {
	name string
	addr uintptr
}

// call calls the function. Pointers are converted to uintptr in the argument
// list itself, which keeps what they point at on the heap until it returns.
//
//go:uintptrescapes
func (p *proc) call(args ...uintptr) int32 {
	status, _, _ := purego.SyscallN(p.addr, args...)
	return int32(status)
}

// bind looks up every proc of a table, a pointer to a struct whose fields carry
// their symbol in the tag `sym`. A symbol marked ",optional" may be missing.
func bind(handle uintptr, table any) error {
	v := reflect.ValueOf(table).Elem()
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("sym"), ",")
		addr, err := findSymbol(handle, name)
		if err != nil && option != "optional" {
			return fmt.Errorf("the function %s is missing", name)
		}
		v.Field(i).Set(reflect.ValueOf(proc{name, addr}))
	}
	return nil
}

// goString copies a C string.
func goString(s *byte) string {
	if s == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// cString returns the bytes of s with a NUL after them.
func cString(s string) []byte { return append([]byte(s), 0) }

// trimNUL cuts a C string out of the buffer it was written to.
func trimNUL(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// addr is the address of a slice's first element for use in a call's argument
// list, where the slice must be kept alive by its owner; 0 if it is empty.
func addr[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
