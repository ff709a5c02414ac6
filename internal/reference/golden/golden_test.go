package golden

import (
	"math"
	"testing"
)

// Every file can be read, every array has as many elements as its shape says, and every
// operand is what all float types hold.
func TestFiles(t *testing.T) {
	if len(Families()) < 9 {
		t.Fatalf("only the families %v", Families())
	}
	for _, family := range Families() {
		cases, err := Cases(family)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			for name, a := range c.Arrays {
				n := 1
				for _, s := range a.Shape {
					n *= s
				}
				if n != len(a.X) || n == 0 {
					t.Errorf("%s %s/%s: %d elements for shape %v", family, c.Name, name, len(a.X), a.Shape)
				}
				for _, x := range a.X {
					if x != x {
						t.Errorf("%s %s/%s holds NaN", family, c.Name, name)
					}
					if name == "x" && family != "elementwise" && (x*8 != math.Floor(x*8) || math.Abs(x) > 8) {
						t.Errorf("%s %s/%s holds %v", family, c.Name, name, x)
					}
				}
			}
		}
	}
	if _, err := Cases("none"); err == nil {
		t.Error("a family that is not there gives no error")
	}
}

// A case holds what make.py wrote: the sum of a row of the smallest product by hand.
func TestKnownCase(t *testing.T) {
	cases, err := Cases("matmul")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Name != "vectors" {
			continue
		}
		sum := 0.0
		for i, x := range c.Get("a").X {
			sum += x * c.Get("b").X[i]
		}
		if got := c.Get("y"); len(got.X) != 1 || got.X[0] != sum || c.Get("ta").Int() != 0 || c.Has("c") {
			t.Errorf("%v, want %v", got, sum)
		}
		return
	}
	t.Error("there is no case of two vectors")
}
