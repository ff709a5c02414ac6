package pass

// Order says which of two passes must run first, by their names, and why.
type Order struct{ Before, After, Why string }

// Before is the order of two passes, the first of which runs first.
func Before(first, then, why string) Order { return Order{first, then, why} }
