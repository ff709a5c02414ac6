package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// productConfigs are the further forms of products: batches, epilogues, one row, persistent programs, the largest tiles.
func productConfigs(caps target.Caps, elem weft.DType, side int) map[string]ops.MatMulConfig {
	linear := squareConfig(caps, elem, side)
	linear.Epilogue.Steps = [4]*weft.Map{ops.AddMap, ops.GELUMap}
	linear.Epilogue.Inputs[0] = kernels.EpilogueTensor{Elem: elem, Cols: true}

	batched := kernels.MatMulConfigFor(caps, elem, 64, 64, side, 3, 5)
	batched.Out, batched.Persistent = weft.F32, 100
	batched.Epilogue.Alpha, batched.Epilogue.Beta = true, true
	batched.Epilogue.Steps = [4]*weft.Map{ops.AddMap}
	batched.Epilogue.Inputs[0] = kernels.EpilogueTensor{Elem: weft.F16, Rows: true, Cols: true}

	row := kernels.MatMulConfigFor(caps, elem, 1, side, side)
	row.SplitK = 0
	large := kernels.MatMulConfigFor(caps, elem, 4096, 4096, 4096)
	configs := map[string]ops.MatMulConfig{"linear": linear, "matmul_batched": batched, "matmul_row": row, "matmul_large": large}
	if large.Producers > 0 {
		turns := large
		turns.BM, turns.BN, turns.Threads, turns.Stages, turns.Consumers, turns.InFlight = 128, 128, 128, 5, 2, 2
		flight := large
		flight.InFlight = 2
		configs["matmul_turns"], configs["matmul_in_flight"] = turns, flight
	}
	if caps.Clusters && large.Producers > 0 {
		large.Cluster = 2
		configs["matmul_cluster"] = large
		turns := configs["matmul_turns"]
		turns.Cluster = 2
		configs["matmul_cluster_turns"] = turns
	}
	return configs
}

// productKernels are the kernels of those configs, of F32 in parts, and of products of bytes.
func productKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	configs := productConfigs(caps, elem, side)
	if elem == weft.F32 {
		configs["matmul_i8"] = kernels.MatMulConfigFor(caps, weft.I8, 64, 64, side)
		parts := configs["matmul_large"]
		parts.Precision = tile.TF32x3
		if caps.Matrix.Has(weft.F32) {
			parts.BN, parts.BK, parts.Threads, parts.Stages = 64, 32, 128, 3 // those of its rule
		}
		configs["matmul_tf32x3"] = parts
		if caps.WarpGroups { // multiply them where the right operand is K-major, as in transposed arguments
			parts.BN, parts.Threads, parts.Stages = 128, 256, 5
			configs["matmul_tf32x3_groups"] = parts
		}
		if caps.TensorMaps { // whose left operand is MN-major in transposed arguments
			words := kernels.MatMulConfigFor(caps, weft.F16, 4096, 4096, 4096)
			words.Elem, words.Out, words.Precision, words.BK, words.Stages = weft.F32, weft.F32, tile.TF32, 32, 4
			configs["matmul_tf32_words"] = words
			words.Epilogue.Steps = [4]*weft.Map{ops.AddMap, ops.GELUMap}
			words.Epilogue.Inputs[0] = kernels.EpilogueTensor{Elem: weft.F32, Rows: true} // a row of the product that this is the transpose of
			configs["matmul_tf32_words_linear"] = words
		}
		if caps.AsyncCopy { // with as many accumulators as leave registers for fragments of four steps
			vectors := kernels.MatMulOf(weft.F32, tile.IEEE, 0)
			vectors.BM, vectors.BN, vectors.BK, vectors.Threads, vectors.KMajor = 128, 128, 16, 128, true
			configs["matmul_kmajor"] = vectors
		}
		configs["matmul_u8_rows"] = kernels.MatMulConfigFor(caps, weft.U8, 3, 64, side)
	}
	row := configs["matmul_row"]
	row.SplitK = 0
	if gated, ok := row.ForGate(); ok {
		configs["linear_swiglu"] = gated
	}
	list := map[string]*tile.Func{}
	if heads := kernels.AttentionConfigFor(caps, elem, 4096, 4096, 128); caps.TensorMaps && elem.Size() == 2 {
		heads.BM, heads.BN, heads.Threads, heads.Stages, heads.Producers, heads.Last = 128, 128, 256, 2, 1, true
		k, err := kernels.Attention.Build(heads)
		if err != nil {
			t.Fatal(err)
		}
		list["attention_producers"] = k
		wide := kernels.AttentionConfigFor(caps, elem, 4096, 4096, 256)
		wide.Last = true
		if list["attention_256"], err = kernels.Attention.Build(wide); err != nil {
			t.Fatal(err)
		}
	}
	if caps.WarpGroups && elem == weft.F16 { // two parts of 64 queries in each warpgroup
		k, err := kernels.Attention.Build(kernels.AttentionConfigFor(caps, elem, side, side, 64))
		if err != nil {
			t.Fatal(err)
		}
		list["attention_64"] = k
	}
	for name, cfg := range configs {
		if cfg.SplitK > 1 {
			cfg.SplitK = 0
		}
		k, err := kernels.MatMul.Build(cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list[name] = k
	}
	return list
}
