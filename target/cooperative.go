package target

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/weftgpu/weft/dtype"
)

// Scope is which threads hold a cooperative matrix together.
type Scope uint8

// The scopes.
const (
	SubgroupScope Scope = iota
	WorkgroupScope
)

// String returns "subgroup" or "workgroup".
func (s Scope) String() string {
	if s == WorkgroupScope {
		return "workgroup"
	}
	return "subgroup"
}

// CooperativeMatrix is a row of the products a @ b + c of cooperative matrices that a device enumerates
// (VK_KHR_cooperative_matrix): a has M×K elements, b K×N, c and the result M×N.
type CooperativeMatrix struct {
	M, N, K         int
	A, B, C, Result dtype.Type // of the elements
	Scope           Scope
	Threads         int  // that hold the matrices together: a subgroup's, or a workgroup's
	Saturating      bool // sums of integers saturate, where they wrap otherwise
	Flexible        bool // all multiples of M, N and K are there as well (VK_NV_cooperative_matrix2)

	// How the elements of the matrices are distributed over threads, as a kernel found out on the device.
	// Fragments are zero where Unknown says why they are not known or not linear: elements pass through shared
	// memory then.
	FragmentA, FragmentB, FragmentC Fragment
	Unknown                         string `json:",omitempty"`

	Opaque string `json:",omitempty"` // why the row is not used
}

// Fragment is how a cooperative matrix is distributed over the components of a thread's part of it and over the threads of a subgroup:
// what each bit of a component's, and of a thread's, number adds to (row, column) by XOR. Threads that hold copies of an
// element differ in bits that add (0, 0).
type Fragment struct {
	Components [][2]int
	Threads    [][2]int
}

// Held is how many components a thread has.
func (f Fragment) Held() int { return 1 << len(f.Components) }

// At is the element that is a component of a thread.
func (f Fragment) At(component, thread int) (row, column int) {
	for bit, by := range f.Components {
		if component>>bit&1 != 0 {
			row, column = row^by[0], column^by[1]
		}
	}
	for bit, by := range f.Threads {
		if thread>>bit&1 != 0 {
			row, column = row^by[0], column^by[1]
		}
	}
	return row, column
}

// String prints the row as "16×16×16 f16 × f16 + f32 of a subgroup of 32".
func (m CooperativeMatrix) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d×%d×%d %v × %v + %v", m.M, m.N, m.K, m.A, m.B, m.C)
	if m.Result != m.C {
		fmt.Fprintf(&b, " = %v", m.Result)
	}
	if m.Saturating {
		b.WriteString(" saturating")
	}
	if m.Flexible {
		b.WriteString(", and multiples,")
	}
	fmt.Fprintf(&b, " of a %v of %d", m.Scope, m.Threads)
	if m.Unknown != "" {
		fmt.Fprintf(&b, " (elements through shared memory: %s)", m.Unknown)
	}
	if m.Opaque != "" {
		fmt.Fprintf(&b, " (not used: %s)", m.Opaque)
	}
	return b.String()
}

// CooperativeList is a list of products, comparable as the rest of Caps: lists of equal rows are equal. The zero value is empty.
type CooperativeList struct{ rows *[]CooperativeMatrix }

// lists holds the one list of the process with some rows, by their JSON.
var lists sync.Map

// CooperativeOf is the list of the given rows.
func CooperativeOf(rows ...CooperativeMatrix) CooperativeList {
	if len(rows) == 0 {
		return CooperativeList{}
	}
	text, _ := json.Marshal(rows)  // plain data
	var own []CooperativeMatrix    // of which the caller changes nothing
	_ = json.Unmarshal(text, &own) // what was marshalled
	list, _ := lists.LoadOrStore(string(text), &own)
	return CooperativeList{list.(*[]CooperativeMatrix)}
}

// Rows lists the products. The caller does not change them.
func (l CooperativeList) Rows() []CooperativeMatrix {
	if l.rows == nil {
		return nil
	}
	return *l.rows
}

// Multiplies reports whether a product is used.
func (l CooperativeList) Multiplies() bool {
	return slices.ContainsFunc(l.Rows(), func(m CooperativeMatrix) bool { return m.Opaque == "" })
}

// String prints the rows with all that they say, for keys of caches.
func (l CooperativeList) String() string {
	text, _ := l.MarshalJSON()
	return string(text)
}

// MarshalJSON writes the rows as an array.
func (l CooperativeList) MarshalJSON() ([]byte, error) { return json.Marshal(l.Rows()) }

// UnmarshalJSON reads an array of rows.
func (l *CooperativeList) UnmarshalJSON(data []byte) error {
	var rows []CooperativeMatrix
	if err := json.Unmarshal(data, &rows); err != nil {
		return err
	}
	*l = CooperativeOf(rows...)
	return nil
}

// MatrixTypes lists the element types of the operands that the device has matrix instructions for, of one kind or another.
func (c Caps) MatrixTypes() Types {
	types := c.Matrix
	for _, row := range c.Cooperative.Rows() {
		if row.Multiplies(row.A) {
			types |= TypesOf(row.A)
		}
	}
	return types
}

// CooperativeFor is the row of cooperative matrices that multiplies elements of a type: the one that
// multiplies most at once, as a row is one instruction or a few of them, of those whose fragments are known if there
// is one. It is zero if there is none.
func (c Caps) CooperativeFor(elem dtype.Type) (best CooperativeMatrix) {
	for _, row := range c.Cooperative.Rows() {
		if !row.Multiplies(elem) {
			continue
		}
		known, was := row.Unknown == "", best.Unknown == ""
		if larger := row.M*row.N*row.K > best.M*best.N*best.K; best.M == 0 || known && !was || known == was && larger {
			best = row
		}
	}
	return best
}

// Narrower is the row like this one, whose fragments are known, whose results have so many columns, or this row if there is none.
func (c Caps) Narrower(than CooperativeMatrix, columns int) CooperativeMatrix {
	for _, row := range c.Cooperative.Rows() {
		if row.Unknown == "" && than.Unknown == "" && row.Multiplies(than.A) && row.M == than.M && row.N == columns && row.K == than.K && row.Threads == than.Threads {
			return row
		}
	}
	return than
}

// Multiplies reports whether the matrices of a subgroup multiply elements of a type and sum in the type that kernels sum in, which for U8 is of the
// size of U32.
func (m CooperativeMatrix) Multiplies(elem dtype.Type) bool {
	sums := dtype.F32
	switch {
	case elem == dtype.U8:
		sums = dtype.U32
	case elem.IsInt():
		sums = dtype.I32
	}
	return m.Scope == SubgroupScope && m.Opaque == "" && !m.Saturating && m.A == elem && m.B == elem && m.C == sums && m.Result == sums
}
