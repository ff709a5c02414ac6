package lower

import "github.com/weftgpu/weft/simt"

// unpackLate moves what turns packed words into elements down to where the first of them is used. So loads follow one another, as many
// as a thread can have on their way, and what they bring takes as many registers as it has words until then. (Compilers keep the order that
// they find: of eight vectors in a loop's iteration NVRTC's code waited for each before it asked for the next but one.)
func unpackLate(r *Result) {
	users := map[*simt.Value][]*simt.Op{}
	walk(r.Kernel.Body, func(op *simt.Op) {
		for _, a := range op.Args {
			users[a] = append(users[a], op)
		}
	})
	unpackBlock(r.Kernel.Body, users)
}

func unpackBlock(b *simt.Block, users map[*simt.Value][]*simt.Op) {
	out := make([]*simt.Op, 0, len(b.Ops))
	held := map[*simt.Value]*simt.Op{}
	var release func(op *simt.Op)
	release = func(op *simt.Op) {
		for _, a := range op.Args {
			if h := held[a]; h != nil {
				delete(held, a)
				release(h)
				out = append(out, h)
			}
		}
		for _, body := range op.Blocks() {
			for _, inner := range body.Ops {
				release(inner)
			}
		}
	}
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			unpackBlock(body, users)
		}
		if unpacks(op, users) {
			held[op.Result()] = op
			continue
		}
		release(op)
		out = append(out, op)
	}
	b.Ops = out
}

// unpacks reports whether an op is a part of unpacking: an Unpack, what takes elements of one, or what brings words together for one.
func unpacks(op *simt.Op, users map[*simt.Value][]*simt.Op) bool {
	switch op.Kind {
	case simt.Unpack:
		return len(users[op.Result()]) > 0
	case simt.Extract:
		from := op.Args[0].Op
		return from != nil && from.Kind == simt.Unpack && len(users[op.Result()]) > 0
	case simt.Compose:
		for _, u := range users[op.Result()] {
			if u.Kind != simt.Unpack {
				return false
			}
		}
		return len(users[op.Result()]) > 0
	}
	return false
}
