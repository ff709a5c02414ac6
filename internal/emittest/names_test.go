package emittest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weftgpu/weft/backend"
	cudart "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/wgsl"
)

// kept are what a kernel may have as names of views, scalars and itself, and what compilers of some language keep for themselves, though they are
// no keywords of it: names of types and what older versions set aside in WGSL, and functions that NVRTC declares.
var kept = strings.Fields(`
	array atomic bitcast bool f16 f32 f64 i32 i64 u32 u64 ptr sampler sampler_comparison vec2 vec3 vec4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2
	mat4x3 mat4x4 texture_1d texture_2d texture_2d_array texture_3d texture_cube texture_cube_array texture_multisampled_2d texture_depth_2d
	texture_depth_2d_array texture_depth_cube texture_depth_cube_array texture_depth_multisampled_2d texture_storage_1d texture_storage_2d
	texture_storage_2d_array texture_storage_3d CompileShader ComputeShader DomainShader GeometryShader Hullshader binding_array handle inout partition
	signed static_assert type
	CUDARTAPI CUDART_VERSION cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f erfcinvf erfcxf llmax llmin llrint llrintf llround llroundf norm3df
	norm4df normcdf normcdff normcdfinv normcdfinvf rhypot rhypotf rnorm3d rnorm3df rnorm4d rnorm4df rnormf sincospi sincospif ullmax ullmin va_list`)

// keptKernel has all kept names as its parameters and as what it computes from them, and one as the names of a buffer, an array and itself.
func keptKernel(entry, word string) *simt.Func {
	out := output(word, dtype.I32)
	b := start(entry, 32, out)
	shared := b.NewShared(word, dtype.I32, 32)
	at := thread(b)
	sum := at
	for _, w := range kept {
		sum = b.Binary(simt.Add, sum, param(b, w, dtype.I32))
		sum.Hint = w
	}
	b.SharedStore(shared, 0, at, sum, nil)
	b.Store(out, at, b.SharedLoad(shared, at, 1), nil)
	return b.Func
}

// TestKeptNames compiles kernels that have such names.
func TestKeptNames(t *testing.T) {
	t.Run("wgsl", func(t *testing.T) {
		kernels := map[string]*simt.Func{}
		for _, word := range kept {
			kernels[word] = keptKernel(wgsl.EntryName(word), word)
		}
		checkWGSL(t, kernels)
	})
	t.Run("cuda", func(t *testing.T) {
		if _, _, err := cudart.NVRTCVersion(); err != nil {
			testenv.Skip(t, "nvrtc", err.Error())
		}
		for _, word := range kept {
			if err := compileCUDA(t, "sm_90a", emitCUDA(t, keptKernel(cuda.EntryName(word), word), "sm_90a")); err != nil {
				t.Errorf("%s: %v", word, err)
			}
		}
	})
	eachDevice(t, func(t *testing.T, d backend.Device) {
		launched, want := make([]uint32, len(kept)), make([]uint32, 32)
		for i := range launched {
			launched[i] = uint32(i)
		}
		for i := range want {
			want[i] = uint32(i + len(kept)*(len(kept)-1)/2)
		}
		k := keptKernel("words", kept[0])
		if got := execute(t, d, k, 1, launched, 4*len(want)); !bytes.Equal(got, wordsOf(want)) {
			t.Errorf("the sum of %d words is wrong: %v", len(kept), got)
		}
	})
}
