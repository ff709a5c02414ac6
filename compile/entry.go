package compile

import (
	"crypto/sha256"
	"encoding/json"
	"runtime"
	"sync"
	"weak"

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
	key      string        // on disk
	same     *entry        // whose program this one's is, since they have one source; nil for a program of its own
	loaded   chan struct{} // closed when the build has ended and the following are set, which for another's program they are not

	program backend.Program // nil after an error
	cleanup runtime.Cleanup
	err     error
	closing sync.Once
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
	e.artifact, program = b.fromDisk()
	e.key = b.key
	if program != nil {
		err = nil
		return
	}
	if e.artifact, err = b.lower(); err != nil {
		return
	}
	if e.same = c.sameSource(e); e.same != nil {
		b.span.Set("from", "a kernel with the same source")
		go func() {
			b.share(e.artifact, e.same)
			b.end()
			close(e.loaded)
		}()
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

// sameSource is an entry that is compiled, or is being compiled, from the source of another one; nil for none. Facts that lowering has no use for make
// kernels with equal sources.
func (c *Compiler) sameSource(e *entry) *entry {
	source := e.artifact.Source
	if source.IR != nil {
		return nil
	}
	text, err := json.Marshal(source)
	if err != nil {
		return nil // a Source holds strings and numbers alone
	}
	key, own := sha256.Sum256(text), weak.Make(e)
	if first := c.sources.GetOrPut(key, func() weak.Pointer[entry] { return own }).Value(); first != e && first != nil {
		return first
	}
	c.sources.Put(key, own)
	return nil
}

// share keeps the program of another kernel on disk for this one, too.
func (b *build) share(a *Artifact, first *entry) {
	if b.key == "" || first.wait() != nil {
		return
	}
	if _, image, ok := b.disk.load(first.key, b.kernel.Name); ok {
		b.disk.save(b.key, b.kernel.Name, a, image)
	}
}

// owner is the entry that has the program.
func (e *entry) owner() *entry {
	if e.same != nil {
		return e.same
	}
	return e
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
	case <-e.owner().loaded:
		return true
	default:
		return false
	}
}

// wait waits until the program is loaded, and returns what failed.
func (e *entry) wait() error {
	if !e.isLoaded() {
		<-e.owner().loaded
	}
	return e.owner().err
}

// close closes the program, after a load that is under way.
func (e *entry) close() (err error) {
	e.once.Do(func() { e.finish(nil, fault.New(fault.ErrClosed, "compile", "the device is closed")) })
	<-e.loaded
	if e.wait() != nil {
		return nil
	}
	owner := e.owner()
	owner.closing.Do(func() {
		owner.cleanup.Stop()
		err = owner.program.Close()
	})
	return err
}
