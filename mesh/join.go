package mesh

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// PortEnv is the port on which process 0 serves the others in place of MASTER_PORT, where a launcher uses that itself.
const PortEnv = "WEFT_MESH_PORT"

// Join makes a group of the devices of several processes, on one host or more, by the environment variables that launchers
// such as torchrun set: RANK and WORLD_SIZE, of processes, MASTER_ADDR and MASTER_PORT. Each process gives as many
// devices, most often one, that which LOCAL_RANK numbers (see LocalRank). A device's rank in the group is that of its process times their number, plus
// its position.
//
// Errors: those of New; ErrArgument for variables that are missing or no numbers; ErrDeviceLost for a process that does not come within the timeout.
func Join(devices []*weft.Device, options ...Option) (*Group, error) {
	const op = "mesh: join"
	process, err := envNumber("RANK", 0)
	if err != nil {
		return nil, err
	}
	processes, err := envNumber("WORLD_SIZE", 1)
	if err != nil {
		return nil, err
	}
	if process >= processes {
		return nil, fault.New(fault.ErrArgument, op, "RANK is %d, want less than WORLD_SIZE, %d", process, processes)
	}
	addr, err := masterAddress()
	if err != nil {
		return nil, err
	}
	g := &Group{config: configOf(options), devices: slices.Clone(devices), world: processes * len(devices), key: rootKey}
	for i := range devices {
		g.ranks = append(g.ranks, process*len(devices)+i)
	}
	for rank := range g.world {
		g.process = append(g.process, rank/len(devices))
	}
	if processes == 1 {
		return newGroup(g)
	}
	if g.store, err = openStore(addr, process, processes, g.timeout); err != nil {
		return nil, err
	}
	joined, err := g.meet()
	if err != nil {
		g.store.end(fault.New(fault.ErrClosed, op, "the process did not join"))
		g.store.wire.conn.Close()
		g.store.server.close()
	}
	return joined, err
}

// meet checks that all processes are there with as many devices of one backend.
func (g *Group) meet() (*Group, error) {
	if err := g.checkDevices(); err != nil {
		return nil, err
	}
	text := fmt.Sprintf("join with %s of %s, through the host %v, checked %v", fault.Count(len(g.devices), "device"), g.devices[0].Info().Backend, g.host, g.check)
	if _, err := g.store.ask(&message{Key: "join", Members: g.processes(), Text: text}); err != nil {
		return nil, err
	}
	return newGroup(g)
}

// LocalRank is the number of this process on its host, 0 without a launcher: that of the device to open.
func LocalRank() (int, error) { return envNumber("LOCAL_RANK", 0) }

// envNumber is a number of the environment that is not negative. absent is its value where none is set.
func envNumber(name string, absent int) (int, error) {
	text, is := os.LookupEnv(name)
	if !is {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fault.New(fault.ErrArgument, "mesh: join", "%s is %q, want a number from 0 on", name, text)
	}
	return n, nil
}

// masterAddress is where process 0 serves. torchrun's agent may serve a store of its own on MASTER_PORT, and then says so.
func masterAddress() (string, error) {
	host := os.Getenv("MASTER_ADDR")
	if host == "" {
		host = "127.0.0.1"
	}
	port, err := envNumber("MASTER_PORT", 29500)
	if err != nil {
		return "", err
	}
	if os.Getenv("TORCHELASTIC_USE_AGENT_STORE") == "True" {
		port++
	}
	if port, err = envNumber(PortEnv, port); err != nil {
		return "", err
	}
	return net.JoinHostPort(host, fmt.Sprint(port)), nil
}

// processes are those that have ranks in the group.
func (g *Group) processes() []int { return slices.Compact(slices.Sorted(slices.Values(g.process))) }

// compare makes sure, where that was asked for, that all processes call the same. It also tells them that this one refuses.
func (g *Group) compare(c *call) error {
	if g.store == nil || !g.check {
		return nil
	}
	_, err := g.store.ask(&message{Key: g.callKey("?"), Members: g.processes(), Text: c.shared()})
	return g.about(c, err)
}

// refuse tells the other processes of a checked group that a call cannot start here, so that none waits for it.
func (g *Group) refuse(c *call, err error) {
	if g.store == nil || !g.check || g.usable(c.op()) != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	m := &message{Key: g.callKey("?"), Members: g.processes(), Text: err.Error(), Refused: true}
	for _, s := range sentinels {
		if isKind(err, s) {
			m.Sentinel = s.Error()
		}
	}
	_, _ = g.store.ask(m)
}

// shared is what all processes say of a call: an exchange is another in each.
func (c *call) shared() string {
	if c.kind == exchange {
		return c.kind.String()
	}
	return c.String()
}

func (g *Group) callKey(suffix string) string { return fmt.Sprint(g.key, "#", g.calls, suffix) }

// about adds the call to an error of the store.
func (g *Group) about(c *call, err error) error {
	f, ok := err.(*fault.Error)
	if !ok {
		return err
	}
	f.Op = c.op()
	return f
}

// gather is the members' parts of all ranks, in their order.
func (g *Group) gather(c *call, local [][]byte) ([][]byte, error) {
	answers, err := g.store.ask(&message{Key: g.callKey(""), Members: g.processes(), Text: c.shared(), Parts: local})
	if err != nil {
		return nil, g.about(c, err)
	}
	parts := make([][]byte, g.world)
	next := map[int]int{}
	for rank, process := range g.process {
		for _, m := range answers {
			if m.Process == process && next[process] < len(m.Parts) {
				parts[rank] = m.Parts[next[process]]
				next[process]++
				break
			}
		}
	}
	return parts, nil
}

// post gives the other processes what is for them, and takes what they have.
func (m *mail) post(c *call) error {
	g := m.g
	out := &message{Key: g.callKey(""), Members: g.processes(), Text: c.shared()}
	for way, list := range m.box {
		if slices.Contains(g.ranks, way[1]) {
			continue
		}
		for _, raw := range list {
			out.Ways, out.Parts = append(out.Ways, way), append(out.Parts, raw)
		}
		delete(m.box, way)
	}
	answers, err := g.store.ask(out)
	if err != nil {
		return g.about(c, err)
	}
	for _, a := range answers {
		if a.Process == g.store.process {
			continue
		}
		for i, way := range a.Ways {
			if slices.Contains(g.ranks, way[1]) {
				m.put(way[0], way[1], a.Parts[i])
			}
		}
	}
	return nil
}
