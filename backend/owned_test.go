package backend

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// owner, part and kernel are a backend's types of device, buffer and program.
type owner struct{ name string }

type part struct {
	Buffer
	of     *owner
	closed bool
}

func (p *part) Owner() *owner  { return p.of }
func (p *part) IsClosed() bool { return p.closed }
func (p *part) Bytes() int64   { return 16 }

type kernel struct {
	part
	src Source
}

func (k *kernel) LaunchSource() *Source { return &k.src }

func TestOwnLaunch(t *testing.T) {
	mine, other := &owner{"mine"}, &owner{"other"}
	src := Source{Entry: "k", Bindings: []Binding{{"a", Read}, {"b", Write}}}
	info := Info{Backend: "toy"}
	for _, c := range []struct {
		name string
		prog Program
		a, b Buffer
		kind error // nil if all is well
		says string
	}{
		{"good", &kernel{part{of: mine}, src}, &part{of: mine}, &part{of: mine}, nil, ""},
		{"no program", nil, &part{of: mine}, &part{of: mine}, fault.ErrArgument, "launch: p: the program is nil"},
		{"a nil program", (*kernel)(nil), &part{of: mine}, &part{of: mine}, fault.ErrDevice, "p: the program belongs to another device than toy:0"},
		{"another's program", &kernel{part{of: other}, src}, &part{of: mine}, &part{of: mine}, fault.ErrDevice, "p: the program belongs"},
		{"another's buffer", &kernel{part{of: mine}, src}, &part{of: mine}, &part{of: other}, fault.ErrDevice, "launch k: b: the buffer belongs"},
		{"another backend's buffer", &kernel{part{of: mine}, src}, &memory{bytes: 1}, &part{of: mine}, fault.ErrDevice, "launch k: a: the buffer belongs"},
		{"a closed program", &kernel{part{of: mine, closed: true}, src}, &part{of: mine}, &part{of: mine}, fault.ErrClosed, "launch k: the program is closed"},
		{"a closed buffer", &kernel{part{of: mine}, src}, &part{of: mine}, &part{of: mine, closed: true}, fault.ErrClosed, "launch k: b: the buffer is closed"},
	} {
		p, buffers, empty, err := OwnLaunch[*kernel](mine, info, &target.Caps{}, c.prog, Launch{Grid: [3]int{1, 1, 1}, Buffers: []Buffer{c.a, c.b}}, []*part(nil))
		if err == nil {
			err = OpenLaunch(p, buffers)
		}
		if empty || !errors.Is(err, c.kind) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one of %v that says %q", c.name, err, c.kind, c.says)
		}
		if err == nil && (p != c.prog || len(buffers) != 2 || buffers[0] != c.a || buffers[1] != c.b) {
			t.Errorf("%s: %v, %v", c.name, p, buffers)
		}
	}
}

// Shut waits for calls without the lock, one after another, and lets no other in.
func TestGuard(t *testing.T) {
	var g Guard
	if err := g.Enter("op"); err != nil {
		t.Fatal(err)
	}
	begun, shut := make(chan bool), make(chan bool)
	steps := 0
	var all sync.WaitGroup
	all.Go(func() {
		<-begun
		shut <- g.Shut()
		if steps != 2 {
			t.Errorf("closed after %d steps, want 2", steps)
		}
		g.Unlock()
	})
	all.Go(func() {
		g.Unlocked(func() { close(begun); time.Sleep(20 * time.Millisecond); steps++ })
		g.Unlocked(func() { time.Sleep(20 * time.Millisecond); steps++ }) // begins when the device is about to close
		if !g.IsClosed() {
			t.Error("the device does not close")
		}
		g.Unlock()
	})
	if !<-shut || g.Shut() {
		t.Error("a device is not closed once")
	}
	all.Wait()
	if err := g.Enter("op"); !errors.Is(err, fault.ErrClosed) || err.Error() != "weft: op: the device is closed" {
		t.Errorf("after the end: %v", err)
	}
}
