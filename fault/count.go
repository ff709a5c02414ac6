package fault

import "fmt"

// irregular are the plurals of nouns in errors that do not end in s, or in more than that.
var irregular = map[string]string{"axis": "axes", "entry": "entries", "index": "indices", "identity": "identities"}

// Count is a number of things in an error's text: "1 tensor", "2 tensors", "0 axes".
func Count[N ~int | ~int32 | ~int64 | ~uint32 | ~uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if many, ok := irregular[noun]; ok {
		return fmt.Sprintf("%d %s", n, many)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
