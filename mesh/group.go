package mesh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// Reduction is how a collective combines the elements of the ranks.
type Reduction = backend.Reduction

// The reductions. Sums and products of integers wrap; of floats they are rounded at most once a rank.
const (
	Sum  = backend.Sum
	Prod = backend.Prod
	Max  = backend.Max
	Min  = backend.Min
)

// DefaultTimeout is how long a group waits for a peer if Timeout does not say otherwise.
const DefaultTimeout = 10 * time.Minute

// Group is a number of ranks, each a device, that compute together. The devices of this process are its members; a group may
// have ranks in other processes. Its methods may be called from many goroutines, and what they start is on
// the members' streams in the order of the calls.
type Group struct {
	config
	devices []*weft.Device // the members
	ranks   []int          // of the members
	world   int
	process []int  // that each rank belongs to; nil if all belong to this one
	store   *store // of a group with other processes, else nil
	key     string // of the group in the store
	engine  engine
	owned   bool // the devices were opened by the group

	mu         sync.Mutex // held while a call is started, so that all members see one order
	calls      uint64
	subs       map[string]*Group
	failure    atomic.Pointer[fault.Error]
	closed     atomic.Bool
	watch      watchdog
	crew       *crew
	lanes      []*lane // of products; nil if there are none
	lanesTried bool
	capture    *capture // shared with the groups of mesh dimensions
	signals    signals
	again      again
	sums       smallSums
	decisions  map[sizes]*decisions // about products
	rowModel   *rowModel            // of tests, else nil
}

// engine runs checked calls on dense tensors.
type engine interface {
	String() string
	start(c *call) error
	// abort ends what runs.
	abort() error
	close() error
}

type config struct {
	timeout time.Duration
	watches bool // Timeout was given
	check   bool
	host    bool

	nilOption bool // one of the options is nil
}

// Option is an option of a new group.
type Option func(*config)

// Timeout bounds how long the group waits for a peer, and makes it watch each collective on the devices: one that
// takes longer ends the group, with an error that names it.
func Timeout(d time.Duration) Option {
	return func(c *config) { c.timeout, c.watches = d, true }
}

// Checked makes the processes of a group compare what they call before any of them starts it: collective, element type and size. It costs
// a round trip between hosts for each call. Within one process calls are always checked.
func Checked() Option { return func(c *config) { c.check = true } }

// ThroughHost makes the group copy through the host's memory instead of using the backend's library.
func ThroughHost() Option { return func(c *config) { c.host = true } }

func configOf(options []Option) (c config) {
	c.timeout = DefaultTimeout
	for _, o := range options {
		if o == nil {
			c.nilOption = true
			continue
		}
		o(&c)
	}
	return c
}

// New makes a group of devices of this process; the rank of each is its position. They stay the caller's.
//
// Errors: ErrArgument for no device, nil or one device twice, ErrDevice for devices of several backends, ErrClosed; those of
// the backend's library, if it has one and cannot use it.
func New(devices []*weft.Device, options ...Option) (*Group, error) {
	ranks := make([]int, len(devices))
	for i := range ranks {
		ranks[i] = i
	}
	return newGroup(&Group{config: configOf(options), devices: slices.Clone(devices), ranks: ranks, world: len(devices), key: rootKey})
}

// Open opens n devices of a backend, such as "cuda" or "cpu", and makes a group of them, which closes them. 0 stands for all
// that the backend finds. The CPU is opened n times.
func Open(name string, n int, options ...Option) (*Group, error) {
	const op = "mesh: open"
	var specs []string
	for _, d := range weft.Devices() {
		if d.Backend == name && d.Refused == nil {
			specs = append(specs, d.Spec())
		}
	}
	if n == 0 {
		n = len(specs)
	}
	if name == "cpu" && len(specs) == 1 {
		specs = slices.Repeat(specs, max(n, 0))
	}
	if n < 1 || n > len(specs) {
		return nil, fault.New(fault.ErrDevice, op, "%s of %s wanted, %d found", fault.Count(n, "device"), name, len(specs))
	}
	var devices []*weft.Device
	closeAll := func(err error) error {
		for _, d := range devices {
			err = errors.Join(err, d.Close())
		}
		return err
	}
	for _, spec := range specs[:n] {
		d, err := weft.Open(spec)
		if err != nil {
			return nil, closeAll(err)
		}
		devices = append(devices, d)
	}
	g, err := New(devices, options...)
	if err != nil {
		return nil, closeAll(err)
	}
	g.owned = true
	return g, nil
}

// rootKey is the key of a group that is no part of another.
const rootKey = "world"

// newGroup makes a group usable whose members, ranks and store are set.
func newGroup(g *Group) (*Group, error) {
	g.subs = map[string]*Group{}
	if g.capture == nil {
		g.capture = &capture{}
	}
	if err := g.checkDevices(); err != nil {
		return nil, err
	}
	var err error
	if g.engine, err = newEngine(g); err != nil {
		return nil, err
	}
	if g.store != nil {
		g.store.onAbort(g.key, g.fail)
	}
	g.crew = newCrew(len(g.devices))
	g.watch.begin(g)
	return g, nil
}

func (g *Group) checkDevices() error {
	const op = "mesh: new group"
	if g.nilOption {
		return fault.New(fault.ErrArgument, op, "an option is nil").For("options")
	}
	if len(g.devices) == 0 {
		return fault.New(fault.ErrArgument, op, "a group of no devices")
	}
	for i, d := range g.devices {
		switch {
		case d == nil:
			return fault.New(fault.ErrArgument, op, "device %d is nil", i)
		case slices.Contains(g.devices[:i], d):
			return fault.New(fault.ErrArgument, op, "device %v is in the group twice", d)
		case d.Info().Backend != g.devices[0].Info().Backend:
			return fault.New(fault.ErrDevice, op, "devices %v and %v are of different backends", g.devices[0], d)
		}
	}
	return nil
}

// Size is the number of ranks, those of other processes included.
func (g *Group) Size() int { return g.world }

// Devices are those of this process.
func (g *Group) Devices() []*weft.Device { return slices.Clone(g.devices) }

// Ranks are those of Devices.
func (g *Group) Ranks() []int { return slices.Clone(g.ranks) }

// Engine says what runs the collectives, such as "NCCL 2.27.5" or "host".
func (g *Group) Engine() string { return g.engine.String() }

// Err is why the group cannot be used any more: a peer that was lost or too late. It is nil as long as it can.
func (g *Group) Err() error {
	if g == nil {
		return g.usable("mesh: err")
	}
	if f := g.failure.Load(); f != nil {
		err := *f
		return &err
	}
	return nil
}

// fail ends the group: whatever waits for a peer returns, and so it does in other processes.
func (g *Group) fail(err *fault.Error) {
	if g.failure.CompareAndSwap(nil, err) {
		g.abort(err)
	}
}

// failSoon is fail for who must not wait: the group is not usable any more, and what waits returns soon.
func (g *Group) failSoon(err *fault.Error) {
	if g.failure.CompareAndSwap(nil, err) {
		go g.abort(err)
	}
}

// abort has everything return that waits for a peer.
func (g *Group) abort(err *fault.Error) {
	if g.store != nil { // the others first: to abort a library may take its time
		g.store.abort(g.key, err)
	}
	g.signals.abort()
	g.sums.abort() // before a library that waits for the devices
	_ = g.engine.abort()
}

// usable says why a call cannot start.
func (g *Group) usable(op string) error {
	if g == nil || g.engine == nil {
		return fault.New(fault.ErrArgument, op, "the group is nil")
	}
	if g.closed.Load() {
		return fault.New(fault.ErrClosed, op, "the group is closed")
	}
	return g.Err()
}

// Synchronize waits for all members. It returns the first error of a device, and that of the group if a peer was lost.
func (g *Group) Synchronize() error { return g.SynchronizeContext(context.Background()) }

// SynchronizeContext is Synchronize with a context, see weft.Device.SynchronizeContext.
func (g *Group) SynchronizeContext(ctx context.Context) error {
	if err := g.usable("mesh: synchronize"); err != nil {
		return err
	}
	errs := make([]error, len(g.devices))
	var wait sync.WaitGroup
	for i, d := range g.devices {
		wait.Go(func() { errs[i] = d.SynchronizeContext(ctx) })
	}
	wait.Wait()
	return errors.Join(append(errs, g.Err())...)
}

// Close ends the group: it waits for its collectives, unless a peer is lost, and closes the devices that Open opened. The groups of its mesh dimensions
// are closed with it. A second Close does nothing.
func (g *Group) Close() error {
	if g == nil || g.closed.Swap(true) {
		return nil
	}
	g.again.mu.Lock()
	defer g.again.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.watch.end()
	errs := []error{g.again.forget()}
	for _, sub := range g.subs {
		errs = append(errs, sub.Close())
	}
	g.crew.close()
	g.sums.close()
	errs = append(errs, g.signals.close(), closeLanes(g.lanes), g.engine.close())
	if g.store != nil && g.key == rootKey {
		errs = append(errs, g.store.close())
	}
	if g.owned {
		for _, d := range g.devices {
			errs = append(errs, d.Close())
		}
	}
	return errors.Join(errs...)
}

// Sub is the group of some of the ranks, in the given order; its ranks are their positions. It is nil if none of them is a member here. All
// processes with members among them call it, in one order. The group that it is a part of keeps it and closes it.
func (g *Group) Sub(ranks ...int) (*Group, error) {
	const op = "mesh: sub"
	if err := g.usable(op); err != nil {
		return nil, err
	}
	var devices []*weft.Device
	var members []int
	for i, r := range ranks {
		if r < 0 || r >= g.world || slices.Contains(ranks[:i], r) {
			return nil, fault.New(fault.ErrArgument, op, "ranks %v of a group of %d", ranks, g.world)
		}
		if at := slices.Index(g.ranks, r); at >= 0 {
			devices, members = append(devices, g.devices[at]), append(members, i)
		}
	}
	if len(devices) == 0 {
		return nil, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := fmt.Sprint(g.key, "/", ranks)
	if sub := g.subs[key]; sub != nil {
		return sub, nil
	}
	part := &Group{capture: g.capture, config: g.config, devices: devices, ranks: members, world: len(ranks), key: key}
	if g.store != nil && len(devices) < len(ranks) {
		part.store = g.store
		for _, r := range ranks {
			part.process = append(part.process, g.process[r])
		}
	}
	sub, err := newGroup(part)
	if err != nil {
		return nil, err
	}
	g.subs[key] = sub
	return sub, nil
}
