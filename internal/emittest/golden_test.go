package emittest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/simt"
)

var update = flag.Bool("update", false, "rewrite the expected texts in testdata")

// golden are the kernels whose printed IR and emitted texts stand in testdata.
var golden = map[string]func() *simt.Func{
	"add": addKernel, "matmul": matmulKernel, "softmax": softmaxKernel, "loops": loopsKernel,
	"halves": halvesKernel, "vectors": vectorsKernel, "names": namesKernel,
	"packed": packedKernel, "atomics": atomicsKernel, "sharedatomics": sharedAtomicsKernel, "control": controlKernel,
}

func TestGolden(t *testing.T) {
	for name, build := range golden {
		k := build()
		if err := simt.Verify(k); err != nil {
			t.Fatal(err)
		}
		compare(t, name+".simt", k.String())
		compare(t, name+".wgsl", emitWGSL(t, k))
		if name == "halves" || name == "packed" {
			compare(t, name+".f16.wgsl", emitWGSLFor(t, k, extended))
		}
		compare(t, name+".cu", emitCUDA(t, k, "sm_90a"))
		compare(t, name+".spvasm", emitSPIRV(t, k, wholeSPIRV))
	}
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs from the emitted text (-want +got); rewrite it with -update if that is meant:\n%s", path, d)
	}
}
