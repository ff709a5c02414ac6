package mesh

import (
	"errors"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// newEngine is the backend's library, where it has one, and the host otherwise.
func newEngine(g *Group) (engine, error) {
	if g.host {
		return &hostEngine{g}, nil
	}
	first, can := g.devices[0].Backend().(backend.Collectives)
	if !can {
		return &hostEngine{g}, nil
	}
	if g.store != nil && !first.SpansProcesses() {
		return &hostEngine{g}, nil
	}
	name, err := first.CollectivesLibrary()
	if err != nil {
		return nil, err
	}
	m := backend.Members{World: g.world, Ranks: g.ranks}
	for _, d := range g.devices {
		dev, can := d.Backend().(backend.Collectives)
		if !can {
			return nil, fault.New(fault.ErrDevice, "mesh: new group", "the device %v has no collectives, %v has", d, g.devices[0])
		}
		m.Devices = append(m.Devices, dev)
	}
	if g.store != nil {
		if m.ID, err = g.communicatorID(first); err != nil {
			return nil, err
		}
	}
	comm, err := first.Connect(m)
	if err != nil {
		return nil, err
	}
	return &nativeEngine{g, name, comm}, nil
}

// communicatorID is made by the first process of the group and told to the others.
func (g *Group) communicatorID(dev backend.Collectives) ([]byte, error) {
	m := &message{Key: g.key + "@", Members: g.processes(), Text: "connect"}
	if g.store.process == m.Members[0] {
		id, err := dev.CommunicatorID()
		if err != nil {
			return nil, err
		}
		m.Parts = [][]byte{id}
	}
	answers, err := g.store.ask(m)
	if err != nil {
		return nil, err
	}
	if len(answers) == 0 || len(answers[0].Parts) != 1 {
		return nil, fault.New(fault.ErrDeviceLost, "mesh: connect", "process %d told no id", m.Members[0])
	}
	return answers[0].Parts[0], nil
}

// nativeEngine runs collectives by a backend's library.
type nativeEngine struct {
	g    *Group
	name string
	comm backend.Communicator
}

func (e *nativeEngine) String() string { return e.name }
func (e *nativeEngine) abort() error   { return e.comm.Abort() }
func (e *nativeEngine) close() error   { return e.comm.Close() }

func (e *nativeEngine) start(c *call) error {
	if err := e.comm.Err(); err != nil {
		return err
	}
	if kinds[c.kind].reduces && !e.comm.Reduces(backend.Part{Elem: c.elem, Reduce: c.reduce}) {
		return (&hostEngine{e.g}).start(c)
	}
	if e.g.sums.takes(e.g, c) {
		return e.g.sums.start(e.g, c)
	}
	if c.recorders != nil {
		return e.record(c)
	}
	tensors := c.tensors()
	return weft.WithSpans(c.op(), tensors, func(spans []weft.BufferSpan) error {
		at := make(map[*weft.Tensor]weft.BufferSpan, len(tensors))
		for i, t := range tensors {
			at[t] = spans[i]
		}
		return e.startParts(e.g.partsOf(c, func(t *weft.Tensor) weft.BufferSpan { return at[t] }))
	})
}

// startParts starts each member's parts on a goroutine of its own, where the library can do so. A member that fails leaves others that wait for it: the group ends.
func (e *nativeEngine) startParts(parts []backend.Part) error {
	comm, can := e.comm.(backend.MemberStarter)
	if !can || !e.g.crew.works(len(e.g.devices)) {
		return e.comm.Start(parts)
	}
	own := make([][]backend.Part, len(e.g.devices))
	for _, p := range parts {
		own[p.Member] = append(own[p.Member], p)
	}
	return e.g.crew.each(len(own), func(i int) error {
		err := comm.StartMember(own[i])
		var f *fault.Error
		if errors.As(err, &f) {
			first := *f
			e.g.failSoon(&first)
		}
		return err
	})
}
