package machine

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/simt"
)

// clusterPipeline adds the columns of a matrix of halves, of which the two workgroups of a cluster copy 8 rows each, to both of them, and to the sums
// of each those of 8 rows that it copies for itself from another matrix, as many below each other as there are workgroups.
const clusterPipeline = `workgroup pipeline threads=64 producers=32 cluster=2 {
	buffer 0 x : f16 read
	buffer 1 y : f32 write
	map 0 m : x of view 0 dims 1, 0 box 64, 8
	word 0 blocks : i32
	word 1 stages : i32
	shared 0 tile : f16[4096]
	shared 1 own : f16[2048]
	shared 2 full : u64[4] arrivals=1
	shared 3 empty : u64[4] arrivals=4
	%blocks.0 = param 0 : i32
	%stages.1 = param 1 : i32
	%zero.2 = const 0 : i32
	%one.3 = const 1 : i32
	%eight.4 = const 8 : i32
	%stage.5 = const 1024 : i32
	%line.6 = const 64 : i32
	%none.7 = const 0 : f32
	%thread.8 = thread : i32
	%id.9 = workgroup 0 : i32
	%rows.50 = const 16 : i32
	%half.51 = const 512 : i32
	%seven.52 = const 7 : i32
	cluster.barrier
	roles {
		for %i.10 = %zero.2 to %blocks.0 step %one.3 {
			%slot.11 = rem %i.10, %stages.1 : i32
			%round.12 = div %i.10, %stages.1 : i32
			%parity.13 = and %round.12, %one.3 : i32
			%before.14 = xor %parity.13, %one.3 : i32
			%at.15 = mul %slot.11, %stage.5 : i32
			%own_at.53 = mul %slot.11, %half.51 : i32
			%row.16 = mul %i.10, %rows.50 : i32
			%own_row.54 = mul %id.9, %eight.4 : i32
			barrier.wait empty %slot.11, %before.14
			barrier.expect 3072 full %slot.11
			tensor.copy m own full %own_at.53, %slot.11, %zero.2, %own_row.54
			tensor.copy m tile full multicast=2 %at.15, %slot.11, %zero.2, %row.16
			yield
		}
		%end.55 = add %blocks.0, %stages.1 : i32
		for %i.56 = %blocks.0 to %end.55 step %one.3 {
			%slot.57 = rem %i.56, %stages.1 : i32
			%round.58 = div %i.56, %stages.1 : i32
			%parity.59 = and %round.58, %one.3 : i32
			%last.60 = xor %parity.59, %one.3 : i32
			barrier.wait empty %slot.57, %last.60
			yield
		}
	} else {
		%sum.30 = for %i.20 = %zero.2 to %blocks.0 step %one.3, %sum.21 = %none.7 {
			%slot.22 = rem %i.20, %stages.1 : i32
			%round.23 = div %i.20, %stages.1 : i32
			%parity.24 = and %round.23, %one.3 : i32
			%before.25 = xor %parity.24, %one.3 : i32
			%at.26 = mul %slot.22, %stage.5 : i32
			%own_at.61 = mul %slot.22, %half.51 : i32
			barrier.wait full %slot.22, %parity.24
			%sum.41 = for %j.31 = %zero.2 to %rows.50 step %one.3, %sum.32 = %sum.21 {
				%from.33 = mul %j.31, %line.6 : i32
				%k.62 = and %j.31, %seven.52 : i32
				%chunk.34 = mul %k.62, %eight.4 : i32
				%place.35 = xor %thread.8, %chunk.34 : i32
				%a.36 = add %at.26, %from.33 : i32
				%b.37 = add %a.36, %place.35 : i32
				%x.38 = shared.load tile %b.37 : f32
				%sum.39 = add %sum.32, %x.38 : f32
				yield %sum.39
			}
			%c.63 = add %own_at.61, %thread.8 : i32
			%x.64 = shared.load own %c.63 : f32
			%sum.65 = add %sum.41, %x.64 : f32
			barrier.arrive empty cluster %slot.22
			yield %sum.65
		}
		%to.66 = mul %id.9, %line.6 : i32
		%at.67 = add %to.66, %thread.8 : i32
		store y %at.67, %sum.30
	}
}
`

// runCluster executes a text like clusterPipeline on a matrix, with two clusters, and compares the sums.
func runCluster(text string, schedule Schedule, rows, columns, blocks, stages int) error {
	return runSums(text, schedule, 4, rows, columns, blocks, stages, func(at func(row, column int) float64, i int) (sum float64) {
		for row := range 16 * blocks {
			sum += at(row, i%64)
		}
		return sum + float64(blocks)*at(i/64*8, i%64) // the first line of its own, as often as there are blocks
	})
}

// TestClusters: circular buffers that two workgroups fill for each other compute the same in every schedule.
func TestClusters(t *testing.T) {
	for schedule := range Schedules {
		for stages := 1; stages <= 4; stages++ {
			for _, blocks := range []int{0, 1, 2, 3, 7} {
				for _, size := range [][2]int{{16 * blocks, 64}, {16*blocks + 3, 41}, {max(1, 16*blocks-5), 9}} {
					if err := runCluster(clusterPipeline, schedule, size[0], size[1], blocks, stages); err != nil {
						t.Fatalf("%v: %d stages, %d blocks of %v: %v", schedule, stages, blocks, size, err)
					}
				}
			}
		}
	}
}

// TestClusterIsMinimal: in every schedule, such a kernel that lacks any one of its ops on barriers, its copies or the barrier of the cluster, waits for
// another parity, or arrives at its own barrier alone, is found to be wrong.
func TestClusterIsMinimal(t *testing.T) {
	run := func(text string, schedule Schedule, stages int) error {
		return runCluster(text, schedule, 160, 64, 10, stages)
	}
	found := eachChange(t, clusterPipeline, run, func(line string) (changes []string) {
		if strings.Contains(line, "barrier.wait") {
			changes = append(changes, strings.NewReplacer("before.14", "parity.13", "parity.24", "before.25", "last.60", "parity.59").Replace(line))
		}
		if strings.Contains(line, "barrier.arrive") {
			changes = append(changes, strings.Replace(line, " cluster", "", 1))
		}
		if strings.Contains(line, "multicast=2 %") {
			changes = append(changes, strings.Replace(line, " multicast=2", "", 1))
		}
		if strings.Contains(line, "\tbarrier.") || strings.Contains(line, "tensor.copy") || strings.Contains(line, "cluster.barrier") {
			changes = append(changes, "")
		}
		return changes
	})
	if found != 13 {
		t.Errorf("%d changes, want 13", found)
	}
}

// TestClusterRefusals: other faults, each with what is said in at least one schedule, and an error in all.
func TestClusterRefusals(t *testing.T) {
	for what, c := range map[string]struct{ from, to, want string }{
		"bytes of one workgroup alone":     {"expect 3072", "expect 2048", "bytes more than phase"},
		"more bytes than come":             {"expect 3072", "expect 3088", "waits forever"},
		"arrivals of one workgroup alone":  {"empty : u64[4] arrivals=4", "empty : u64[4] arrivals=2", "phase 0 of empty[0]"},
		"an end that waits for one stage":  {"%end.55 = add %blocks.0, %stages.1", "%end.55 = add %blocks.0, %one.3", "which may have ended"},
		"an end that waits for nothing":    {"%end.55 = add %blocks.0, %stages.1", "%end.55 = add %blocks.0, %zero.2", "which may have ended"},
		"parts beyond the array":           {"tile : f16[4096]", "tile : f16[3072]", "512 elements at 3072, the memory has 3072"},
		"a barrier of the workgroup alone": {"\tcluster.barrier\n", "\tbarrier\n", "which may not have begun"},
	} {
		text := strings.Replace(clusterPipeline, c.from, c.to, 1)
		if text == clusterPipeline {
			t.Fatalf("%s: nothing changes", what)
		}
		expectFault(t, what, c.want, func(schedule Schedule) error { return runCluster(text, schedule, 160, 64, 10, 4) })
	}
	k, err := simt.Parse(clusterPipeline)
	if err != nil {
		t.Fatal(err)
	}
	launch := Launch{Grid: [3]int{3, 1, 1}, Buffers: [][]byte{make([]byte, 2048), make([]byte, 1024)}, Words: []uint32{0, 1},
		Views: []View{{Sizes: []int{64, 16}, Strides: []int{1, 64}}}}
	if err := launch.Run(k); err == nil || !strings.Contains(err.Error(), "3 workgroups are not whole clusters of 2") {
		t.Errorf("a workgroup without its cluster: %v", err)
	}
}
