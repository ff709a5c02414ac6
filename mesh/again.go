package mesh

import (
	"errors"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/recent"
)

// A product that overlaps takes the host a call of the driver for each launch, copy and event of each member. Called again on the same memory it is recorded, and from
// then on replayed, which is one launch for each member. What is recorded does not hold the operands' memory, for the calls do, so that a program frees it as
// before; the memory of its own is shared by all.

// again is what a group has recorded of calls.
type again struct {
	mu     sync.Mutex // held before the group's
	calls  map[callKey][]*repeated
	count  int      // of calls
	shared *capture // what is recorded has its own memory from
	most   int64    // bytes of that at which no more is recorded, 0 for any number
	paid   int      // replays since nothing was recorded
}

const (
	mostRepeated = 256 // calls that are known
	// memoryShare is the part of a device's memory that what is recorded takes of its own, about.
	memoryShare = 64
	// worthReplacing is how many replays a known call had, on average, when all give way to others: a program that goes through more calls than are kept would only record.
	worthReplacing = 16
)

// The products.
const (
	gathers = iota
	scatters
)

// callKey is a part of what says that a call is the same as another: the rest is where all tensors are.
type callKey struct {
	epoch   uint64 // of the choices of configs
	product int
	fuse    *weft.Map
	sizes   sizes
	b, out  weft.DType
	first   weft.BufferSpan
}

// repeated is a call that was seen.
type repeated struct {
	spans    []weft.BufferSpan
	recorded *Recording // nil at first, and if it cannot be recorded
	failed   bool
}

// again replays a call that is not captured, if it was made before, or records and replays it. Otherwise it has done nothing.
func (p *product) again(which int, fuse *weft.Map, record func(*product) error) (done bool, err error) {
	g := p.g
	if p.recorders != nil || p.lanes == nil || !p.recordable() || p.decided().last[1] && which == scatters || p.decided().first[1] && which == gathers {
		return false, nil
	}
	tensors := slices.Concat(p.out, p.a, p.b)
	if slices.ContainsFunc(tensors, func(t *weft.Tensor) bool { return !t.Layout().IsContiguous() }) {
		return false, nil
	}
	key := callKey{epoch: recent.Epoch(), product: which, fuse: fuse, sizes: sizes{p.rows, p.n, p.k, p.a[0].DType()}, b: p.b[0].DType(), out: p.out[0].DType()}
	failed := weft.WithSpans(p.op, tensors, func(spans []weft.BufferSpan) error {
		g.again.mu.Lock()
		defer g.again.mu.Unlock()
		key.first = spans[0]
		g.again.most = int64(len(g.devices)) * g.devices[0].Info().Memory / memoryShare
		r := g.again.find(key, spans)
		if r == nil || r.failed {
			return nil
		}
		if r.recorded == nil {
			if r.recorded, err = p.record(record); err != nil {
				logging.Logger().Debug("a product is not replayed", "op", p.op, "error", err)
				r.failed, err = true, nil
				return nil
			}
		}
		g.again.paid++
		done, err = true, r.recorded.Replay()
		return nil
	})
	return done && failed == nil, err
}

// find is a call that was made before. One that was not is noted.
func (a *again) find(key callKey, spans []weft.BufferSpan) *repeated {
	for _, r := range a.calls[key] {
		if slices.Equal(r.spans, spans) {
			return r
		}
	}
	if a.full() {
		if a.paid < worthReplacing*a.count {
			return nil
		}
		_ = a.forget()
	}
	if a.calls == nil {
		a.calls, a.shared = map[callKey][]*repeated{}, &capture{recorders: map[*weft.Device]*weft.Recorder{}, rooms: map[room][]*weft.Tensor{}}
	}
	a.calls[key] = append(a.calls[key], &repeated{spans: slices.Clone(spans)})
	a.count++
	return nil
}

// full reports whether no more calls are to be noted.
func (a *again) full() bool {
	return a.count >= mostRepeated || a.shared != nil && a.most > 0 && a.shared.bytes > a.most
}

// forget forgets all calls.
func (a *again) forget() error {
	var errs []error
	for _, list := range a.calls {
		for _, r := range list {
			errs = append(errs, r.recorded.Close())
		}
	}
	if a.shared != nil {
		a.shared.end()
	}
	a.calls, a.count, a.shared, a.paid = nil, 0, nil, 0
	return errors.Join(errs...)
}

// record records the call on memory that the recording does not hold.
func (p *product) record(record func(*product) error) (*Recording, error) {
	g := p.g
	q := &product{g: g, op: p.op, rows: p.rows, n: p.n, k: p.k, shared: g.again.shared}
	defer q.close()
	for i, dev := range g.devices {
		list, err := weft.Borrow(dev, p.out[i], p.a[i], p.b[i])
		if err != nil {
			return nil, err
		}
		q.temporary = append(q.temporary, list...)
		q.out, q.a, q.b = append(q.out, list[0]), append(q.a, list[1]), append(q.b, list[2])
	}
	return g.captureAll(func(rec []*weft.Recorder) error {
		q.recorders = rec
		return record(q)
	})
}
