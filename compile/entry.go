package compile

import (
	"runtime"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// entry is a kernel compiled for facts, once. The first goroutine that asks for it lowers it, while others wait, and then the device's compiler
// has a goroutine of its own, for which wait waits.
// What launches the program keeps the entry, since a program whose entry is garbage is closed.
type entry struct {
	once     sync.Once
	artifact *Artifact     // nil if lowering failed; read after once.Do
	loaded   chan struct{} // closed when the following are set

	program backend.Program // nil after an error
	cleanup runtime.Cleanup
	err     error
}

func newEntry() *entry { return &entry{loaded: make(chan struct{})} }

// entry finds a kernel for facts, or begins to compile it. Its error is that of lowering.
func (c *Compiler) entry(k *tile.Func, facts Facts) (*entry, error) {
	e := c.entries.GetOrPut(cacheKey{k.Hash(), facts.Key()}, newEntry)
	e.once.Do(func() { e.begin(c, k, facts) })
	if e.artifact == nil {
		return nil, e.wait()
	}
	return e, nil
}

// begin reads the kernel from a file, or lowers it and begins to compile it.
func (e *entry) begin(c *Compiler, k *tile.Func, facts Facts) {
	if c.closed.Load() { // since the entry was made
		e.finish(nil, errClosed(k))
		return
	}
	b := c.newBuild(k, facts)
	program, err := backend.Program(nil), error(fault.New(fault.ErrKernel, k.Name, "lowering did not return")) // of a panic
	defer func() {
		if program != nil || err != nil {
			b.end()
			e.finish(program, err)
		}
	}()
	if e.artifact, program = b.fromDisk(); program != nil {
		err = nil
		return
	}
	if e.artifact, err = b.lower(); err != nil {
		return
	}
	go func() {
		c.compiling <- struct{}{}
		program, err := b.compile(e.artifact)
		<-c.compiling
		b.end()
		e.finish(program, err)
	}()
}

// finish completes the entry.
func (e *entry) finish(p backend.Program, err error) {
	e.program, e.err = p, err
	if err == nil {
		e.cleanup = runtime.AddCleanup(e, func(p backend.Program) { _ = p.Close() }, p)
	}
	close(e.loaded)
}

// isLoaded reports whether wait would return at once.
func (e *entry) isLoaded() bool {
	select {
	case <-e.loaded:
		return true
	default:
		return false
	}
}

// wait waits until the program is loaded, and returns what failed.
func (e *entry) wait() error {
	if !e.isLoaded() {
		<-e.loaded
	}
	return e.err
}

// close closes the program, after a load that is under way.
func (e *entry) close() error {
	e.once.Do(func() { e.finish(nil, fault.New(fault.ErrClosed, "compile", "the device is closed")) })
	if e.wait() != nil {
		return nil
	}
	e.cleanup.Stop()
	return e.program.Close()
}
