//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
)

// needNVRTC skips the test where there is no NVRTC.
func needNVRTC(t *testing.T) *nvrtcLib {
	t.Helper()
	lib, err := theNVRTC()
	if err != nil {
		testenv.Skip(t, "nvrtc", err.Error())
	}
	return lib
}

func TestCompileNVRTC(t *testing.T) {
	lib := needNVRTC(t)
	major, minor, err := NVRTCVersion()
	if err != nil || major != lib.major || minor != lib.minor || major < 11 {
		t.Fatalf("version %d.%d, error %v", major, minor, err)
	}
	for _, arch := range []string{"sm_80", "sm_90a"} {
		for name, text := range testKernels {
			cubin, _, err := CompileNVRTC(arch, name+".cu", text)
			if err != nil {
				t.Fatal(err)
			}
			if err := checkImage("test", cubin); err != nil {
				t.Errorf("%s for %s: %v", name, arch, err)
			}
			if !strings.Contains(string(cubin), ".text."+name) {
				t.Errorf("%s for %s: the cubin has no code for the entry point", name, arch)
			}
			// Any part of a cubin is refused before the driver reads beyond it.
			for cut := 0; cut < len(cubin); cut += 1 + len(cubin)/97 {
				if checkImage("test", cubin[:cut]) == nil {
					t.Fatalf("%s for %s: the first %d of %d bytes pass for a cubin", name, arch, cut, len(cubin))
				}
			}
		}
	}
	testenv.Report(t, fmt.Sprintf("nvrtc: %d.%d from %s", major, minor, lib.path))
}

// TestCompileOptions proves which dialect is compiled: C++17, functions are
// device functions, division and denormals are IEEE, Hopper's own instructions
// exist for sm_90a alone.
func TestCompileOptions(t *testing.T) {
	needNVRTC(t)
	const dialect = `
template <class... T> float sum(T... x) { return (x + ...); }
static_assert(__cplusplus >= 201703L);
#ifdef __FAST_MATH__
#error fast math
#endif
extern "C" __global__ void f(float *x) { x[0] = sum(x[1], x[2], x[3]); }`
	if _, _, err := CompileNVRTC("sm_80", "dialect.cu", dialect); err != nil {
		t.Error(err)
	}
	const hopper = `extern "C" __global__ void f() { asm volatile("wgmma.fence.sync.aligned;"); }`
	if _, _, err := CompileNVRTC("sm_90a", "hopper.cu", hopper); err != nil {
		t.Error(err)
	}
	if _, _, err := CompileNVRTC("sm_90", "hopper.cu", hopper); err == nil {
		t.Error("wgmma compiles for sm_90")
	}
}

// NVRTC knows --minimal since 12.4: 12.3 refuses it.
func TestOptionsByVersion(t *testing.T) {
	for version, want := range map[[2]int]bool{{11, 8}: false, {12, 3}: false, {12, 4}: true, {12, 9}: true, {13, 0}: true} {
		lib := nvrtcLib{major: version[0], minor: version[1]}
		if got := slices.Contains(lib.options(), "--minimal"); got != want {
			t.Errorf("NVRTC %v is given --minimal: %t, want %t", version, got, want)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	needNVRTC(t)
	const broken = "extern \"C\" __global__ void f(float *x) {\n  x[0] = nowhere;\n}\n"
	cubin, log, err := CompileNVRTC("sm_80", "broken.cu", broken)
	if !errors.Is(err, fault.ErrKernel) || cubin != nil {
		t.Fatalf("got %d bytes and %v, want an ErrKernel", len(cubin), err)
	}
	for _, part := range []string{"broken.cu(2)", "nowhere", "sm_80"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
	if !strings.Contains(log, "broken.cu(2)") {
		t.Errorf("log %q does not name the line", log)
	}
	if _, _, err := CompileNVRTC("sm_1", "a.cu", ""); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "sm_1") {
		t.Errorf("unknown architecture: %v", err)
	}
	_, log, err = CompileNVRTC("sm_80", "warn.cu", `extern "C" __global__ void f(float *x) { int unused; }`)
	if err != nil || !strings.Contains(log, "unused") {
		t.Errorf("warning: log %q, error %v", log, err)
	}
}

func TestCompileConcurrently(t *testing.T) {
	needNVRTC(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			entry := fmt.Sprintf("kernel%d", i)
			cubin, _, err := CompileNVRTC("sm_80", entry, `extern "C" __global__ void `+entry+`(float *x) { x[0] = 1; }`)
			if err != nil || !strings.Contains(string(cubin), ".text."+entry) {
				t.Errorf("%s: %d bytes, %v", entry, len(cubin), err)
			}
		})
	}
	all.Wait()
}

func TestNVRTCPaths(t *testing.T) {
	root := t.TempDir()
	t.Setenv(nvrtcEnv, "")
	t.Setenv("VIRTUAL_ENV", filepath.Join(root, "venv"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	var want []string // in order
	for _, file := range []string{
		"venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13",
		"venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
		"cache/weft/nvrtc/libnvrtc.so.12",
		"cache/weft/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
	} {
		path := filepath.Join(root, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		want = append(want, path)
	}
	paths := nvrtcPaths()
	if len(paths) < len(nvrtcNames) || paths[0] != nvrtcNames[0] {
		t.Errorf("the loader's path is not searched first: %v", paths)
	}
	last := -1
	for _, path := range want {
		at := slices.Index(paths, path)
		if at <= last {
			t.Errorf("%s is at %d of %v", path, at, paths)
		}
		last = at
	}
	t.Setenv(nvrtcEnv, filepath.Dir(want[2]))
	if paths := nvrtcPaths(); !slices.Equal(paths, want[2:3]) {
		t.Errorf("%s names a folder, yet searched is %v", nvrtcEnv, paths)
	}
}

// Windows: the wheel of CUDA 13 has a folder for each architecture, and NVRTC's own libraries are loaded first, which it asks for by name.
func TestNVRTCOfWindows(t *testing.T) {
	packages := t.TempDir()
	newest := filepath.Join(packages, "nvidia", "cu13", "bin", "x86_64")
	if dirs := wheelDirs(packages, "bin"); !slices.Contains(dirs, newest) {
		t.Errorf("%s is not in %v", newest, dirs)
	}
	want := filepath.Join(newest, "nvrtc-builtins64_130.dll")
	path := filepath.Join(newest, "nvrtc64_130_0.dll")
	if err := errors.Join(os.MkdirAll(newest, 0o777), os.WriteFile(path, nil, 0o666), os.WriteFile(want, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if files := builtins(path, "nvrtc-builtins64_*.dll"); !slices.Equal(files, []string{want}) {
		t.Errorf("beside %s are %v, want %s", path, files, want)
	}
	t.Chdir(newest)
	if files := builtins(filepath.Base(path), "nvrtc-builtins64_*.dll"); files != nil {
		t.Errorf("the loader finds NVRTC, yet the working folder's %v are loaded", files)
	}
}

func TestFindNVRTC(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(nvrtcEnv, filepath.Join(dir, "none.so"))
	if _, err := openNVRTC(nvrtcPaths(), 0); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "none.so") {
		t.Errorf("a file that is not there: %v", err)
	}
	t.Setenv(nvrtcEnv, dir)
	broken := filepath.Join(dir, strings.ReplaceAll(nvrtcPattern, "*", ""))
	if err := os.WriteFile(broken, []byte("no library"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := openNVRTC(nvrtcPaths(), 0); err == nil || !strings.Contains(err.Error(), broken) {
		t.Errorf("a file that is no library: %v", err)
	}
	t.Setenv(nvrtcEnv, "")
	if _, err := openNVRTC(nil, 0); err == nil || !strings.Contains(err.Error(), "cuda_nvrtc") || !strings.Contains(err.Error(), nvrtcEnv) {
		t.Errorf("the error does not say where NVRTC was looked for: %v", err)
	}
	lib := needNVRTC(t)
	// The only one there is, although too new for the driver: the candidate says so.
	if got, err := openNVRTC([]string{lib.path}, lib.major-1); err != nil || got.major != lib.major {
		t.Errorf("too new an NVRTC: %v", err)
	}
}
