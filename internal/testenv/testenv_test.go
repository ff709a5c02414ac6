package testenv

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// recorder is a test that remembers how it ended.
type recorder struct {
	testing.TB
	log             []string
	skipped, failed bool
}

func (r *recorder) Helper()         {}
func (r *recorder) Log(args ...any) { r.log = append(r.log, args[0].(string)) }
func (r *recorder) Skipf(string, ...any) {
	r.skipped = true
	runtime.Goexit()
}
func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	for _, c := range []struct {
		require string
		fails   bool
	}{{"", false}, {"cpu,nvrtc", false}, {"vulkan2", false}, {"vulkan", true}, {"cpu,vulkan,nvrtc", true}} {
		t.Setenv(RequireEnv, c.require)
		r := &recorder{}
		done := make(chan bool)
		returned := false
		go func() {
			defer close(done)
			Skip(r, "vulkan", "no loader")
			returned = true
		}()
		<-done
		if returned || r.failed != c.fails || r.skipped == c.fails {
			t.Errorf("%s=%q: returned %v, failed %v, skipped %v", RequireEnv, c.require, returned, r.failed, r.skipped)
		}
	}
}

func TestReport(t *testing.T) {
	r := &recorder{}
	Report(r, "device:\n\tx  y")
	if got := strings.Join(r.log, "|"); got != Mark+"device: x y" {
		t.Errorf("got %q", got)
	}
}

// Each way gets its share of the cases, another one with another seed, and all of them without one.
func TestTurn(t *testing.T) {
	for ways := 2; ways <= 5; ways++ {
		checkTurns(t, ways)
	}
}

func checkTurns(t *testing.T, ways int) {
	const cases = 3000
	turns := map[string][cases]int{}
	for _, seed := range []string{"", "4876b11", "4876b12"} {
		t.Setenv(SampleEnv, seed)
		var chosen [cases]int
		counts := map[int]int{}
		for i := range cases {
			chosen[i] = Turn(fmt.Sprint("case", i), ways)
			counts[chosen[i]]++
			if chosen[i] != Turn(fmt.Sprint("case", i), ways) {
				t.Errorf("seed %q, case %d: not the same twice", seed, i)
			}
		}
		if turns[seed] = chosen; seed == "" {
			if counts[-1] != cases {
				t.Errorf("without a seed: %v", counts)
			}
			continue
		}
		for w := range ways {
			if n := counts[w]; n < cases/ways*9/10 || n > cases/ways*11/10 {
				t.Errorf("seed %q: %v", seed, counts)
			}
		}
	}
	same := 0
	for i := range cases {
		if turns["4876b11"][i] == turns["4876b12"][i] {
			same++
		}
	}
	if same > cases/ways*12/10 {
		t.Errorf("%d of %d cases are the same for two seeds", same, cases)
	}
}

// Shares, samples and turns agree: without a seed all, with one a part.
func TestSample(t *testing.T) {
	const cases = 1000
	for seed, want := range map[string]int{"": cases, "4876b11": cases / SampleParts} {
		t.Setenv(SampleEnv, seed)
		if n := Share(cases); n != want {
			t.Errorf("seed %q: a share of %d, want %d", seed, n, want)
		}
		in := 0
		for i := range cases {
			if InSample(fmt.Sprint("case", i)) {
				in++
			}
		}
		if in < want*8/10 || in > want*12/10 {
			t.Errorf("seed %q: %d cases are in the sample, want about %d", seed, in, want)
		}
	}
	for i := range 20 {
		name := fmt.Sprint("case", i)
		ok := t.Run(name, func(t *testing.T) {
			defer func() {
				if t.Skipped() == InSample(t.Name()) {
					t.Errorf("skipped %v, in the sample %v", t.Skipped(), InSample(t.Name()))
				}
			}()
			Sample(t)
		})
		if !ok {
			return
		}
	}
}
