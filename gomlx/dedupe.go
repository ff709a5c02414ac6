package gomlx

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/backends"
)

// maxSharedConstant is the number of elements of constants that are compared.
const maxSharedConstant = 16

// dedupe replaces nodes that compute what an earlier one does: GoMLX has the counters of an optimizer once for each variable.
func (b *Builder) dedupe() {
	first, same := map[string]*node{}, make([]*node, len(b.nodes))
	for _, n := range b.nodes { // inputs come before what uses them
		for i, in := range n.in {
			n.in[i] = same[in.id]
		}
		same[n.id] = n
		key, ok := n.key()
		if !ok {
			continue
		}
		if f := first[key]; f != nil {
			same[n.id] = f
		} else {
			first[key] = n
		}
	}
	for i, n := range b.outputs {
		b.outputs[i] = same[n.id]
	}
}

// key is equal for nodes that compute the same. It is false for those that are not compared.
func (n *node) key() (string, bool) {
	switch {
	case n.op == backends.OpTypeParameter, n.op == backends.OpTypeConstant && n.shape.Size() > maxSharedConstant:
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %v %v", n.op, n.shape, n.attrs)
	for _, in := range n.in {
		fmt.Fprintf(&b, " %d", in.id)
	}
	return b.String(), true
}
