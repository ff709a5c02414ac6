package ops_test

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// BenchmarkCompile is the way from a description to source text: builder,
// lowering and emission, without the device's own compiler but for the CPU. It reports the
// lines of the text.
func BenchmarkCompile(b *testing.B) {
	b.Setenv("WEFT_CHECK", "0") // as in programs that are no tests
	l := dense([]int{4096, 4096})
	for _, caps := range []target.Caps{wgslCaps, cudaCaps, spirvCaps, cpuCaps} {
		softmax, _ := kernels.SoftmaxConfigFor(caps, weft.F32, l)
		for name, build := range map[string]func() (*tile.Func, error){
			"add": func() (*tile.Func, error) {
				k := weft.NewMap("add", []string{"a", "b"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[1]) })
				return k.Kernel.Build(elementwise.ConfigFor(caps, weft.F32, weft.F32, l, l, l))
			},
			"matmul": func() (*tile.Func, error) {
				return tile.Build("matmul", func(k *tile.Builder) {
					ops.DescribeMatMul(k, kernels.MatMulConfigFor(caps, weft.F32, 4096, 4096, 4096))
				})
			},
			"softmax": func() (*tile.Func, error) {
				return tile.Build("softmax", func(k *tile.Builder) { ops.DescribeSoftmax(k, softmax) })
			},
			"attention": func() (*tile.Func, error) { // the largest; built once, which is the least part
				cfg := kernels.AttentionConfigFor(caps, weft.F32, 4096, 4096, 128)
				cfg.Last = true
				return kernels.Attention.Build(cfg)
			},
		} {
			b.Run(name+"/"+caps.Language.String(), func(b *testing.B) {
				b.ReportAllocs()
				lines := 0
				for b.Loop() {
					k, err := build()
					if err != nil {
						b.Fatal(err)
					}
					a, err := compile.Emit(k, families[0].facts(k, 4096), caps)
					if err != nil {
						b.Fatal(err)
					}
					if p, ok := a.Source.IR.(*interp.Program); ok { // which the device's compiler makes machine code
						if err := p.Compile(); err != nil {
							b.Fatal(err)
						}
					}
					lines = strings.Count(a.Source.Text, "\n")
				}
				b.ReportMetric(float64(lines), "lines")
			})
		}
	}
}
