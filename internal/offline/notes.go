package offline

import "fmt"

// Fold lists the choices of a compiler, those that are alike once with their number, in the order of the first ones.
func Fold(notes []string) (list []string) {
	counts := map[string]int{}
	for _, n := range notes {
		if counts[n]++; counts[n] == 1 {
			list = append(list, n)
		}
	}
	for i, n := range list {
		if counts[n] > 1 {
			list[i] = fmt.Sprintf("%s (%d times)", n, counts[n])
		}
	}
	return list
}
