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

// build makes a kernel launchable: from a file if it was compiled before, else all the way.
// A binary from a file that the device refuses counts for nothing.
func (c *Compiler) build(k *tile.Func, facts Facts) (*Artifact, backend.Program, error) {
	start := time.Now()
	span := trace.Begin("compile", "compile "+k.Name)
	defer span.End()
	slow := c.watchSlow(k)
	defer slow.stop()
	slow.enter("look on disk")
	look := span.Child("look on disk")
	key := c.disk.key(k, facts)
	a, image, ok := c.disk.load(key, k.Name)
	look.End()
	if ok {
		slow.enter("load")
		p, err := c.load(span, a, image)
		if err == nil {
			span.Set("from", "disk")
			c.log(k, "disk", start, len(image), nil)
			return a, p, nil
		}
		c.log(k, "disk", start, len(image), err)
	}
	slow.enter("lower and emit")
	step := span.Child("lower and emit")
	a, err := Emit(k, facts, c.dev.Caps())
	step.End()
	if err != nil {
		return nil, nil, err
	}
	slow.enter("compile source")
	step = span.Child("compile source")
	image, err = c.dev.Compile(a.Source)
	step.End()
	if err != nil {
		return nil, nil, err
	}
	slow.enter("load")
	p, err := c.load(span, a, image)
	if err != nil {
		return nil, nil, err
	}
	c.disk.save(key, k.Name, a, image)
	c.log(k, "compiler", start, len(image), nil)
	return a, p, nil
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
