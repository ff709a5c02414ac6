package bounds

import (
	"math"

	"github.com/weftgpu/weft/tile"
)

func (m *machine) control(op *tile.Op) {
	switch op.Kind {
	case tile.OpFor:
		lo, hi, step := m.integer(op, op.Args[0]), m.integer(op, op.Args[1]), m.integer(op, op.Args[2])
		if step <= 0 {
			m.fail(op, "the step of the loop is %d, want more than 0", step)
		}
		now := m.all(op.Args[3:])
		for i := lo; i < hi && i <= math.MaxInt32; i += step {
			m.values[op.Body.Args[0]] = []Value{whole(int64(i))}
			m.bind(op.Body.Args[1:], now)
			yield, _, _ := m.region(op.Body)
			now = m.all(yield.Args)
		}
		m.bind(op.Out, now)
	case tile.OpWhile:
		now := m.all(op.Args)
		for {
			m.bind(op.Body.Args, now)
			yield, _, leave := m.region(op.Body)
			if leave {
				break
			}
			now = m.all(yield.Args)
		}
		m.bind(op.Out, now)
	case tile.OpIf:
		way := op.Else
		if m.decide(op, op.Args[0]) {
			way = op.Body
		}
		yield, _, _ := m.region(way)
		m.bind(op.Out, m.all(yield.Args))
	default:
		m.fail(op, "the op is not known control flow")
	}
}

func (m *machine) all(list []*tile.Value) [][]Value {
	out := make([][]Value, len(list))
	for i, v := range list {
		out[i] = m.values[v]
	}
	return out
}

func (m *machine) bind(list []*tile.Value, to [][]Value) {
	for i, v := range list {
		m.values[v] = to[i]
	}
}
