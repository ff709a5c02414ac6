package simt

// Table holds a T for each value of a kernel, found by the value's number: the zero T until it is set.
type Table[T any] struct{ rows []T }

// At is the row of a value, valid until the next call.
func (t *Table[T]) At(v *Value) *T {
	if v.ID >= len(t.rows) {
		t.grow(v.ID + 1)
	}
	return &t.rows[v.ID]
}

// Hold makes room for all values of a block, and of the blocks within.
func (t *Table[T]) Hold(b *Block) { t.rows = make([]T, nextID(b)) }

func (t *Table[T]) grow(n int) {
	rows := make([]T, max(2*len(t.rows), n+n/4, 64))
	copy(rows, t.rows)
	t.rows = rows
}
