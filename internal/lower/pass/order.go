package pass

import "slices"

// Order says which of two passes must run first, by their names, and why.
type Order struct{ Before, After, Why string }

// Before is the order of two passes, the first of which runs first.
func Before(first, then, why string) Order { return Order{first, then, why} }

// Broken lists the orders that a list of passes breaks: After does not run after the first Before.
func Broken(passes []string, orders []Order) (broken []Order) {
	for _, o := range orders {
		before := slices.Index(passes, o.Before)
		if before < 0 || !slices.Contains(passes[before:], o.After) {
			broken = append(broken, o)
		}
	}
	return broken
}
