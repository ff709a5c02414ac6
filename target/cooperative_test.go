package target

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// Rows are plain data: they survive JSON and print what they are.
func TestCooperativeMatrix(t *testing.T) {
	m := CooperativeMatrix{
		M: 16, N: 8, K: 16, A: dtype.F16, B: dtype.F16, C: dtype.F32, Result: dtype.F32, Threads: 32,
		FragmentC: Fragment{Components: [][2]int{{0, 1}, {8, 0}}, Threads: [][2]int{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var again CooperativeMatrix
	if err := json.Unmarshal(data, &again); err != nil || !reflect.DeepEqual(m, again) {
		t.Errorf("%+v comes back as %+v, %v", m, again, err)
	}
	if got, want := m.String(), "16×8×16 f16 × f16 + f32 of a subgroup of 32"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Result, m.Saturating, m.Flexible, m.Scope, m.Opaque = dtype.F16, true, true, WorkgroupScope, "a reason"
	if got, want := m.String(), "16×8×16 f16 × f16 + f32 = f16 saturating, and multiples, of a workgroup of 32 (not used: a reason)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Unknown, m.Opaque = "another one", ""
	if got, want := m.String(), "of a workgroup of 32 (elements through shared memory: another one)"; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want an end of %q", got, want)
	}
}

// Bits combine by XOR, and all threads together have all elements.
func TestFragment(t *testing.T) {
	f := Fragment{Components: [][2]int{{0, 1}, {8, 0}}, Threads: [][2]int{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}
	seen := map[[2]int]bool{}
	for thread := range 32 {
		for component := range f.Held() {
			row, column := f.At(component, thread)
			seen[[2]int{row, column}] = true
			if want := [2]int{thread/4 + component/2*8, thread%4*2 + component%2}; want != [2]int{row, column} {
				t.Errorf("component %d of thread %d is element %d, %d, want %v", component, thread, row, column, want)
			}
		}
	}
	if len(seen) != 16*8 {
		t.Errorf("%d elements of %d", len(seen), 16*8)
	}
	if row, _ := (Fragment{Components: [][2]int{{3, 0}, {1, 0}}}).At(3, 0); row != 2 {
		t.Errorf("bits that share a bit of the row: %d, want 3 ^ 1", row)
	}
}

// The largest row is taken, of those whose fragments are known if there are any.
func TestCooperativeFor(t *testing.T) {
	row := func(n int, unknown, opaque string) CooperativeMatrix {
		return CooperativeMatrix{M: n, N: n, K: n, A: dtype.F16, B: dtype.F16, C: dtype.F32, Result: dtype.F32, Threads: 32, Unknown: unknown, Opaque: opaque}
	}
	for _, c := range []struct {
		rows []CooperativeMatrix
		want int
	}{
		{nil, 0}, {[]CooperativeMatrix{row(8, "", ""), row(16, "", "")}, 16}, {[]CooperativeMatrix{row(16, "", "slow"), row(8, "", "")}, 8},
		{[]CooperativeMatrix{row(16, "not linear", ""), row(8, "", "")}, 8}, {[]CooperativeMatrix{row(8, "", ""), row(16, "not linear", "")}, 8},
		{[]CooperativeMatrix{row(8, "not linear", ""), row(16, "not linear", "")}, 16}, {[]CooperativeMatrix{row(8, "not linear", "slow")}, 0},
	} {
		if got := (Caps{Cooperative: CooperativeOf(c.rows...)}).CooperativeFor(dtype.F16).M; got != c.want {
			t.Errorf("%v: %d, want %d", c.rows, got, c.want)
		}
	}
}

// Lists of equal rows are equal, also after JSON, and no change of the caller's rows reaches them. What caches
// print of capabilities tells lists apart.
func TestCooperativeList(t *testing.T) {
	rows := []CooperativeMatrix{{M: 16, N: 16, K: 16, A: dtype.F16, Threads: 32, FragmentC: Fragment{Threads: [][2]int{{1, 0}}}}, {M: 8}}
	caps := Caps{Cooperative: CooperativeOf(rows...)}
	if same := (Caps{Cooperative: CooperativeOf(rows...)}); caps != same {
		t.Error("equal rows make two lists")
	}
	before := fmt.Sprintf("%+v", caps)
	rows[0].FragmentC.Threads[0][0] = 2
	if got := caps.Cooperative.Rows(); len(got) != 2 || got[0].FragmentC.Threads[0][0] != 1 {
		t.Errorf("the list changed to %+v", got)
	}
	other := Caps{Cooperative: CooperativeOf(rows...)}
	if after := fmt.Sprintf("%+v", other); caps == other || before == after || strings.Contains(before, "0x") {
		t.Errorf("another list prints as %s, the first as %s", after, before)
	}
	data, err := json.Marshal(caps)
	var again Caps
	if err == nil {
		err = json.Unmarshal(data, &again)
	}
	if err != nil || again != caps {
		t.Errorf("%s comes back as %+v, %v", data, again, err)
	}
	if data, err := json.Marshal(Caps{}); err != nil || strings.Contains(string(data), "Cooperative") {
		t.Errorf("no rows are written: %s, %v", data, err)
	}
	if json.Unmarshal([]byte(`{"Cooperative": [1]}`), &again) == nil {
		t.Error("a number is a row")
	}
	if (CooperativeList{}).Rows() != nil || CooperativeOf() != (CooperativeList{}) {
		t.Error("no rows make a list")
	}
}
