package pass

import "testing"

func TestBroken(t *testing.T) {
	for _, c := range []struct {
		passes []string
		broken bool
	}{
		{[]string{"a", "b"}, false}, {[]string{"b", "a", "c", "b"}, false},
		{[]string{"b", "a"}, true}, {[]string{"a"}, true}, {[]string{"b"}, true}, {nil, true},
	} {
		if got := Broken(c.passes, []Order{Before("a", "b", "")}); len(got) > 0 != c.broken {
			t.Errorf("%v: %v", c.passes, got)
		}
	}
}
