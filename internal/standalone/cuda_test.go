package standalone

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/testenv"
)

// Every file's device part passes the device compiler as it stands, for an old and a new architecture.
func TestCUDACompilesWithNVRTC(t *testing.T) {
	if _, _, err := cuda.NVRTCVersion(); err != nil {
		testenv.Skip(t, "nvrtc", err.Error())
	}
	list := everyOp(t)
	if testenv.Full() {
		list = append(list, cases...)
	}
	for _, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			testenv.Sample(t)
			t.Parallel()
			_, text := c.file(t)
			if _, log, err := cuda.CompileNVRTC("sm_90a", c.op+".cu", text); err != nil || log != "" {
				t.Fatalf("%v\n%s\n%s", err, log, text)
			}
		})
	}
}

// written is a file with its text.
type written struct {
	*file
	text string
	err  error
}

var files sync.Map // of functions that return what is written, by the cases' texts

// file is the case's file, written once for all tests.
func (c case_) file(t *testing.T) (*file, string) {
	t.Helper()
	p := c.plan(t)
	make := sync.OnceValue(func() written {
		f := newFile(p)
		text, err := f.write()
		return written{f, text, err}
	})
	known, _ := files.LoadOrStore(c.on+p.Call.Op.Name+p.Call.Shape+fmt.Sprint(p.Call.Options), make)
	w := known.(func() written)()
	if w.err != nil {
		t.Fatal(w.err)
	}
	return w.file, w.text
}

// everyOp is a case for every op of the catalogue.
func everyOp(t *testing.T) (list []case_) {
	t.Helper()
	for _, op := range catalog.Ops() {
		if noFile[op.Name] != "" { // see TestNoFile
			continue
		}
		if at := slices.IndexFunc(cases, func(c case_) bool { return c.op == op.Name }); at >= 0 {
			list = append(list, cases[at])
			continue
		}
		c := case_{op: op.Name, shape: strings.Fields(op.Example)[0]}
		for _, elem := range []string{"f32", "i32", "bool"} { // the first that the op takes
			c.options = dtype(elem)
			if _, err := c.tryPlan(t); err == nil {
				break
			}
		}
		list = append(list, c)
	}
	return list
}

// Ops without files say why, and there is no reason for ops that do not exist.
func TestNoFile(t *testing.T) {
	for name, reason := range noFile {
		at := slices.IndexFunc(catalog.Ops(), func(op *catalog.Op) bool { return op.Name == name })
		if at < 0 {
			t.Errorf("no op %s", name)
			continue
		}
		c := case_{op: name, shape: strings.Fields(catalog.Ops()[at].Example)[0], options: dtype("f16")}
		if _, err := c.tryPlan(t); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q", name, err, reason)
		}
	}
}

// fakeRuntime stands for cuda_runtime.h: launches are printed.
const fakeRuntime = `#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstdint>
typedef int cudaError_t;
typedef void* cudaStream_t;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMisalignedAddress = 716 };
struct dim3 { unsigned x, y, z; dim3(unsigned x, unsigned y, unsigned z) : x(x), y(y), z(z) {} };
struct Entry { const void* kernel; const char* name; int pointers, words; };
extern Entry entries[];
static long long allocated = 0;
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
static int allowed = 0;
inline cudaError_t cudaFuncSetAttribute(const void*, int, int bytes) { allowed = bytes; return 0; }
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 g, dim3 b, void** args, size_t shared, cudaStream_t) {
    Entry* e = entries;
    while (e->kernel != kernel) e++;
    if (shared > 0 && (int)shared != allowed) printf("not allowed ");
    printf("%s %u %u %u %u %zu", e->name, g.x, g.y, g.z, b.x, shared);
    for (int i = 0; i < e->pointers; i++) printf(" %llx", (unsigned long long)*(void**)args[i]);
    for (int i = 0; i < e->words; i++) printf(" %d", *(int32_t*)args[e->pointers + i]);
    printf("\n");
    return 0;
}
inline cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t) {
    *p = (void*)(0x70000000 + (allocated++ << 24));
    printf("malloc %zu\n", n);
    return 0;
}
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { printf("free %llx\n", (unsigned long long)p); return 0; }
inline cudaError_t cudaDeviceSynchronize() { return 0; }
inline const char* cudaGetErrorString(cudaError_t e) { static char s[20]; sprintf(s, "error %d", e); return s; }
`

// hostPart is the host's code of a file after stubs of its kernels.
func hostPart(t *testing.T, text string) (code string, kernels []string) {
	t.Helper()
	at := strings.Index(text, hostMark)
	if at < 0 {
		t.Fatal("no host code")
	}
	var stubs, table strings.Builder
	for _, m := range regexp.MustCompile(`(?s)__global__ void __launch_bounds__\(\d+\) (\w+)\((.*?)\) \{`).FindAllStringSubmatch(text[:at], -1) {
		pointers := strings.Count(m[2], "*")
		fmt.Fprintf(&stubs, "void %s() { printf(\"%s\"); }\n", m[1], m[1]) // of its own code, or a linker may merge them
		fmt.Fprintf(&table, "{(void*)%s, %q, %d, %d}, ", m[1], m[1], pointers, strings.Count(m[2], ",")+1-pointers)
		kernels = append(kernels, m[1])
	}
	return "#include <cuda_runtime.h>\n" + stubs.String() + "Entry entries[] = {" + table.String() + "};\n" + text[at:], kernels
}

// pointers gives operands addresses: far apart, and off by some elements.
func (f *file) pointers(off int) (list []string) {
	for i, o := range append(append([]Operand(nil), f.In...), f.Out...) {
		list = append(list, fmt.Sprintf("(%s*)%dLL", ctypes[o.Elem], (i+1)<<24+off*o.Elem.Size()))
	}
	return list
}

// want is what a call prints: its launches.
func (f *file) want(sizes []int, off int) (lines []string) {
	vars, way := f.vars(sizes), f.choose(sizes)
	at := slices.IndexFunc(f.Ways, func(w Way) bool { return reflect.DeepEqual(w, way) })
	operands := len(f.In) + len(f.Out)
	for i, s := range way.Steps {
		var words []int64
		shapes := make([][]int, len(s.Words))
		for v, list := range s.Words {
			for j, e := range list {
				x := e.eval(vars)
				if j == 0 && s.Buffers[v] < operands {
					x += int64(off)
				}
				words = append(words, x)
				if j >= 1 && j <= s.Kernel.Views[v].Rank {
					shapes[v] = append(shapes[v], int(x))
				}
			}
		}
		var scalars []uint32
		for _, x := range s.Scalars {
			scalars = append(scalars, x.bits(vars))
			words = append(words, int64(int32(x.bits(vars))))
		}
		g, err := s.Kernel.GridAt(shapes, scalars)
		if err != nil {
			return []string{err.Error()}
		}
		words = append(words, int64(g[0]), int64(g[1]), int64(g[2]), int64(g[0]))
		for _, c := range f.Code[at].Steps[i].Variants {
			holds := len(c.tests) == 0 || g[1] <= 65535 && g[2] <= 65535
			for _, t := range c.tests {
				holds = holds && words[s.Kernel.ViewWord(s.Kernel.Views[t.view])+t.word]%int64(t.divisor) == 0
			}
			if !holds {
				continue
			}
			if c.facts.Folded {
				g = [3]int{g[0] * g[1] * g[2], 1, 1}
				words[len(words)-1] = int64(g[0])
			}
			line := fmt.Sprintf("%s %d %d %d %d %d", f.entries[c.artifact.Source.Text], g[0], g[1], g[2], c.artifact.Source.Threads, c.artifact.Source.Dynamic)
			for _, b := range s.distinct() {
				address := (b + 1) << 24
				if b >= operands {
					address = 0x70000000 + (b-operands)<<24
				}
				line += fmt.Sprintf(" %x", address)
			}
			for _, w := range c.artifact.Words() {
				line += fmt.Sprintf(" %d", int32(words[w]))
			}
			lines = append(lines, line)
			break
		}
	}
	return lines
}

// The host code, compiled and run, starts the kernels with the grids and words of the plan; the fast ones only where
// what they rely on holds.
func TestHostCode(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		testenv.Skip(t, "c++", err.Error())
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("cuda_runtime.h", fakeRuntime)
	write("cuda_fp16.h", "struct __half;\n")
	write("cuda_bf16.h", "struct __nv_bfloat16;\n")
	for i, c := range cases {
		t.Run(c.String(), func(t *testing.T) {
			testenv.Sample(t)
			t.Parallel()
			f, text := c.file(t)
			for line := range strings.Lines(text) { // the head says of each kernel what it is for
				if strings.HasPrefix(line, "//") && strings.HasSuffix(line, " for \n") {
					t.Errorf("%q ends early", line)
				}
			}
			code, kernels := hostPart(t, text)
			var main strings.Builder
			tries := append([][]int{f.Call.Values()}, c.tries...)
			for _, sizes := range tries {
				for off := range 2 {
					fmt.Fprintf(&main, "    printf(\"call\\n\"); allocated = 0; solve(%s%s);\n", strings.Join(f.pointers(off), ", "), numbers(sizes))
				}
			}
			source := write(fmt.Sprintf("case%d.cpp", i), code+"int main() {\n"+main.String()+"}\n")
			binary := filepath.Join(dir, fmt.Sprintf("case%d", i))
			if out, err := exec.Command(compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", dir, "-o", binary, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err := exec.Command(binary).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			calls := strings.Split(strings.TrimPrefix(string(out), "call\n"), "call\n")
			if len(calls) != 2*len(tries) {
				t.Fatalf("%d calls of %d:\n%s", len(calls), 2*len(tries), out)
			}
			used := map[string]bool{}
			for j, call := range calls {
				var got []string
				for line := range strings.Lines(call) {
					if name, _, _ := strings.Cut(line, " "); name != "malloc" && name != "free" {
						got = append(got, strings.TrimSpace(line))
						used[name] = true
					}
				}
				if want := f.want(tries[j/2], j%2); !slices.Equal(got, want) {
					t.Errorf("sizes %v, pointers off by %d: got\n%s\nwant\n%s", tries[j/2], j%2, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			if c.on == "h200" && !strings.Contains(text, "extern __shared__") {
				t.Error("no kernel is given shared memory, which this case is for")
			}
			if len(kernels) > 1 && len(used) < 2 {
				t.Errorf("of the kernels %v %v are used", kernels, used)
			}
		})
	}
}

// numbers lists sizes as arguments after others.
func numbers(sizes []int) (text string) {
	for _, n := range sizes {
		text += fmt.Sprintf(", %d", n)
	}
	return text
}

// The test programs compile, and find that stubs compute nothing.
func TestMains(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		testenv.Skip(t, "c++", err.Error())
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("cuda_runtime.h", fakeRuntime+fakeMemory)
	write("cuda_fp16.h", fakeHalf)
	ran, seen := 0, map[string]bool{}
	for i, c := range cases {
		if c.op != "attention" && seen[c.op] && !testenv.Full() {
			continue
		}
		seen[c.op] = true
		p := c.plan(t)
		main, err := p.Main()
		if err != nil {
			if !strings.Contains(err.Error(), "no test program") {
				t.Error(err)
			}
			continue
		}
		ran++
		t.Run(c.String(), func(t *testing.T) {
			testenv.Sample(t)
			_, text := c.file(t)
			code, _ := hostPart(t, text)
			source, binary := write(fmt.Sprintf("main%d.cpp", i), code+main), filepath.Join(dir, fmt.Sprintf("main%d", i))
			if out, err := exec.Command(compiler, "-DWEFT_MAIN", "-O2", "-std=c++17", "-Wall", "-Werror", "-I", dir, "-o", binary, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err := exec.Command(binary).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "WRONG") || strings.Contains(string(out), "all right") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if ran < 6 {
		t.Errorf("%d test programs only", ran)
	}
}

// fakeMemory makes the device's memory that of the host.
const fakeMemory = `
#include <cstring>
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
inline cudaError_t cudaMalloc(void** p, size_t n) { *p = aligned_alloc(256, (n + 255) / 256 * 256); return 0; }
inline cudaError_t cudaFree(void* p) { free(p); return 0; }
inline cudaError_t cudaMemset(void* p, int x, size_t n) { memset(p, x, n); return 0; }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t n, int) { memcpy(to, from, n); return 0; }
`

const fakeHalf = `#pragma once
#define __CUDA_FP16_TYPES_EXIST__
struct __half { unsigned short x; };
inline float __half2float(__half h) { return h.x; }
inline __half __float2half(float x) { return {(unsigned short)x}; }
`
