package machine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// pipeline adds the columns of a matrix of halves, of which a producer copies 8 rows at a time to a circular buffer of some stages. Each of the 64
// threads adds one column, in its place in the exchanged chunks.
const pipeline = `workgroup pipeline threads=64 producers=32 {
	buffer 0 x : f16 read
	buffer 1 y : f32 write
	map 0 m : x of view 0 dims 1, 0 box 64, 8
	word 0 blocks : i32
	word 1 stages : i32
	shared 0 tile : f16[2048]
	shared 1 full : u64[4] arrivals=1
	shared 2 empty : u64[4] arrivals=2
	%blocks.0 = param 0 : i32
	%stages.1 = param 1 : i32
	%zero.2 = const 0 : i32
	%one.3 = const 1 : i32
	%eight.4 = const 8 : i32
	%stage.5 = const 512 : i32
	%line.6 = const 64 : i32
	%none.7 = const 0 : f32
	%thread.8 = thread : i32
	roles {
		for %i.10 = %zero.2 to %blocks.0 step %one.3 {
			%slot.11 = rem %i.10, %stages.1 : i32
			%round.12 = div %i.10, %stages.1 : i32
			%parity.13 = and %round.12, %one.3 : i32
			%before.14 = xor %parity.13, %one.3 : i32
			%at.15 = mul %slot.11, %stage.5 : i32
			%row.16 = mul %i.10, %eight.4 : i32
			barrier.wait empty %slot.11, %before.14
			barrier.expect 1024 full %slot.11
			tensor.copy m tile full %at.15, %slot.11, %zero.2, %row.16
			yield
		}
	} else {
		%sum.30 = for %i.20 = %zero.2 to %blocks.0 step %one.3, %sum.21 = %none.7 {
			%slot.22 = rem %i.20, %stages.1 : i32
			%round.23 = div %i.20, %stages.1 : i32
			%parity.24 = and %round.23, %one.3 : i32
			%before.25 = xor %parity.24, %one.3 : i32
			%at.26 = mul %slot.22, %stage.5 : i32
			barrier.wait full %slot.22, %parity.24
			%sum.41 = for %j.31 = %zero.2 to %eight.4 step %one.3, %sum.32 = %sum.21 {
				%from.33 = mul %j.31, %line.6 : i32
				%chunk.34 = mul %j.31, %eight.4 : i32
				%place.35 = xor %thread.8, %chunk.34 : i32
				%a.36 = add %at.26, %from.33 : i32
				%b.37 = add %a.36, %place.35 : i32
				%x.38 = shared.load tile %b.37 : f32
				%sum.39 = add %sum.32, %x.38 : f32
				yield %sum.39
			}
			barrier.arrive empty %slot.22
			yield %sum.41
		}
		store y %thread.8, %sum.30
	}
}
`

// runPipeline executes a text like pipeline on a matrix and compares the sums.
func runPipeline(text string, schedule Schedule, rows, columns, blocks, stages int) error {
	return runSums(text, schedule, 1, rows, columns, blocks, stages, func(at func(row, column int) float64, i int) (sum float64) {
		for row := range 8 * blocks {
			sum += at(row, i)
		}
		return sum
	})
}

// runSums executes a kernel in some workgroups of 64 threads on a matrix of halves, with the numbers of blocks and of stages as words, and compares what it
// stores with what element i should be, given the elements of the matrix, which are 0 outside.
func runSums(text string, schedule Schedule, workgroups, rows, columns, blocks, stages int, want func(at func(row, column int) float64, i int) float64) error {
	k, err := simt.Parse(text)
	if err != nil {
		return err
	}
	const stride, offset = 72, 16
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	values, got := make([]float64, offset+rows*stride), make([]float64, 64*workgroups)
	for i := range values {
		values[i] = float64(rng.IntN(64) + 1) // around the view, too
	}
	memory := [][]byte{make([]byte, 2*len(values)), make([]byte, 4*len(got))}
	dtype.PutFloats(dtype.F16, memory[0], values)
	launch := Launch{
		Grid: [3]int{workgroups, 1, 1}, Buffers: memory, Words: []uint32{uint32(blocks), uint32(stages)}, Schedule: schedule,
		Views: []View{{Offset: offset, Sizes: []int{columns, rows}, Strides: []int{1, stride}}},
	}
	if err := launch.Run(k); err != nil {
		return err
	}
	dtype.Floats(dtype.F32, got, memory[1])
	at := func(row, column int) float64 {
		if row >= rows || column >= columns {
			return 0
		}
		return values[offset+row*stride+column]
	}
	for i, x := range got {
		if sum := want(at, i); x != sum {
			return fmt.Errorf("%w: sum %d is %v, want %v", errOther, i, x, sum)
		}
	}
	return nil
}

var errOther = errors.New("another result")

// TestPipelines: circular buffers of any number of stages and blocks compute the same in every schedule, and what is outside of the view is 0.
func TestPipelines(t *testing.T) {
	for schedule := range Schedules {
		for stages := 1; stages <= 4; stages++ {
			for _, blocks := range []int{0, 1, 2, 3, 7, 12} {
				for _, size := range [][2]int{{8 * blocks, 64}, {8*blocks + 3, 41}, {max(1, 8*blocks-5), 9}} {
					if err := runPipeline(pipeline, schedule, size[0], size[1], blocks, stages); err != nil {
						t.Fatalf("%v: %d stages, %d blocks of %v: %v", schedule, stages, blocks, size, err)
					}
				}
			}
		}
	}
}

// TestPipelineIsMinimal: in every schedule, a pipeline that lacks any one of its ops on barriers, or waits for another parity, is found to be wrong.
func TestPipelineIsMinimal(t *testing.T) {
	run := func(text string, schedule Schedule, stages int) error {
		return runPipeline(text, schedule, 80, 64, 10, stages)
	}
	found := eachChange(t, pipeline, run, func(line string) (changes []string) {
		if strings.Contains(line, "barrier.wait") {
			changes = append(changes, strings.NewReplacer("before.14", "parity.13", "parity.24", "before.25").Replace(line))
		}
		if strings.Contains(line, " barrier.") || strings.Contains(line, "\tbarrier.") || strings.Contains(line, "tensor.copy") {
			changes = append(changes, "")
		}
		return changes
	})
	if found != 7 {
		t.Errorf("%d changes, want 7", found)
	}
}

// eachChange replaces one line of a kernel by another, each that changes gives for it, and expects an error, and not of its results alone, in every
// schedule and with one to three stages. It returns how many there were.
func eachChange(t *testing.T, text string, run func(text string, schedule Schedule, stages int) error, changes func(line string) []string) (found int) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		for _, to := range changes(line) {
			found++
			other := slices.Clone(lines)
			other[i] = to
			for schedule := range Schedules {
				for stages := 1; stages <= 3; stages++ {
					err := run(strings.Join(other, ""), schedule, stages)
					if err == nil || errors.Is(err, errOther) {
						t.Errorf("%v: %d stages with %q for %q: %v", schedule, stages, strings.TrimSpace(to), strings.TrimSpace(line), err)
					}
				}
			}
		}
	}
	return found
}

// expectFault expects an error, and not of the results alone, in every schedule, and in one of them what is wanted.
func expectFault(t *testing.T, what, want string, run func(schedule Schedule) error) {
	t.Helper()
	said := false
	for schedule := range Schedules {
		err := run(schedule)
		if err == nil || errors.Is(err, errOther) {
			t.Errorf("%v: %s: %v", schedule, what, err)
		}
		said = said || strings.Contains(fmt.Sprint(err), want)
	}
	if !said {
		t.Errorf("%s: nothing says %q", what, want)
	}
}

// TestPipelineRefusals: other faults of pipelines, each with what is said in at least one schedule, and an error in all.
func TestPipelineRefusals(t *testing.T) {
	release := "\t\t\tbarrier.arrive empty %slot.22\n"
	for what, c := range map[string]struct {
		from, to string // in the text
		want     string
	}{
		"a release before the last read":        {"\t\t\tyield %sum.41", "yield %sum.41", "which other threads may still use"},
		"fewer bytes than come":                 {"expect 1024", "expect 512", "512 bytes more than phase 0 of full[0] expects"},
		"more bytes than come":                  {"expect 1024", "expect 1040", "waits forever"},
		"fewer arrivals than warps":             {"arrivals=2", "arrivals=1", "arrivals of one op end phase 0 of empty[0], which has 1"},
		"more arrivals than warps":              {"arrivals=2", "arrivals=3", "phase 0 of empty"},
		"two releases":                          {release, release + release, "phase 1 of empty[0]"},
		"a copy that does not begin a line":     {"%stage.5 = const 512", "%stage.5 = const 504", "512 elements at 504, the memory has 2048"},
		"a copy beyond the array":               {"f16[2048]", "f16[1024]", "512 elements at 1024, the memory has 1024"},
		"a copy before the array":               {"%stage.5 = const 512", "%stage.5 = const -512", "elements at -512, the memory has 2048"},
		"a barrier that is none":                {"full : u64[4]", "full : u64[2]", "element 2 is outside of memory of 2"},
		"a parity that is none":                 {"full %slot.22, %parity.24", "full %slot.22, %eight.4", "parity 8"},
		"threads that disagree":                 {"full %slot.22, %parity.24", "full %slot.22, %thread.8", "disagree on operand 1"},
		"another barrier's end":                 {"barrier.wait full %slot.22", "barrier.wait full %zero.2", "whose copy it has not waited for"},
		"one stage for all":                     {"%at.15 = mul %slot.11", "%at.15 = mul %zero.2", "to which another copy is outstanding"},
		"a copy that nobody waits for":          {"for %i.20 = %zero.2 to %blocks.0", "for %i.20 = %one.3 to %blocks.0", ""},
		"a copy too many":                       {"\t\t\ttensor.copy m tile full %at.15", "\t\t\ttensor.copy m tile full %at.15, %slot.11, %zero.2, %row.16\n\t\t\ttensor.copy m tile full %at.15", "1024 bytes more than phase"},
		"bytes that come before they are known": {"\t\t\tbarrier.expect 1024 full %slot.11\n\t\t\ttensor.copy m tile full %at.15, %slot.11, %zero.2, %row.16\n", "\t\t\ttensor.copy m tile full %at.15, %slot.11, %zero.2, %row.16\n\t\t\tbarrier.expect 1024 full %slot.11\n", ""},
	} {
		text := strings.Replace(pipeline, c.from, c.to, 1)
		if what == "a release before the last read" {
			text = strings.Replace(pipeline, release, "", 1)
			text = strings.Replace(text, "\t\t\t%sum.41", release+"\t\t\t%sum.41", 1)
		}
		if text == pipeline {
			t.Fatalf("%s: nothing changes", what)
		}
		expectFault(t, what, c.want, func(schedule Schedule) error { return runPipeline(text, schedule, 80, 64, 10, 3) })
	}
}
