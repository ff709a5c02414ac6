package mesh

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/layout"
)

// A sum of few elements takes a library longer to start than the links take for it. Devices of one process that reach each other's memory have a kernel for it, which
// takes the host one launch for each of them.

// smallSums is what a group needs for sumRanks.
type smallSums struct {
	tried    bool
	why      error // there are none
	anywhere bool  // of tests: also on devices whose kernels may wait for each other's threads
	most     int64 // bytes of x
	slices   int
	half     int64             // bytes of a half of a stage
	rooms    [3][]*weft.Tensor // of each member: stage, words, rounds
	any      []*weft.Tensor    // words with which every wait is content
	views    *sumViews
	free     atomic.Pointer[func()] // ends all waits
}

// sumViews are rooms as members reach them, by member and step. A capture has views of its own: what it records is on memory that no other call uses.
type sumViews struct{ stage, words, rounds [][]*weft.Tensor }

const (
	mostSmall  = 8 << 20 // bytes
	roomShare  = 4096    // of a device's memory, one part of which a sum has at most, and its stage four
	mostSlices = 32
	tileBytes  = 8 << 10 // of a tile at the most: 32 for each of 256 threads
	leastTile  = 1 << 10 // elements
	// worthViews is the least number of bytes for which the host makes views of the others' results: to copy these takes longer from there on.
	worthViews = 4 << 20
)

// ready sets up what there is to set up, once; the group's lock is held.
func (s *smallSums) ready(g *Group) bool {
	if !s.tried {
		s.tried = true
		if s.why = s.setUp(g); s.why != nil {
			logging.Logger().Debug("small sums go by the library", "op", "mesh", "error", s.why)
		}
	}
	return s.why == nil
}

func (s *smallSums) setUp(g *Group) (err error) {
	const op = "mesh: small sums"
	if g.store != nil || g.host || g.world == 1 || len(g.devices) != g.world {
		return fault.New(fault.ErrUnsupported, op, "the ranks belong to several processes, or there is only one")
	}
	units := mostSlices * (g.world - 1)
	for _, d := range g.devices {
		if m := d.Caps().Machine; m != nil {
			units = min(units, m.Units) // all programs run at the same time
		}
		if c := d.Caps(); !c.SystemOrder || !s.anywhere && (d.Info().Kind != backend.GPU || c.Machine == nil || c.Machine.Link == 0) {
			return fault.New(fault.ErrUnsupported, op, "the device %v has no link to others of its kind", d)
		}
	}
	if !g.signals.ready(g) {
		return g.signals.why
	}
	var devices []backend.Device
	for _, d := range g.devices {
		devices = append(devices, d.Backend())
	}
	for i, m := range g.signals.members {
		if !m.peers.Atomics(devices) {
			return fault.New(fault.ErrUnsupported, op, "the device %v has no atomic ops in the memory of others", g.devices[i])
		}
	}
	s.most = mostSmall
	for _, d := range g.devices {
		if bytes := d.Info().Memory; bytes > 0 {
			s.most = min(s.most, bytes/roomShare)
		}
	}
	s.slices = max(1, units/(g.world-1))
	const sends = 2 // of parts, and of sums
	s.half = sends * (s.most + int64(g.world)*tileBytes)
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	for _, d := range g.devices {
		for room, shape := range [][]int{{int(2 * s.half / int64(weft.F32.Size()))}, {sends, s.slices, g.world}, {3, s.slices * (g.world - 1)}} {
			t, err := weft.Zeros(d, []weft.DType{weft.F32, weft.I32, weft.I32}[room], shape...)
			if err != nil {
				return err
			}
			s.rooms[room] = append(s.rooms[room], t)
		}
		const content = 1 << 30
		any, err := weft.Full(d, weft.I32, content, sends, s.slices, g.world)
		if err != nil {
			return err
		}
		s.any = append(s.any, any)
		if err := d.Synchronize(); err != nil {
			return err
		}
	}
	if s.views, err = s.newViews(g); err != nil {
		return err
	}
	return s.prepareAbort(g)
}

// prepareAbort makes the function that ends all waits: by the queues next to the streams, which wait.
func (s *smallSums) prepareAbort(g *Group) error {
	words := s.rooms[1]
	return weft.WithSpans("mesh: small sums", slices.Concat(words, s.any), func(spans []weft.BufferSpan) error {
		n := len(words)
		free := func() {
			for i, m := range g.signals.members {
				_ = m.side.Copy(spans[i].Buffer, spans[i].Offset, spans[n+i].Buffer, spans[n+i].Offset, bytesOf(words[i]))
			}
		}
		s.free.Store(&free)
		return nil
	})
}

// abort ends all waits.
func (s *smallSums) abort() {
	if free := s.free.Load(); free != nil {
		(*free)()
	}
}

func (s *smallSums) newViews(g *Group) (*sumViews, error) {
	v := &sumViews{}
	for i, d := range g.devices {
		for room, to := range []*[][]*weft.Tensor{&v.stage, &v.words, &v.rounds} {
			var list []*weft.Tensor
			for step := range g.world {
				if room == 2 && step > 0 {
					break
				}
				t, err := s.rooms[room][(i+step)%g.world].On(d)
				if err != nil {
					v.close()
					closeAll(list)
					return nil, err
				}
				list = append(list, t)
			}
			*to = append(*to, list)
		}
	}
	return v, nil
}

func (v *sumViews) close() {
	if v == nil {
		return
	}
	for _, list := range slices.Concat(v.stage, v.words, v.rounds) {
		closeAll(list)
	}
}

func (s *smallSums) close() {
	s.free.Store(nil)
	s.views.close()
	s.views = nil
	for i := range s.rooms {
		closeAll(s.rooms[i])
		s.rooms[i] = nil
	}
	closeAll(s.any)
	s.any = nil
}

// takes reports whether a call is a small sum.
func (s *smallSums) takes(g *Group, c *call) bool {
	float := c.elem == dtype.F32 || c.elem == dtype.F16 || c.elem == dtype.BF16
	return c.kind == allReduce && c.reduce == Sum && float && c.bytes() <= mostSmall && s.ready(g) && c.bytes() <= s.most
}

// config is that of a call: whole where one more phase would take longer than what it spares the link.
func (s *smallSums) config(g *Group, c *call) sumConfig {
	m := g.devices[0].Caps().Facts()
	world := float64(g.world)
	spared := (world - 1) * (1 - 2/world) * float64(c.bytes()) / m.LinkBytes()
	cfg := sumConfig{Elem: c.elem, World: g.world, Slices: s.slices, Whole: spared < signalled*m.Launch}
	for i := range c.dst {
		if c.dst[i].Overlaps(c.src[i]) {
			cfg.Whole = false
		}
	}
	if cfg.Whole && int64(g.world)*(c.bytes()+tileBytes) > s.half {
		cfg.Whole = false
	}
	cfg.Direct = !cfg.Whole && (c.recorders != nil || c.bytes() >= worthViews)
	part := c.count
	if !cfg.Whole {
		part = (part + g.world - 1) / g.world
	}
	cfg.Block = leastTile
	for cfg.Block*2*c.elem.Size() <= tileBytes && cfg.Block*s.slices < part {
		cfg.Block *= 2
	}
	return cfg
}

// start launches a small sum on every member, or records it; the group's lock is held. A member that fails leaves others that wait for it: the group ends.
func (s *smallSums) start(g *Group, c *call) error {
	cfg := s.config(g, c)
	if c.recorders != nil {
		views, err := g.capture.sumsOf(g)
		if err != nil {
			return err
		}
		for i, r := range c.recorders {
			if err := s.launch(g, cfg, views, i, c.dst, r.Use(c.dst[i]), r.Use(c.src[i])); err != nil {
				return err
			}
		}
		return nil
	}
	return g.crew.each(g.world, func(i int) error {
		err := s.launch(g, cfg, s.views, i, c.dst, c.dst[i], c.src[i])
		var f *fault.Error
		if errors.As(err, &f) {
			first := *f
			g.failSoon(&first)
		}
		return err
	})
}

// launch launches a member's kernel. outs are all members' results.
func (s *smallSums) launch(g *Group, cfg sumConfig, v *sumViews, i int, outs []*weft.Tensor, out, x *weft.Tensor) error {
	half, err := layout.Contiguous(2, int(s.half)/cfg.Elem.Size())
	if err != nil {
		return err
	}
	var views []weft.TensorView
	flat := func(t *weft.Tensor) error {
		l, err := layout.Strided([]int{t.Len()}, []int{1}, t.Layout().Offset())
		views = append(views, weft.TensorView{Tensor: t, Layout: l})
		return err
	}
	if err := errors.Join(flat(x), flat(out)); err != nil {
		return err
	}
	for step := range g.world {
		words := v.words[i][step]
		views = append(views, weft.TensorView{Tensor: v.stage[i][step], Layout: half, Elem: cfg.Elem}, weft.TensorView{Tensor: words, Layout: words.Layout()})
	}
	rounds := v.rounds[i][0]
	views = append(views, weft.TensorView{Tensor: rounds, Layout: rounds.Layout()})
	for step := 1; cfg.Direct && step < g.world; step++ {
		there, err := outs[(i+step)%g.world].On(g.devices[i])
		if err != nil {
			return err
		}
		defer there.Close()
		if err := flat(there); err != nil {
			return err
		}
	}
	return sumRanks.LaunchViews(cfg, weft.Scalars{i}, views...)
}

// sumsOf are a group's views for the capture.
func (c *capture) sumsOf(g *Group) (*sumViews, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.sums[g]; v != nil {
		return v, nil
	}
	v, err := g.sums.newViews(g)
	if err != nil {
		return nil, err
	}
	if c.sums == nil {
		c.sums = map[*Group]*sumViews{}
	}
	c.sums[g] = v
	return v, nil
}
