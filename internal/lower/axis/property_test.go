package axis

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// Random integer programs, executed by the interpreter, never contradict what is claimed of
// their values: every value of every region is looked at whenever it is computed.
func TestAxisFactsHold(t *testing.T) {
	t.Parallel()
	told := 0
	programs := axistest.Each(t, 1500, 200, 11, func(name string, k *tile.Func, rng *rand.Rand) { told += checkFacts(t, name, k, rng) })
	if told < programs {
		t.Errorf("%d facts were told of %d programs: they say next to nothing", told, programs)
	}
}

// checkFacts runs a kernel on a random view and checks the facts of every value; it returns how many
// of them say something.
func checkFacts(t *testing.T, name string, k *tile.Func, rng *rand.Rand) (told int) {
	t.Helper()
	r := axistest.NewRun(t, k, rng)
	a := Analyse(k, FactsOf(r.Layouts, []int{0, 1}))
	e := tile.Edit(k)
	original := map[int]*tile.Value{} // by the copy's id
	showAll(k.Body, e.Func.Body, original)
	checked := map[*tile.Value]bool{}
	failed := false
	look := func(f interp.Frame) {
		for _, v := range f.Values {
			of := original[v.ID]
			fact := a.Of(of)
			if why := contradiction(fact, v); why != "" && !failed {
				failed = true
				t.Errorf("%s: %v is claimed to be %v, but %s, in program %v of %v:\n%v\n%v", name, of, fact, why, f.Program, r.Grid, v, k)
			}
			if !checked[of] && !fact.equal(nothing(of.Type())) {
				told++
			}
			checked[of] = true
		}
	}
	r.Run(t, name, e.Func, interp.Options{Break: look})
	if failed {
		t.FailNow()
	}
	return told
}

// showAll puts breakpoints after all ops of a copy of a region.
func showAll(from, to *tile.Region, original map[int]*tile.Value) {
	var ops []*tile.Op
	show := func(from, to []*tile.Value) {
		for i, v := range to {
			original[v.ID()] = from[i]
			ops = append(ops, &tile.Op{Kind: tile.OpBreakpoint, Args: []*tile.Value{v}})
		}
	}
	show(from.Args, to.Args)
	for i, op := range to.Ops {
		ops = append(ops, op)
		if op.Kind.Fact().Class == tile.Control {
			for j, body := range op.Regions() {
				showAll(from.Ops[i].Regions()[j], body, original)
			}
		}
		show(from.Ops[i].Out, op.Out)
	}
	to.Ops = ops
}

// contradiction tells where a value is not as claimed.
func contradiction(f Value, v interp.Value) string {
	modulus := int64(1) << (8 * v.Type.Elem.Size())
	for i, x := range v.Data {
		if f.Known && (x < float64(f.Lo) || x > float64(f.Hi)) {
			return fmt.Sprintf("element %d is %v", i, x)
		}
		stride := len(v.Data)
		for d, n := range f.shape {
			stride /= n
			axis := f.Axes[d]
			at := i / stride % n
			if first := v.Data[i-at%axis.Constancy*stride]; first != x && (first == first || x == x) {
				return fmt.Sprintf("element %d is %v and not %v along axis %d", i, x, first, d)
			}
			if !v.Type.Elem.IsInt() {
				continue
			}
			inRun := at % axis.Contiguity
			first := v.Data[i-inRun*stride]
			if (int64(x)-int64(first)-int64(inRun))%modulus != 0 {
				return fmt.Sprintf("element %d is %v after %v along axis %d", i, x, first, d)
			}
			if inRun == 0 && int64(x)%int64(axis.Divisibility) != 0 {
				return fmt.Sprintf("element %d is %v along axis %d", i, x, d)
			}
		}
	}
	return ""
}
