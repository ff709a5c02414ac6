package cuda

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// declared finds what the emitted texts declare in addition to the kernel: functions and types.
var declared = regexp.MustCompile(`(?m)^(?:__device__ inline .*?(\w+)\(|struct (?:alignas\(\d+\) )?(\w+) \{)`)

// TestHelperNames: no kernel, parameter or variable takes the name of what texts declare, or it would hide it.
func TestHelperNames(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../ops/testdata/*.cu", "../internal/emittest/testdata/*.cu"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(list), err)
		}
		files = append(files, list...)
	}
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, names := range declared.FindAllSubmatch(text, -1) {
			name := string(names[1]) + string(names[2])
			if !found[name] && newNames().Fits(name) {
				t.Errorf("%s: %s may be the name of something else, too", file, name)
			}
			found[name] = true
		}
	}
	if len(found) < 20 {
		t.Errorf("%d names in all texts: %v", len(found), found)
	}
}
