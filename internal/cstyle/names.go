package cstyle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Reserved are the words that a language leaves to no one.
type Reserved struct {
	words    map[string]bool
	families []string // what no name begins with
}

// Reserve lists the words of some lists, which are separated by spaces or line breaks; one with a * after it stands
// for all that begin so.
func Reserve(lists ...string) *Reserved {
	r := &Reserved{words: map[string]bool{}}
	for _, list := range lists {
		for _, word := range strings.Fields(list) {
			if family, ok := strings.CutSuffix(word, "*"); ok {
				r.families = append(r.families, family)
			} else {
				r.words[word] = true
			}
		}
	}
	return r
}

// Names hands out identifiers, each once.
type Names struct {
	*Reserved
	taken map[string]bool
	next  map[string]int
}

// NewNames makes a set of names without reserved words.
func NewNames(r *Reserved) *Names {
	return &Names{Reserved: r, taken: map[string]bool{}, next: map[string]int{}}
}

// Fits reports whether name may stand in the source exactly as it is.
func (n *Names) Fits(name string) bool {
	return name != "" && identifier(name) == name && !n.inFamily(name) && !n.words[name] && !n.taken[name]
}

// inFamily reports whether no name may begin as this one does.
func (n *Names) inFamily(name string) bool {
	return slices.ContainsFunc(n.families, func(family string) bool { return strings.HasPrefix(name, family) })
}

// Unique returns hint or, if that is no identifier or taken, one like it.
func (n *Names) Unique(hint string) string {
	base := identifier(hint)
	switch {
	case base == "":
		base = "value"
	case n.inFamily(base):
		base = "value_" + base
	}
	name := base
	for n.words[name] || n.taken[name] {
		name = base + "_" + strconv.Itoa(n.next[base])
		n.next[base]++
	}
	n.taken[name] = true
	return name
}

// identifier keeps of a hint what every C-like language accepts.
func identifier(hint string) string {
	var b strings.Builder
	for _, r := range hint {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			if b.Len() > 0 {
				b.WriteRune(r)
			}
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.TrimSuffix(b.String(), "_")
}

// kindNames are names for values that have no better one.
var kindNames = [simt.NumKinds]string{
	simt.Const: "value", simt.Param: "value", simt.ThreadID: "thread", simt.ConsumerID: "consumer", simt.WarpgroupID: "warpgroup", simt.WorkgroupID: "group",
	simt.Neg: "negated", simt.Not: "inverse", simt.Abs: "magnitude", simt.BitCount: "count",
	simt.Exp: "power", simt.Exp2: "power", simt.Log: "logarithm", simt.Log2: "logarithm",
	simt.Sqrt: "root", simt.Rsqrt: "inverse_root", simt.Sin: "sine", simt.Cos: "cosine", simt.Tanh: "tangent",
	simt.Floor: "below", simt.Ceil: "above", simt.Round: "nearest", simt.Erf: "error", simt.Log1p: "logarithm", simt.Expm1: "power", simt.Convert: "converted", simt.Bitcast: "bits", simt.Round16: "rounded",
	simt.Add: "sum", simt.Sub: "difference", simt.Mul: "product", simt.Div: "quotient", simt.Rem: "remainder", simt.MulHi: "high",
	simt.Min: "least", simt.Max: "greatest", simt.And: "both", simt.Or: "either", simt.Xor: "changed",
	simt.Shl: "shifted", simt.Shr: "shifted",
	simt.Eq: "equal", simt.Ne: "unequal", simt.Lt: "less", simt.Le: "at_most", simt.Gt: "greater", simt.Ge: "at_least",
	simt.Select: "chosen", simt.FMA: "fused", simt.PairFMA: "pair", simt.PickBytes: "bytes", simt.AndXor: "bits", simt.Splat: "lanes", simt.Extract: "lane", simt.Compose: "lanes",
	simt.Load: "loaded", simt.SharedLoad: "loaded", simt.Atomic: "old", simt.ShuffleXor: "other", simt.Ballot: "ballot", simt.SharedRank: "count", simt.MMA: "acc", simt.LoadMatrix: "fragment", simt.GroupMMA: "acc", simt.GroupWait: "acc", simt.MatrixPlace: "place", simt.For: "acc", simt.While: "acc", simt.Branch: "chosen",
}

// hint is what to call a value: its own hint, else what it is used for, else
// what it is.
func hint(v *simt.Value, u use) string {
	switch {
	case v.Hint != "":
		return v.Hint
	case u.asMask:
		return "in_bounds"
	case u.asIndex && v.Op != nil && v.Op.Kind >= simt.Neg:
		return "index"
	case v.Op == nil:
		return "acc"
	case v.Op.Kind == simt.WorkgroupID:
		return "group_" + Lane(v.Op.Axis)
	case v.Type.Elem == dtype.I32 && (v.Op.Kind == simt.Add || v.Op.Kind == simt.Mul):
		return "offset"
	}
	return kindNames[v.Op.Kind]
}
