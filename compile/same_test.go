package compile

import (
	"testing"

	"github.com/weftgpu/weft/internal/cachedir"
)

// Kernels whose facts differ and whose sources do not are one program, which is closed once.
func TestEqualSourcesAreCompiledOnce(t *testing.T) {
	t.Setenv(cachedir.Env, "off")
	dev := newRecorder()
	c := New(dev)
	x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
	k := copyKernel(t, 64)
	for rows := range 40 {
		if err := c.Launch(k, []Arg{arg(t, x, rows+1, 64), arg(t, y, rows+1, 64)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	texts := map[string]bool{}
	for _, s := range dev.sources {
		texts[s.Text] = true
	}
	if dev.compiled != len(texts) || dev.compiled >= c.entries.Len() {
		t.Errorf("%d compilations of %d texts for %d kernels", dev.compiled, len(texts), c.entries.Len())
	}
	if len(dev.launches) != 40 {
		t.Errorf("%d launches", len(dev.launches))
	}
	if err := c.Close(); err != nil || dev.closed != dev.compiled {
		t.Errorf("%v, %d programs of %d are closed", err, dev.closed, dev.compiled)
	}
}

// On disk each of them has a file.
func TestEqualSourcesOnDisk(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
	k := copyKernel(t, 64)
	run := func() (compiled int) {
		dev := newRecorder()
		c := New(dev)
		for rows := range 8 {
			if err := c.Launch(k, []Arg{arg(t, x, rows+1, 64), arg(t, y, rows+1, 64)}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return dev.compiled
	}
	if first, second := run(), run(); first == 0 || second != 0 {
		t.Errorf("%d kernels are compiled at first, then %d", first, second)
	}
}
