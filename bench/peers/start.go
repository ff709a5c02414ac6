package peers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/fault"
)

// Peer is a contender that is no device.
type Peer interface {
	measure.Contender
	Close() error
}

// Side is where peers work: on GPUs or on the host's devices, on works of their size.
type Side struct {
	GPU  bool
	Size suite.Size
}

// peer is how one is started.
type peer struct {
	name      string
	auto      bool // takes part unasked
	gpu, host bool // where it can work
	start     func(context.Context, Side, measure.Options) (Peer, error)
}

var known = []peer{
	{"gonum", true, false, true, func(_ context.Context, s Side, o measure.Options) (Peer, error) { return NewGonum(s.Size, o), nil }},
	{"pytorch", true, true, true, script("pytorch")},
	{"torch-compile", false, true, true, script("torch_compile")},
	{"triton", true, true, false, script("triton_peer")},
}

func script(name string) func(context.Context, Side, measure.Options) (Peer, error) {
	return func(ctx context.Context, s Side, o measure.Options) (Peer, error) {
		return StartPython(ctx, name, s, o)
	}
}

// Names lists the peers there are.
func Names() []string {
	list := make([]string, len(known))
	for i, p := range known {
		list[i] = p.name
	}
	return list
}

// Start starts peers by name on each side where they can work. "auto" stands for those that need no asking, of which the
// absent ones are left out and told to warn; "none" stands for none.
//
// Errors: ErrUnsupported for a name that is none; ErrAbsent, wrapped, for a named peer that is absent everywhere.
func Start(ctx context.Context, names []string, sides []Side, o measure.Options, warn func(error)) (list []Peer, err error) {
	defer func() {
		if err != nil {
			for _, p := range list {
				p.Close()
			}
			list = nil
		}
	}()
	for _, name := range names {
		if !slices.Contains(Names(), name) && name != "auto" && name != "none" {
			return list, fault.New(weft.ErrArgument, "bench", "%q, want auto, none, %s", name, strings.Join(Names(), ", ")).For("peers")
		}
	}
	for _, k := range known {
		named := slices.Contains(names, k.name)
		if !named && !(k.auto && slices.Contains(names, "auto")) {
			continue
		}
		started, errs := 0, []error(nil)
		for _, s := range sides {
			if s.GPU && !k.gpu || !s.GPU && !k.host {
				continue
			}
			p, err := k.start(ctx, s, o)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			list = append(list, p)
			started++
		}
		switch err := errors.Join(errs...); {
		case named && started == 0:
			if err == nil {
				err = fmt.Errorf("%s: %w: it cannot run together with these devices", k.name, ErrAbsent)
			}
			return list, err
		case err != nil:
			warn(err)
		}
	}
	return list, ctx.Err()
}
