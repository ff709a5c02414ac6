package setting

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/fault"
)

func TestCheck(t *testing.T) {
	s := New("WEFT_TEST_SETTING", "go", "avx2", "neon")
	for _, v := range []string{"", "go", "AVX2"} {
		t.Setenv(s.Name, v)
		if err := Check(); err != nil {
			t.Errorf("%q: %v", v, err)
		}
	}
	if v := s.Value(); v != "avx2" {
		t.Errorf("the value of AVX2 is %q", v)
	}
	t.Setenv(s.Name, "avx")
	err := Check()
	if !errors.Is(err, fault.ErrArgument) || err.Error() != "weft: environment: WEFT_TEST_SETTING=avx, want go, avx2 or neon: invalid argument" {
		t.Errorf("of a wrong value: %v", err)
	}
	if v := s.Value(); v != "" {
		t.Errorf("a wrong value is %q", v)
	}
}
