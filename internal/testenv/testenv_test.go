package testenv

import (
	"runtime"
	"strings"
	"testing"
)

// recorder is a test that remembers how it ended.
type recorder struct {
	testing.TB
	log             []string
	skipped, failed bool
}

func (r *recorder) Helper()         {}
func (r *recorder) Log(args ...any) { r.log = append(r.log, args[0].(string)) }
func (r *recorder) Skipf(string, ...any) {
	r.skipped = true
	runtime.Goexit()
}
func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	for _, c := range []struct {
		require string
		fails   bool
	}{{"", false}, {"cpu,nvrtc", false}, {"vulkan2", false}, {"vulkan", true}, {"cpu,vulkan,nvrtc", true}} {
		t.Setenv(RequireEnv, c.require)
		r := &recorder{}
		done := make(chan bool)
		returned := false
		go func() {
			defer close(done)
			Skip(r, "vulkan", "no loader")
			returned = true
		}()
		<-done
		if returned || r.failed != c.fails || r.skipped == c.fails {
			t.Errorf("%s=%q: returned %v, failed %v, skipped %v", RequireEnv, c.require, returned, r.failed, r.skipped)
		}
	}
}

func TestReport(t *testing.T) {
	r := &recorder{}
	Report(r, "device:\n\tx  y")
	if got := strings.Join(r.log, "|"); got != Mark+"device: x y" {
		t.Errorf("got %q", got)
	}
}
