package tune

import (
	"encoding/json"
	"testing"
)

func TestWords(t *testing.T) {
	for config, want := range map[string]string{
		`"none"`: "none",
		`{"Elem":"f16","Out":"f16","BM":128,"BN":256,"BK":64,"Order":{"Kind":2,"Group":8},"Threads":256,"Stages":4,"Producers":1,"Precision":2,"Weights":{"Bits":0}}`: "tiles 128×256×64, 4 stages, 2 consumer warpgroups + 1 producer, grouped by 8",
		`{"BM":128,"BN":128,"BK":128,"Order":{"Kind":0,"Group":0},"Persistent":132,"Threads":128,"Stages":6,"Producers":1,"Consumers":2,"InFlight":2}`:                "tiles 128×128×128, 6 stages, 2 ping-pong consumer warpgroups + 1 producer, 2 steps of wgmma outstanding, 132 persistent programs",
		`{"BM":64,"BN":64,"BK":32,"Threads":128,"Producers":1}`:                                        "tiles 64×64×32, 1 consumer warpgroup + 1 producer",
		`{"BM":1,"BN":32,"BK":256,"RowByRow":true,"Threads":512,"Stages":4}`:                           "rows one by one, blocks 256×32, 4 stages, 512 threads",
		`{"BM":32,"BN":32,"BK":16,"SplitK":32,"Threads":64,"Stages":0}`:                                "tiles 32×32×16, 64 threads, K split in 32",
		`{"BM":8,"BN":16,"BK":1024,"Threads":128,"Stages":3,"Interleave":128,"SliceK":4}`:              "tiles 8×16×1024, 3 stages, 128 threads, K in 4 slices",
		`{"BM":32,"BN":32,"BK":16,"SplitK":4,"Atomic":true}`:                                           "tiles 32×32×16, K split in 4, added atomically",
		`{"Head":128,"BM":128,"BN":64,"BD":32,"BV":128,"Threads":256,"Resident":true}`:                 "tiles of 128 queries × 64 keys, the head in steps of 32, 256 threads, queries kept on the multiprocessor",
		`{"Algorithm":3,"Kernel":[3,3],"BO":64,"BP":128,"BK":16,"Block":{"Size":[0,0]},"Threads":128}`: "implicit product, tiles 64×128×16, 128 threads",
		`{"Algorithm":1,"Block":{"Size":[1,1,1,16,64],"Memory":[0,1,2,3,4]},"Threads":128}`:            "direct, blocks 1×1×1×16×64, 128 threads",
		`{"Algorithm":1,"Block":{"Size":[1,8,1,4,16]},"Threads":128,"ThreadRows":4,"Channels":1}`:      "direct, blocks 1×8×1×4×16, 128 threads, windows for 4 rows of a thread, 1 channels in one go",
		`{"Algorithm":1,"Block":{"Size":[1,1,8,8,16]},"Threads":128,"ThreadRows":1,"ChannelStep":8}`:   "direct, blocks 1×1×8×8×16, 128 threads, windows for 1 rows of a thread, 8 channels in a step",
		`{"Algorithm":1,"Block":{"Size":[1,4,1,4,128]},"ThreadRows":4,"ThreadColumns":2,"Lead":1}`:     "direct, blocks 1×4×1×4×128, windows for 4 rows and 2 columns of a thread",
		`{"Algorithm":1,"BO":8,"BP":64,"BK":32,"ThreadColumns":4,"ByChannels":true,"Threads":128}`:     "direct, tiles 8×64×32, 128 threads, channels shared by threads of 4 pixels",
		`{"Cols":4096,"Rows":1,"Threads":256,"Programs":1056}`:                                         "tiles 1×4096, 256 threads, 1056 programs to fill the machine",
		`{"Cols":1024,"Block":128,"PerWord":8,"Threads":128}`:                                          "tiles of 1024 elements, 128 threads",
		`{"Cols":1024,"Rest":256,"Rows":1,"Threads":64}`:                                               "tiles 1×1024, a second tile of 256 in a row, 64 threads",
		`{"Area":4096,"Threads":128}`:                                                                  "tiles of 4096 elements, 128 threads",
		`{"Elem":"f32","Rank":3,"Block":[16,1,64,0,0],"Threads":256}`:                                  "blocks 16×1×64, 256 threads",
		`{"Elem":"f32","Block":1024,"Threads":128}`:                                                    "blocks of 1024, 128 threads",
		`{"Rows":{"Block":[1,4096,0],"Threads":128},"Weight":true}`:                                    "blocks 1×4096, 128 threads",
		`{"Speed":7}`: `{"Speed":7}`,
		`{"`:          `{"`,
	} {
		if got := Words(json.RawMessage(config)); got != want {
			t.Errorf("%s\nis %s\nwant %s", config, got, want)
		}
	}
}
