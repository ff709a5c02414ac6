package tile

import (
	"path"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Pos is a line of the Go source that describes a kernel.
type Pos struct {
	File string // its folder and its name, "mypkg/softmax.go"
	Line int
}

// String prints "mypkg/softmax.go:31", or "" for the zero Pos.
func (p Pos) String() string {
	if p.Line == 0 {
		return ""
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// PosOf is where a function is written, the zero Pos for nil.
func PosOf(f any) Pos {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return Pos{}
	}
	pc := v.Pointer()
	file, line := runtime.FuncForPC(pc).FileLine(pc)
	return Pos{File: shortName(file), Line: line}
}

// owner says whose a frame of the call stack is.
type owner uint8

const (
	ofUser    owner = iota // of a program that uses the library, or of a test
	ofLibrary              // of a package of this module
	ofTile                 // of this package
	ofGo                   // of the standard library
	ofBuild                // of Builder.run: a description begins above it
)

// site is a frame of the call stack.
type site struct {
	pos   Pos
	owner owner
}

// sites are the frames seen so far, by program counter: of a program there are only so many, and a kernel's
// description asks for one with every op.
var sites sync.Map // uintptr to *site

// callerPos is the line that a user looks for: the innermost one of the description that is not the library's. In the library's own
// kernels, of which a user has no line, it is the innermost one outside this package. Tests count as users.
func callerPos() Pos {
	var all [32]uintptr
	var own Pos
	buf := all[:6] // enough for most lines of a user's
	for skip := 2; ; {
		pcs := buf[:runtime.Callers(skip, buf)]
		for _, pc := range pcs {
			switch s := siteOf(pc); {
			case s.owner == ofUser:
				return s.pos
			case s.owner == ofBuild:
				return own
			case s.owner == ofLibrary && own.Line == 0:
				own = s.pos
			}
		}
		if len(pcs) < len(buf) {
			return own
		}
		skip, buf = skip+len(buf), all[:]
	}
}

// calledOp is the function of this package that runs, as the description called it: "gelu" for GELU. It is "" outside of the package.
func calledOp() string { return opOf(false) }

// panickedOp is the function of this package in which a description panicked. It is "" for a panic outside of the package.
func panickedOp() string { return opOf(true) }

// opOf is the outermost of the functions of this package that are innermost on the stack, or that were when a description panicked.
func opOf(panicked bool) string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	name := ""
	for {
		f, more := frames.Next()
		switch {
		case panicked:
			panicked = f.Function != "runtime.gopanic"
		case ownerOf(f) == ofTile:
			name = f.Function
		case ownerOf(f) != ofGo:
			return opName(name)
		}
		if !more {
			return ""
		}
	}
}

// closure is the end of the name that the compiler gives to a function within another one.
var closure = regexp.MustCompile(`(\.(func|gowrap|deferwrap)?[0-9]+|-range[0-9]+)+$`)

// joined are the beginnings of methods' names that their ops write as one word with what follows.
var joined = []string{"Arg", "Cum", "Mul", "Is", "C", "Si"}

// opName is the name in errors of a function: "tile_id" for tile.(*Builder).TileID, "argmax" for tile.(*Value).ArgMax.
func opName(function string) string {
	function = closure.ReplaceAllString(function, "")
	name := function[strings.LastIndexByte(function, '.')+1:]
	for _, word := range joined {
		if rest, ok := strings.CutPrefix(name, word); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return strings.ToLower(name)
		}
	}
	return strings.ToLower(wordEnds.ReplaceAllString(name, "${1}${3}_${2}${4}"))
}

// wordEnds are where words end within a name, an abbreviation in the second case: GELU in GELUTanh.
var wordEnds = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z]{2,})([A-Z][a-z])`)

func siteOf(pc uintptr) *site {
	if s, ok := sites.Load(pc); ok {
		return s.(*site)
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	s := &site{Pos{File: shortName(f.File), Line: f.Line}, ownerOf(f)}
	sites.Store(pc, s)
	return s
}

// The folders of this module and of the standard library as the compiler recorded them. Frames are told apart by file, since
// inlined closures carry the caller's function name.
var (
	moduleDir = func() string {
		_, file, _, _ := runtime.Caller(0)
		return path.Dir(path.Dir(file))
	}()
	goDir = func() string {
		pc := reflect.ValueOf(runtime.GC).Pointer()
		file, _ := runtime.FuncForPC(pc).FileLine(pc)
		return path.Dir(path.Dir(file))
	}()
)

// leaves are the folders of this module that use the library as others do.
var leaves = []string{"examples/", "cmd/", "bench/", "backend/backendtest/"}

func ownerOf(f runtime.Frame) owner {
	inside, ofModule := strings.CutPrefix(f.File, moduleDir+"/")
	switch {
	case strings.HasSuffix(f.Function, "/tile.(*Builder).run"):
		return ofBuild
	case goDir != "." && strings.HasPrefix(f.File, goDir+"/"), strings.HasPrefix(f.Function, "runtime."):
		return ofGo
	case !ofModule || strings.HasSuffix(f.File, "_test.go"):
		return ofUser
	case path.Dir(inside) == "tile":
		return ofTile
	}
	for _, leaf := range leaves {
		if strings.HasPrefix(inside, leaf) {
			return ofUser
		}
	}
	return ofLibrary
}

// shortName is a file with its folder. That of this module's root is weft, wherever it was checked out.
func shortName(file string) string {
	dir := path.Dir(file)
	if dir == moduleDir {
		return "weft/" + path.Base(file)
	}
	return path.Base(dir) + "/" + path.Base(file)
}
