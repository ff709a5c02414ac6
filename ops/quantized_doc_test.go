package ops_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/weftgpu/weft/ops"
)

// The comment of an alias is all that readers see of a struct in an internal package: that of QuantScheme lists its fields, with their types.
func TestQuantSchemeIsDescribed(t *testing.T) {
	source, err := os.ReadFile("quantized.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, found := strings.Cut(string(source), "\ntype QuantScheme = ")
	if !found {
		t.Fatal("QuantScheme is no alias: its comment need not list its fields")
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+) +(\S+) +//`).FindAllStringSubmatch(comment, -1) {
		got = append(got, m[1]+" "+m[2])
	}
	var want []string
	for f := range reflect.TypeFor[ops.QuantScheme]().Fields() {
		want = append(want, f.Name+" "+strings.TrimPrefix(f.Type.String(), "kernels."))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the comment lists %q, the struct has %q", got, want)
	}
}
