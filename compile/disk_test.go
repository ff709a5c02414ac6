package compile

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Tests that count compilations must not find those of an earlier run.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Setenv(cachedir.Env, "off")
	}
	os.Exit(m.Run())
}

// loader is a recorder that looks at what it loads.
type loader struct {
	*recorder
	loads  []loaded
	refuse error // of the next load
}

type loaded struct {
	src   backend.Source
	image string
}

func (l *loader) Info() backend.Info { return backend.Info{Backend: "fake"} }

func (l *loader) Load(src backend.Source, image []byte) (backend.Program, error) {
	if err := l.refuse; err != nil {
		l.refuse = nil
		return nil, err
	}
	l.loads = append(l.loads, loaded{src, string(image)})
	return l.recorder.Load(src, image)
}

func newLoader() *loader {
	l := &loader{recorder: newRecorder()}
	l.caps.Compiler = "fake 1"
	return l
}

// launch launches a kernel with a fresh compiler, as a new process would.
func (l *loader) launch(t *testing.T, k *tile.Func, args ...Arg) {
	t.Helper()
	c := New(l)
	if len(args) == 0 {
		args = []Arg{arg(t, &buffer{bytes: 1 << 20}, 16, 256), arg(t, &buffer{bytes: 1 << 20}, 16, 256)}
	}
	if err := c.Launch(k, args, nil); err != nil {
		t.Fatal(err)
	}
}

func useCache(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
}

func TestCompiledKernelsAreFoundOnDisk(t *testing.T) {
	useCache(t)
	dev := newLoader()
	k := copyKernel(t, 64)
	dev.launch(t, k)
	dev.launch(t, copyKernel(t, 64)) // of the same text
	if dev.compiled != 1 || len(dev.loads) != 2 {
		t.Fatalf("compiled %d times, loaded %d times", dev.compiled, len(dev.loads))
	}
	cold, hit := dev.loads[0], dev.loads[1]
	if cold.image != hit.image {
		t.Error("another binary is loaded")
	}
	cold.src.Text = ""
	if !reflect.DeepEqual(cold.src, hit.src) {
		t.Errorf("loaded as\n%+v\nwant\n%+v", hit.src, cold.src)
	}
	if a, b := dev.launches[0], dev.launches[1]; a.Grid != b.Grid || !slices.Equal(a.Words, b.Words) {
		t.Errorf("launched as %v, %v, want %v, %v", b.Grid, b.Words, a.Grid, a.Words)
	}
}

// What a key leaves out is a wrong kernel launched: each of these must miss.
func TestWhatTheBinaryDependsOnIsInTheKey(t *testing.T) {
	useCache(t)
	base := newLoader()
	base.launch(t, copyKernel(t, 64))
	same := newLoader()
	same.caps.Fingerprint = "another device of the kind"
	if same.launch(t, copyKernel(t, 64)); same.compiled != 0 {
		t.Error("the device's number is in the key")
	}
	for what, c := range map[string]func(caps *target.Caps){
		"compiler":  func(c *target.Caps) { c.Compiler = "fake 2" },
		"arch":      func(c *target.Caps) { c.Arch = "sm_90a" },
		"subgroups": func(c *target.Caps) { c.SubgroupSize = 32 },
		"language":  func(c *target.Caps) { c.Language = target.CUDA },
		"threads":   func(c *target.Caps) { c.MaxThreads = 512 },
		"maps":      func(c *target.Caps) { c.TensorMaps = true },
	} {
		dev := newLoader()
		c(&dev.caps)
		if dev.launch(t, copyKernel(t, 64)); dev.compiled != 1 {
			t.Errorf("%s: compiled %d times", what, dev.compiled)
		}
	}
	dev := newLoader()
	dev.launch(t, copyKernel(t, 32))
	dev.launch(t, copyKernel(t, 64), arg(t, &buffer{bytes: 1 << 20}, 3, 7), arg(t, &buffer{bytes: 1 << 20}, 3, 7))
	if dev.compiled != 2 {
		t.Errorf("another kernel and other facts compiled %d times", dev.compiled)
	}
	before := libraryVersion
	libraryVersion = func() (string, bool) { return "v9.9.9 h1:x", false }
	defer func() { libraryVersion = before }()
	if dev.launch(t, copyKernel(t, 64)); dev.compiled != 3 {
		t.Error("another version of the library finds the kernel")
	}
	if version, _ := before(); version == "" {
		t.Error("the library has no version")
	}
}

// A loader that was started with the program is the executable, and the same one for all programs: kernels of an older one must not be found.
func TestLoadersHaveNoVersion(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if version, _ := executableVersion(program); version == "" {
		t.Errorf("%s has no version", program)
	}
	loader := filepath.Join(t.TempDir(), "ld.so")
	if err := os.WriteFile(loader, []byte("\x7fELF, not of Go"), 0o777); err != nil {
		t.Fatal(err)
	}
	if version, temporary := executableVersion(loader); version != "" || !temporary {
		t.Errorf("%s has version %q", loader, version)
	}
}

// The files hold all that Source has but its text, and nothing of Artifact that launches need is left out.
func TestStoredIsComplete(t *testing.T) {
	useCache(t)
	var src backend.Source
	fill(t, reflect.ValueOf(&src).Elem())
	d := newDisk(newLoader().caps)
	words, maps := []int{3, 1, 4}, []mapped{{View: 1, Dims: []int{2, 0}}}
	d.save("key", "kernel", &Artifact{Source: src, words: words, maps: maps}, []byte("image"))
	if _, _, ok := d.load("key", "another"); ok {
		t.Error("the entry is taken for another kernel")
	}
	a, image, ok := d.load("key", "kernel")
	src.Text, src.IR = "", nil
	if !ok || string(image) != "image" || !reflect.DeepEqual(a.Source, src) || !slices.Equal(a.words, words) || !reflect.DeepEqual(a.maps, maps) {
		t.Errorf("%v, %q: %+v\nwant %+v", ok, image, a, src)
	}
	var fields []string
	for f := range reflect.TypeFor[Artifact]().Fields() {
		fields = append(fields, f.Name)
	}
	if want := []string{"Source", "TileIR", "Notes", "simt", "words", "maps"}; !slices.Equal(fields, want) {
		t.Errorf("Artifact has the fields %v, package compile stores Source, words and maps of %v: is that enough?", fields, want)
	}
}

// A file that was copied over another kernel's is not taken for that kernel.
func TestFilesOfOtherKernelsAreNotTaken(t *testing.T) {
	useCache(t)
	newLoader().launch(t, copyKernel(t, 64))
	path := entryFile(t)
	other, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	newLoader().launch(t, copyKernelOf(t, 64, 3)) // of the same name
	if err := os.WriteFile(entryFile(t), other, 0o600); err != nil {
		t.Fatal(err)
	}
	dev := newLoader()
	if dev.launch(t, copyKernelOf(t, 64, 3)); dev.compiled != 1 {
		t.Errorf("compiled %d times beside a file of another kernel", dev.compiled)
	}
	dev = newLoader()
	if dev.launch(t, copyKernelOf(t, 64, 3)); dev.compiled != 0 {
		t.Errorf("compiled %d times, the file was to be replaced", dev.compiled)
	}
}

// fill sets all fields of a struct, and those of structs in it, to something.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(1))
	case reflect.Array:
		fill(t, v.Index(v.Len()-1))
	case reflect.String:
		v.SetString("some")
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(7)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
	default:
		t.Errorf("a Source holds %v, which this test cannot fill", v.Type())
	}
}

// entryFile is the one file of the cache.
func entryFile(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv(cachedir.Env), cachedir.Programs.Name, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	return files[0]
}

// Damage anywhere in a file, or a file with a right checksum around anything else, costs a
// compilation, which repairs it.
func TestDamagedFilesAreCompiledAnew(t *testing.T) {
	useCache(t)
	dev := newLoader()
	k := copyKernel(t, 64)
	dev.launch(t, k)
	path := entryFile(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string]func(){"junk": func() {
		store := cachedir.Programs.Open()
		for _, junk := range []string{"", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x05{}", "\x02[]image", "\x7f"} {
			if err := store.Put(filepath.Base(path), []byte(junk)); err != nil {
				t.Fatal(err)
			}
			before := dev.compiled
			if dev.launch(t, k); dev.compiled != before+1 {
				t.Errorf("%q: compiled %d times", junk, dev.compiled-before)
			}
		}
		os.Remove(path)
	}}
	write := func(b []byte) func() {
		return func() {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/50 {
		b := slices.Clone(whole)
		b[i] ^= 0x20
		damaged[fmt.Sprint("byte ", i)] = write(b)
		damaged[fmt.Sprint("length ", i)] = write(whole[:i])
	}
	for what, damage := range damaged {
		damage()
		before := dev.compiled
		dev.launch(t, k)
		dev.launch(t, k)
		if dev.compiled != before+1 {
			t.Errorf("%s: compiled %d times", what, dev.compiled-before)
		}
		if got := dev.loads[len(dev.loads)-1].image; got != dev.loads[0].image {
			t.Fatalf("%s: loaded another binary", what)
		}
	}
}

func TestBinariesThatTheDeviceRefusesAreCompiledAnew(t *testing.T) {
	useCache(t)
	dev := newLoader()
	k := copyKernel(t, 64)
	dev.launch(t, k)
	dev.refuse = fault.New(fault.ErrKernel, "load", "no kernel image")
	dev.launch(t, k)
	if dev.compiled != 2 {
		t.Errorf("compiled %d times", dev.compiled)
	}
	dev.caps.Compiler = "fake 3"
	dev.refuse = fault.New(fault.ErrKernel, "load", "no kernel image")
	err := New(dev).Launch(k, []Arg{arg(t, &buffer{bytes: 1 << 20}, 16, 256), arg(t, &buffer{bytes: 1 << 20}, 16, 256)}, nil)
	if !errors.Is(err, fault.ErrKernel) {
		t.Errorf("a fresh binary that is refused: %v", err)
	}
	if dev.launch(t, k); dev.compiled != 4 {
		t.Errorf("what the device refuses was kept: compiled %d times", dev.compiled)
	}
}

func TestWithoutAFolderAllWorks(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	logging.Set(slog.New(slog.NewTextHandler(&text, nil)))
	defer logging.Set(nil)
	for _, root := range []string{filepath.Join(blocked, "below"), "off"} {
		t.Setenv(cachedir.Env, root)
		dev := newLoader()
		c := New(dev)
		for _, block := range []int{16, 32, 64} {
			x, y := arg(t, &buffer{bytes: 1 << 20}, 16, 256), arg(t, &buffer{bytes: 1 << 20}, 16, 256)
			if err := c.Launch(copyKernel(t, block), []Arg{x, y}, nil); err != nil {
				t.Error(err)
			}
		}
		if dev.compiled != 3 {
			t.Errorf("compiled %d times", dev.compiled)
		}
	}
	if n := strings.Count(text.String(), "\n"); n != 1 || !strings.Contains(text.String(), blocked) {
		t.Errorf("logged, in %d lines:\n%s", n, &text)
	}
}

func TestStagesAreDumpedInSpiteOfTheCache(t *testing.T) {
	useCache(t)
	dev := newLoader()
	k := copyKernel(t, 64)
	dev.launch(t, k)
	dir := t.TempDir()
	t.Setenv(pass.DumpEnv, dir)
	dev.launch(t, k)
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 || dev.compiled != 2 {
		t.Errorf("%d dumps, %v, compiled %d times", len(list), err, dev.compiled)
	}
}

// childEnv makes a process of this test's binary one that launches and ends.
const childEnv = "COMPILE_CHILD"

// A process finds what another compiled, and many at once disturb each other in nothing.
func TestProcessesShareTheDisk(t *testing.T) {
	useCache(t)
	if got := runChild(t); got != "compiled 8\n" {
		t.Fatalf("the first process: %q", got)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := runChild(t); got != "compiled 0\n" {
				t.Errorf("a later process: %q", got)
			}
		})
	}
	wg.Wait()
	t.Setenv(cachedir.Env, t.TempDir())
	for range 4 { // now all of them write
		wg.Go(func() {
			if got := runChild(t); !strings.HasPrefix(got, "compiled ") {
				t.Errorf("%q", got)
			}
		})
	}
	wg.Wait()
	if got := runChild(t); got != "compiled 0\n" {
		t.Errorf("the last process: %q", got)
	}
}

func runChild(t *testing.T) string {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildProcess$")
	cmd.Env = append(os.Environ(), childEnv+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	text, _, _ := strings.Cut(string(out), "PASS")
	return text
}

func TestChildProcess(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		t.Skip("runs as a process of TestProcessesShareTheDisk")
	}
	dev := newLoader()
	for rows := range 8 {
		x, y := arg(t, &buffer{bytes: 1 << 20}, 1<<rows, 256), arg(t, &buffer{bytes: 1 << 20}, 1<<rows, 256)
		k, err := tile.Build(fmt.Sprint("copy", rows), func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
			k.Grid(y.Dim(0))
			y.Block(1, 256).Store(x.Block(1, 256).Load(k.ProgramID(0), 0), k.ProgramID(0), 0)
		})
		if err != nil {
			t.Fatal(err)
		}
		dev.launch(t, k, x, y)
	}
	fmt.Printf("compiled %d\n", dev.compiled)
}
