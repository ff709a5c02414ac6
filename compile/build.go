package compile

import (
	"context"
	"log/slog"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/trace"
	"github.com/weftgpu/weft/tile"
)

// build is the way of a kernel to a program.
type build struct {
	*Compiler
	kernel *tile.Func
	facts  Facts
	key    string // on disk
	start  time.Time
	span   *trace.Span
	slow   *slow
}

// newBuild begins to build a kernel, which end ends.
func (c *Compiler) newBuild(k *tile.Func, facts Facts) *build {
	return &build{Compiler: c, kernel: k, facts: facts, start: time.Now(), span: trace.Begin("compile", "compile "+k.Name), slow: c.watchSlow(k)}
}

func (b *build) end() {
	b.slow.stop()
	b.span.End()
}

// fromDisk is a program compiled before, nil for none. A binary that the device refuses counts for nothing.
func (b *build) fromDisk() (*Artifact, backend.Program) {
	b.slow.enter("look on disk")
	look := b.span.Child("look on disk")
	b.key = b.disk.key(b.kernel, b.facts)
	a, image, ok := b.disk.load(b.key, b.kernel.Name)
	look.End()
	if !ok {
		return nil, nil
	}
	b.slow.enter("load")
	p, err := b.load(b.span, a, image)
	b.log(b.kernel, "disk", b.start, len(image), err)
	if err != nil {
		return nil, nil
	}
	b.span.Set("from", "disk")
	return a, p
}

// lower makes source text of the kernel.
func (b *build) lower() (*Artifact, error) {
	b.slow.enter("lower and emit")
	defer b.span.Child("lower and emit").End()
	a, err := Emit(b.kernel, b.facts, b.dev.Caps())
	if _, ok := b.dev.(executor); ok && err == nil {
		a.Source.IR = a.simt
	}
	return a, err
}

// executor is a device that executes thread-level IR itself, for tests.
type executor interface{ ExecutesIR() }

// compile makes a program of the text, and keeps it on disk.
func (b *build) compile(a *Artifact) (backend.Program, error) {
	b.slow.enter("compile source")
	step := b.span.Child("compile source")
	image, err := b.dev.Compile(a.Source)
	step.End()
	if err != nil {
		return nil, err
	}
	b.slow.enter("load")
	p, err := b.load(b.span, a, image)
	if err != nil {
		return nil, err
	}
	b.disk.save(b.key, b.kernel.Name, a, image)
	b.log(b.kernel, "compiler", b.start, len(image), nil)
	return p, nil
}

func (c *Compiler) load(span *trace.Span, a *Artifact, image []byte) (backend.Program, error) {
	step := span.Child("load")
	defer step.End()
	return c.dev.Load(a.Source, image)
}

// log logs what became of a kernel.
func (c *Compiler) log(k *tile.Func, from string, start time.Time, bytes int, err error) {
	logger, ctx := logging.Logger(), context.Background()
	if !logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	info := c.dev.Info()
	attrs := []slog.Attr{
		slog.String("kernel", k.Name), slog.String("backend", info.Backend), slog.Int("device", info.Index),
		slog.String("from", from), slog.Duration("took", time.Since(start)), slog.Int("bytes", bytes),
	}
	if err != nil {
		attrs = append(attrs, slog.Any("error", err))
	}
	logger.LogAttrs(ctx, slog.LevelDebug, logging.KernelLoaded, attrs...)
}
