package cachedir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// logs collects what is logged until the test ends.
func logs(t *testing.T) *bytes.Buffer {
	var text bytes.Buffer
	logging.Set(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { logging.Set(nil) })
	return &text
}

var things = Kind{Name: "things"}

func open(t *testing.T, k Kind) *Store {
	t.Setenv(Env, t.TempDir())
	k.Name = things.Name
	return k.Open()
}

func put(t *testing.T, s *Store, key string, data []byte) {
	t.Helper()
	if err := s.Put(key, data); err != nil {
		t.Fatal(err)
	}
}

func TestRoot(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	t.Setenv(Env, "")
	if dir, err := Root(); err != nil || filepath.Base(dir) != "weft" || !filepath.IsAbs(dir) {
		t.Errorf("by default: %q, %v", dir, err)
	}
	t.Setenv(Env, "some/where")
	if dir, err := Root(); err != nil || !filepath.IsAbs(dir) || !strings.HasSuffix(filepath.ToSlash(dir), "/some/where") {
		t.Errorf("named: %q, %v", dir, err)
	}
	t.Setenv(Env, "off")
	if dir, err := Root(); !errors.Is(err, fault.ErrUnsupported) || dir != "" {
		t.Errorf("off: %q, %v", dir, err)
	}
	s := things.Open()
	if err := s.Put("a", []byte("x")); err != nil {
		t.Errorf("put into none: %v", err)
	}
	if _, ok := s.Get("a"); ok || s.Dir() != "" {
		t.Errorf("there is a cache in %q although it is off", s.Dir())
	}
	if entries, err := s.Entries(); len(entries) != 0 || err != nil {
		t.Errorf("entries of none: %v, %v", entries, err)
	}
}

func TestEntriesSurviveAndAreListed(t *testing.T) {
	s := open(t, Kind{Budget: 1 << 20, Durable: true})
	want := map[string][]byte{"empty": {}, "text": []byte("line\nline"), Key("a", "b"): bytes.Repeat([]byte{0, 255}, 5000)}
	for k, v := range want {
		put(t, s, k, v)
	}
	again := things.Open()
	for k, v := range want {
		if got, ok := again.Get(k); !ok || !bytes.Equal(got, v) {
			t.Errorf("%s: %d bytes, %v", k, len(got), ok)
		}
	}
	entries, err := again.Entries()
	if err != nil || len(entries) != len(want) {
		t.Fatalf("entries %v, %v", entries, err)
	}
	var sum int64
	for _, e := range entries {
		sum += e.Bytes
		if want := int64(headerBytes + len(want[e.Key])); e.Bytes != want {
			t.Errorf("%s takes %d bytes, want %d", e.Key, e.Bytes, want)
		}
	}
	if err := again.Delete("text"); err != nil {
		t.Error(err)
	}
	if err := again.Delete("text"); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if n, err := again.Clear(); err != nil || n != sum-int64(headerBytes+9) {
		t.Errorf("cleared %d bytes, %v", n, err)
	}
	for k := range want {
		if _, ok := s.Get(k); ok {
			t.Errorf("%s is still there", k)
		}
	}
}

func TestKeysDependOnTheirParts(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"b", "a"}} {
		k := Key(parts...)
		if seen[k] || !validName(k) {
			t.Errorf("%q: key %s is taken or not valid", parts, k)
		}
		seen[k] = true
	}
}

func TestNamesStayWithinTheFolder(t *testing.T) {
	s := open(t, Kind{})
	for _, key := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".tmp-1", "a b", "ü", strings.Repeat("x", 300)} {
		if err := s.Put(key, []byte("x")); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("put %q: %v", key, err)
		}
		if _, ok := s.Get(key); ok {
			t.Errorf("got %q", key)
		}
	}
	if err := (Kind{Name: "../things"}).Open().Put("a", nil); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("a kind outside the root: %v", err)
	}
}

// Whatever byte is changed, wherever a file is cut off and whatever hangs after it: a miss,
// and the next entry takes its place.
func TestDamageIsAMiss(t *testing.T) {
	s := open(t, Kind{})
	data := make([]byte, 300)
	for i := range data {
		data[i] = byte(i * 7)
	}
	put(t, s, "a", data)
	path := filepath.Join(s.Dir(), "a")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{"longer": append(slices.Clone(whole), 0), "twice": append(slices.Clone(whole), whole...)}
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 1 << (i % 8)
		damaged[fmt.Sprint("byte ", i)] = b
		damaged[fmt.Sprint("first ", i)] = whole[:i]
	}
	for what, b := range damaged {
		text := logs(t)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Get("a"); ok {
			t.Fatalf("%s: got %d bytes", what, len(got))
		}
		if !strings.Contains(text.String(), "damaged") {
			t.Errorf("%s: the log says %q", what, text)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is still there: %v", what, err)
		}
		put(t, s, "a", data)
		if got, ok := s.Get("a"); !ok || !bytes.Equal(got, data) {
			t.Fatalf("%s: not written again", what)
		}
	}
}

func TestTheLeastRecentlyUsedGoFirst(t *testing.T) {
	s := open(t, Kind{Budget: 10 * 1000})
	data := make([]byte, 1000-headerBytes)
	old := time.Now().Add(-100 * time.Hour)
	for i := range 10 {
		key := fmt.Sprint("k", i)
		put(t, s, key, data)
		at := old.Add(time.Duration(i) * time.Hour)
		if err := os.Chtimes(filepath.Join(s.Dir(), key), at, at); err != nil {
			t.Fatal(err)
		}
	}
	s.Get("k0") // the oldest is used
	put(t, s, "k10", data)
	entries, err := s.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, e := range entries {
		keys = append(keys, e.Key)
	}
	slices.Sort(keys)
	if want := []string{"k0", "k10", "k5", "k6", "k7", "k8", "k9"}; !slices.Equal(keys, want) {
		t.Errorf("%v are left, want %v", keys, want)
	}
	if err := s.Put("huge", make([]byte, 10_000)); !errors.Is(err, fault.ErrLimit) {
		t.Errorf("an entry beyond the budget: %v", err)
	}
	put(t, s, "large", make([]byte, 9000))
	if _, ok := s.Get("large"); !ok {
		t.Error("the newest was deleted")
	}
	// What other stores put is found by counting again.
	other := things.Open()
	for i := range 30 {
		put(t, other, fmt.Sprint("other", i), data)
	}
	for i := range recount + 1 {
		put(t, s, "same", fmt.Append(nil, i))
	}
	if entries, _ = s.Entries(); len(entries) > 11 {
		t.Errorf("%d entries of 1000 bytes are left within 10,000", len(entries))
	}
}

func TestUnfinishedFilesOfOthersAreSweptUp(t *testing.T) {
	s := open(t, Kind{Budget: 1 << 20})
	put(t, s, "a", nil)
	fresh, old := filepath.Join(s.Dir(), temporary+"1"), filepath.Join(s.Dir(), temporary+"2")
	for _, path := range []string{fresh, old} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now().Add(-2 * stale)
	if err := os.Chtimes(old, at, at); err != nil {
		t.Fatal(err)
	}
	if entries, err := s.Entries(); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("the file of a process at work is gone")
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the file of a process that ended is still there")
	}
}

// fullDisk fails with ENOSPC at one of the steps of writing.
type fullDisk struct {
	*os.File
	step string
}

func (f fullDisk) Write(b []byte) (int, error) {
	if f.step != "write" {
		return f.File.Write(b)
	}
	n, _ := f.File.Write(b[:len(b)/2])
	return n, syscall.ENOSPC
}

func (f fullDisk) Sync() error {
	if f.step == "sync" {
		return syscall.ENOSPC
	}
	return f.File.Sync()
}

func (f fullDisk) Close() error {
	err := f.File.Close()
	if f.step == "close" {
		err = syscall.ENOSPC
	}
	return err
}

func TestFullDiskKeepsWhatWasThere(t *testing.T) {
	for _, step := range []string{"write", "sync", "close"} {
		s, text := open(t, Kind{Durable: true}), logs(t)
		put(t, s, "a", []byte("before"))
		makeReal := create
		create = func(dir string) (file, error) {
			f, err := os.CreateTemp(dir, temporary)
			return fullDisk{f, step}, err
		}
		for range 3 {
			if err := s.Put("a", []byte("after")); !errors.Is(err, syscall.ENOSPC) || !errors.Is(err, fault.ErrUnsupported) {
				t.Errorf("%s: %v", step, err)
			}
		}
		create = makeReal
		if got, ok := s.Get("a"); !ok || string(got) != "before" {
			t.Errorf("%s: the entry is %q, %v", step, got, ok)
		}
		if list, _ := os.ReadDir(s.Dir()); len(list) != 1 {
			t.Errorf("%s: files are left behind: %v", step, list)
		}
		if n := strings.Count(text.String(), "no space left"); n != 1 {
			t.Errorf("%s: logged %d times:\n%s", step, n, text)
		}
	}
}

func TestFoldersThatCannotBe(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{blocked, filepath.Join(blocked, "below")} {
		t.Setenv(Env, root)
		text := logs(t)
		s := Kind{Name: "things", Budget: 100}.Open()
		for range 3 {
			if err := s.Put("a", nil); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), root) {
				t.Errorf("%v", err)
			}
			if _, ok := s.Get("a"); ok {
				t.Error("got an entry")
			}
		}
		if n := strings.Count(text.String(), "level=WARN"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, text)
		}
	}
}

// Processes and goroutines that write, read and delete the same entries see whole ones only.
func TestConcurrentProcesses(t *testing.T) {
	s := open(t, Kind{Budget: 40 << 10})
	var children []*exec.Cmd
	for i := range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
		cmd.Env = append(os.Environ(), "CACHEDIR_CHILD="+strconv.Itoa(i))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	entries, err := s.Entries()
	if err != nil || len(entries) == 0 {
		t.Fatalf("%v, %v", entries, err)
	}
	text := logs(t)
	for _, e := range entries {
		s.Get(e.Key)
	}
	if text.Len() > 0 {
		t.Errorf("%s", text)
	}
}

func TestChild(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("CACHEDIR_CHILD"), 10, 64)
	if err != nil {
		t.Skip("runs as a process of TestConcurrentProcesses")
	}
	text := logs(t)
	s := Kind{Name: "things", Budget: 40 << 10}.Open()
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, g))
			for range 200 {
				key := fmt.Sprint("k", r.IntN(20))
				switch r.IntN(10) {
				case 0:
					if err := s.Delete(key); err != nil {
						t.Error(err)
					}
				case 1, 2, 3, 4:
					if err := s.Put(key, bytes.Repeat([]byte(key), 1+r.IntN(2000))); err != nil {
						t.Error(err)
					}
				default:
					got, ok := s.Get(key)
					if ok && !bytes.Equal(got, bytes.Repeat([]byte(key), len(got)/len(key))) {
						t.Errorf("%s holds another's bytes", key)
					}
				}
			}
		})
	}
	wg.Wait()
	if strings.Contains(text.String(), "level=WARN") {
		t.Errorf("%s", text)
	}
}
