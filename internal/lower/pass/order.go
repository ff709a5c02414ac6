package pass

// Order says that a pass must run behind another, by their names, and why.
type Order struct{ Before, After, Why string }

// Before is the order of two passes, the first of which runs first.
func Before(first, then, why string) Order { return Order{first, then, why} }
