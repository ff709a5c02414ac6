package backendtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// coverage is what the kernels contained that cases compared with the interpreter: op kinds, and what
// distinguishes ops of one kind.
type coverage map[string]bool

// record notes the ops of a kernel.
func (c coverage) record(k *tile.Func) {
	if c != nil {
		c.region(k.Body)
	}
}

func (c coverage) region(r *tile.Region) {
	for _, op := range r.Ops {
		c[op.Kind.String()] = true
		switch op.Kind {
		case tile.OpAtomic:
			c[atomicFeature(op.RMW, op.View.Elem)] = true
		case tile.OpDot:
			c[dotFeature(op.Precision, op.Args[0].Type().Elem)] = true
		case tile.OpScan:
			c[scanFeature(op.Reverse, op.IsExclusive())] = true
		case tile.OpProgramID, tile.OpNumPrograms:
			c[axisFeature(op.Kind, op.Axis)] = true
		}
		for _, v := range op.Out {
			c[rankFeature(op.Kind, len(v.Type().Shape))] = true
		}
		if op.Kind == tile.OpStore || op.Kind == tile.OpScatter {
			c[rankFeature(op.Kind, op.View.Rank)] = true
		}
		for _, body := range op.Regions() {
			c.region(body)
		}
	}
}

func atomicFeature(r tile.RMW, e weft.DType) string { return fmt.Sprintf("atomic %v of %v", r, e) }
func dotFeature(p tile.Precision, e weft.DType) string {
	return fmt.Sprintf("dot of %v at %v", e, p)
}
func scanFeature(reverse, exclusive bool) string {
	return fmt.Sprintf("scan reverse=%v exclusive=%v", reverse, exclusive)
}
func axisFeature(k tile.Kind, axis int) string { return fmt.Sprintf("%v axis=%d", k, axis) }
func rankFeature(k tile.Kind, rank int) string { return fmt.Sprintf("%v of rank %d", k, rank) }

// language lists what the cases together must contain: every kind of op, and its forms.
func language() (list []string) {
	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		if kind != tile.OpPeer { // of clusters, which few devices have
			list = append(list, kind.String())
		}
	}
	for r := range tile.NumRMW {
		list = append(list, atomicFeature(r, weft.I32), atomicFeature(r, weft.U32))
	}
	list = append(list, atomicFeature(tile.RMWAdd, weft.F32))
	for _, e := range []weft.DType{weft.F16, weft.BF16} {
		list = append(list, dotFeature(tile.Float32Accumulate, e))
	}
	list = append(list, dotFeature(tile.IEEE, weft.F32), dotFeature(tile.TF32, weft.F32), dotFeature(tile.TF32x3, weft.F32),
		dotFeature(tile.IEEE, weft.I8), dotFeature(tile.IEEE, weft.U8))
	for axis := range 3 {
		list = append(list, axisFeature(tile.OpProgramID, axis), axisFeature(tile.OpNumPrograms, axis))
	}
	for _, b := range []bool{false, true} {
		list = append(list, scanFeature(b, false), scanFeature(b, true))
	}
	for _, kind := range []tile.Kind{ // what a shape matters to
		tile.OpLoad, tile.OpStore, tile.OpGather, tile.OpScatter, tile.OpAtomic, tile.OpConst, tile.OpIota, tile.OpSplat,
		tile.OpBroadcast, tile.OpReshape, tile.OpPermute, tile.OpJoin, tile.OpReduceSum, tile.OpReduceMax, tile.OpReduceMin,
		tile.OpReduceProd, tile.OpReduceAny, tile.OpReduceAll, tile.OpReduce, tile.OpScan,
	} {
		list = append(list, rankFeature(kind, 5))
	}
	list = append(list, rankFeature(tile.OpSplit, 4), rankFeature(tile.OpDot, 2), rankFeature(tile.OpDot, 3))
	return list
}

// check fails the test if cases that were all run left out a part of the language.
func (c coverage) check(t *testing.T) {
	t.Helper()
	var missing []string
	for _, feature := range language() {
		if !c[feature] {
			missing = append(missing, feature)
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		t.Errorf("no case compares %q with the interpreter", missing)
	}
}
