package machine

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft/simt"
)

// kernel is a kernel of 8 threads around some ops.
func kernel(t *testing.T, ops string) *simt.Func {
	t.Helper()
	k, err := simt.Parse(`workgroup k threads=8 {
		buffer 0 x : i32 read
		buffer 1 io : i32 read write
		buffer 2 out : i32 write
		word 0 n : i32
		shared 0 s : i32[8]
		%zero.0 = const 0 : i32
		%one.1 = const 1 : i32
		%three.2 = const 3 : i32
		%thread.3 = thread : i32
		%n.4 = param 0 : i32
		%other.5 = xor %thread.3, %one.1 : i32
		%few.6 = lt %thread.3, %three.2 : bool
		` + ops + "\n}")
	if err == nil {
		err = simt.Verify(k)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// memory is x = 10, 11, ..., io = 20, 21, ..., out = 0, of 8 elements each.
func buffers() [][]byte {
	all := make([][]byte, 3)
	for i := range all {
		for j := range uint32(8) {
			x := uint32(10*(i+1)) + j
			if i == 2 {
				x = 0
			}
			all[i] = binary.LittleEndian.AppendUint32(all[i], x)
		}
	}
	return all
}

// TestRefusals: each of these is an error, and without the step that makes it one, or
// with a barrier, it is none.
func TestRefusals(t *testing.T) {
	for what, c := range map[string]struct{ bad, good, want string }{
		"a read of what another thread wrote": {
			"shared.store s %thread.3, %n.4 \n %9 = shared.load s %other.5 : i32",
			"shared.store s %thread.3, %n.4 \n barrier \n %9 = shared.load s %other.5 : i32",
			"which thread 1 wrote since the last barrier",
		},
		"a write of what another thread read": {
			"shared.store s %thread.3, %n.4 \n barrier \n %9 = shared.load s %other.5 : i32 \n shared.store s %thread.3, %9",
			"shared.store s %thread.3, %n.4 \n barrier \n %9 = shared.load s %thread.3 : i32 \n shared.store s %thread.3, %9",
			"another thread accessed since the last barrier",
		},
		"two writes of one element": {
			"shared.store s %zero.0, %n.4", "shared.store s %thread.3, %n.4",
			"another thread accessed since the last barrier",
		},
		"an element that nobody wrote": {
			"shared.store s %thread.3, %n.4, %few.6 \n barrier \n %9 = shared.load s %other.5 : i32",
			"shared.store s %thread.3, %n.4 \n barrier \n %9 = shared.load s %other.5 : i32",
			"which no thread wrote",
		},
		"a read of a buffer that another thread wrote": {
			"store io %thread.3, %n.4 \n barrier \n %9 = load io %other.5 : i32",
			"store io %thread.3, %n.4 \n barrier buffers \n %9 = load io %other.5 : i32",
			"which thread 1 wrote since the last barrier",
		},
		"a write of a buffer that another thread read": {
			"%9 = load io %other.5 : i32 \n store io %thread.3, %n.4",
			"%9 = load io %thread.3 : i32 \n store io %thread.3, %n.4",
			"which another thread read since the last barrier",
		},
		"stores of no run that meet": {"store io %zero.0, %thread.3", "store io unordered=1 %zero.0, %thread.3", "thread 0 wrote since the last barrier"},
		"disjoint stores that meet":  {"store io disjoint=1 %zero.0, %thread.3", "store io disjoint=1 %thread.3, %thread.3", "thread 0 wrote since the last barrier"},
		"atomic ops of two places":   {"%8 = atomic add io alias=1 %zero.0, %one.1 : i32 \n %9 = atomic add io alias=2 %zero.0, %one.1 : i32", "%8 = atomic add io alias=1 %zero.0, %one.1 : i32 \n %9 = atomic add io alias=1 %zero.0, %one.1 : i32", "since the last barrier"},
		"shared atomic ops of two sets": {"shared.store s %thread.3, %n.4 \n barrier \n shared.atomic add s unordered=1 %zero.0, %one.1 \n shared.atomic add s unordered=2 %zero.0, %one.1",
			"shared.store s %thread.3, %n.4 \n barrier \n shared.atomic add s unordered=1 %zero.0, %one.1 \n shared.atomic add s unordered=1 %zero.0, %one.1", "another thread accessed since the last barrier"},
		"a shared atomic op on what was just written": {"shared.store s %thread.3, %n.4 \n shared.atomic add s unordered=1 %other.5, %one.1",
			"shared.store s %thread.3, %n.4 \n barrier \n shared.atomic add s unordered=1 %other.5, %one.1", "another thread accessed since the last barrier"},
		"a read of what a shared atomic op changed": {"shared.store s %thread.3, %n.4 \n barrier \n shared.atomic add s unordered=1 %other.5, %one.1 \n %9 = shared.load s %thread.3 : i32",
			"shared.store s %thread.3, %n.4 \n barrier \n shared.atomic add s unordered=1 %other.5, %one.1 \n barrier \n %9 = shared.load s %thread.3 : i32", "which thread 1 wrote since the last barrier"},
		"a shared atomic op on what nobody wrote": {"shared.atomic add s unordered=1 %zero.0, %one.1", "%8 = eq %thread.3, %zero.0 : bool \n shared.store s %zero.0, %n.4, %8 \n barrier \n shared.atomic add s unordered=1 %zero.0, %one.1", "which no thread wrote"},
		"an index beyond the end":                 {"%9 = add %thread.3, %one.1 : i32 \n store out %9, %n.4", "store out %thread.3, %n.4", "thread 7 accesses 1 element at 8, the memory has 8"},
		"an index before the start":               {"%9 = sub %thread.3, %one.1 : i32 \n store out %9, %n.4", "store out %thread.3, %n.4", "thread 0 accesses 1 element at -1, the memory has 8"},
		"an index that is masked off":             {"store out %n.4, %n.4", "%8 = const 0 : bool \n store out %n.4, %n.4, %8", "element at 100, the memory has 8"},
		"a vector that is not aligned":            {"%9 = load x %one.1 : i32x2", "%9 = load x %zero.0 : i32x2", "2 elements at 1, the memory has 8"},
		"a division by 0":                         {"%9 = div %n.4, %zero.0 : i32", "%9 = div %n.4, %one.1 : i32", "thread 0: the op has no meaning"},
		"a loop that stands still":                {"for %9 = %zero.0 to %three.2 step %zero.0 {\nyield\n}", "for %9 = %zero.0 to %three.2 step %one.1 {\nyield\n}", "steps from 0 to 0"},
		"a loop without an end":                   {"%8 = const 0 : bool \n while {\nbreak %8\nyield\n}", "%8 = const 1 : bool \n while {\nbreak %8\nyield\n}", "more than"},
		"a partner that does not exist":           {"%9 = shuffle.xor 8 %n.4 : i32", "%9 = shuffle.xor 4 %n.4 : i32", "thread 0 exchanges with a thread that does not exist"},
	} {
		if err := Run(kernel(t, c.bad), [3]int{1, 1, 1}, buffers(), []uint32{100}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
		if err := Run(kernel(t, c.good), [3]int{1, 1, 1}, buffers(), []uint32{100}); err != nil {
			t.Errorf("without %s: %v", what, err)
		}
	}
}

// TestMeaningOfControl computes with every kind of control and compares what threads store.
func TestMeaningOfControl(t *testing.T) {
	for what, c := range map[string]struct {
		ops  string
		want func(thread int) int
	}{
		"threads that loop differently": {`%20 = for %i.10 = %zero.0 to %thread.3 step %one.1, %11 = %three.2 {
				%12 = add %11, %i.10 : i32
				yield %12
			}
			store out %thread.3, %20`, func(t int) int { return 3 + t*(t-1)/2 }},
		"a while": {`%20 = while %10 = %n.4 {
				%11 = lt %10, %three.2 : bool
				break %11
				%12 = sub %10, %three.2 : i32
				yield %12
			}
			store out %thread.3, %20`, func(int) int { return 100 % 3 }},
		"a branch": {`%10 = lt %n.4, %three.2 : bool
			%20 = branch %10 {
				yield %n.4
			} else {
				yield %thread.3
			}
			store out %thread.3, %20`, func(t int) int { return t }},
		"a branch that threads take in both ways": {`%20 = branch %few.6 {
				%11 = load x %thread.3 : i32
				yield %11
			} else {
				yield %thread.3
			}
			store out %thread.3, %20`, func(t int) int {
			if t < 3 {
				return 10 + t
			}
			return t
		}},
		"a condition": {`if %few.6 {
				store out %thread.3, %n.4
			}`, func(t int) int {
			if t < 3 {
				return 100
			}
			return 0
		}},
		"a loop around a while": {`%20 = for %i.10 = %zero.0 to %thread.3 step %one.1, %11 = %zero.0 {
				%18 = while %12 = %zero.0 {
					%13 = ge %12, %three.2 : bool
					break %13
					%14 = add %12, %one.1 : i32
					yield %14
				}
				%19 = add %11, %18 : i32
				yield %19
			}
			store out %thread.3, %20`, func(t int) int { return 3 * t }},
		"an exit": {`%10 = lt %three.2, %n.4 : bool
			exit %10
			store out %thread.3, %n.4`, func(int) int { return 0 }},
		"a shuffle": {`%20 = shuffle.xor 5 %thread.3 : i32
			store out %thread.3, %20`, func(t int) int { return t ^ 5 }},
		"shared atomic ops of all threads": {`shared.store s %thread.3, %zero.0
			barrier
			shared.atomic add s unordered=1 %three.2, %thread.3
			shared.atomic add s unordered=1 %three.2, %one.1, %few.6
			barrier
			%20 = shared.load s %three.2 : i32
			store out %thread.3, %20`, func(int) int { return 28 + 3 }},
		"atomic ops return what was before": {`%20 = atomic add io %zero.0, %three.2 : i32
			store out %thread.3, %20`, func(t int) int { return 20 + 3*t }},
		"a comparing atomic op changes once": {`%8 = const 20 : i32
			%9 = atomic compare io %zero.0, %n.4, %8 : i32
			store out %thread.3, %9`, func(t int) int {
			if t == 0 {
				return 20
			}
			return 100
		}},
		"a shift by too much is anything but harmless": {`%10 = shl %one.1, %n.4 : i32
			store out %thread.3, %10`, func(int) int { return anything }},
	} {
		memory := buffers()
		if err := Run(kernel(t, c.ops), [3]int{1, 1, 1}, memory, []uint32{100}); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		for i := range 8 {
			if got := int(int32(binary.LittleEndian.Uint32(memory[2][4*i:]))); got != c.want(i) {
				t.Errorf("%s: thread %d has %d, want %d", what, i, got, c.want(i))
			}
		}
	}
}

// FuzzRun: no kernel that verifies makes Run panic or go on for ever.
func FuzzRun(f *testing.F) {
	for _, pattern := range []string{"../../simt/testdata/*.simt", "../emittest/testdata/*.simt"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(err, pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := simt.Parse(text)
		if err != nil || simt.Verify(k) != nil || k.LaunchThreads() > 256 || k.SharedBytes() > 1<<16 {
			return
		}
		memory := make([][]byte, len(k.Buffers))
		for i := range memory {
			memory[i] = make([]byte, 1<<12)
		}
		words := make([]uint32, len(k.Words))
		for i := range words {
			words[i] = 3
		}
		views := make([]View, len(k.Maps))
		for i, m := range k.Maps {
			views[i].Sizes, views[i].Strides = make([]int, len(m.Dims)), make([]int, len(m.Dims))
			for d := range m.Dims {
				views[i].Sizes[d], views[i].Strides[d] = 3, 16*d+1-min(d, 1)
			}
		}
		launch := Launch{Grid: [3]int{1, 1, 1}, Buffers: memory, Words: words, Views: views, Schedule: Schedule(len(text)) % Schedules}
		if err := launch.Run(k); err != nil {
			t.Log(err)
		}
	})
}
