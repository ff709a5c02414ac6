package simt

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/fault"
)

func parse(t *testing.T, text string) *Func {
	t.Helper()
	k, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k
}

// TestParseTexts reads the kernels in testdata: they print as they stand there.
func TestParseTexts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.simt")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	seen := map[Kind]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k := parse(t, string(text))
		if err := Verify(k); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if d := cmp.Diff(string(text), k.String()); d != "" {
			t.Errorf("%s prints otherwise (-want +got):\n%s", file, d)
		}
		eachOp(k.Body, func(op *Op) { seen[op.Kind] = true })
	}
	for kind := range NumKinds {
		if len(facts[kind].attrs) > 0 && !seen[kind] {
			t.Errorf("no text has %v", kind)
		}
	}
}

func eachOp(b *Block, f func(op *Op)) {
	for _, op := range b.Ops {
		f(op)
		for _, body := range op.Blocks() {
			eachOp(body, f)
		}
	}
}

// TestParseKeepsAll compares a built kernel with what its text reads back as, field by
// field, so that a field that the text lacks fails.
func TestParseKeepsAll(t *testing.T) {
	k := everything().Func
	k.Body.Ops[5].Note = "a note"
	k.Shared[0].Line, k.Shared[0].Note = "kernel.go:8", "a tile"
	eachOp(k.Body, func(op *Op) {
		if op.Shared != nil {
			op.Cost = 3
		}
	})
	got := parse(t, k.String())
	for i, b := range k.Buffers {
		equalFields(t, "buffer", b, got.Buffers[i])
	}
	for i, s := range k.Shared {
		equalFields(t, "shared", s, got.Shared[i])
	}
	if !reflect.DeepEqual(k.Words, got.Words) || k.Name != got.Name || k.Threads != got.Threads {
		t.Errorf("the kernel is %+v, want %+v", got, k)
	}
	equalBlocks(t, k.Body, got.Body)
}

func equalBlocks(t *testing.T, want, got *Block) {
	t.Helper()
	if want == nil || got == nil || len(want.Ops) != len(got.Ops) {
		if want != got {
			t.Errorf("blocks %v and %v", want, got)
		}
		return
	}
	equalValues(t, want.Args, got.Args)
	for i, op := range want.Ops {
		o := got.Ops[i]
		equalFields(t, op.Kind.String(), op, o, "Args", "Out", "Body", "Else", "Buffer", "Shared", "Number")
		equalValues(t, op.Args, o.Args)
		equalValues(t, op.Out, o.Out)
		equalBlocks(t, op.Body, o.Body)
		equalBlocks(t, op.Else, o.Else)
		if meant := op.Kind == Const || op.Mask() != nil; meant && math.Float64bits(op.Number) != math.Float64bits(o.Number) {
			t.Errorf("%v of %v, want %v", op.Kind, o.Number, op.Number)
		}
		if op.Buffer != nil && op.Buffer.Name != o.Buffer.Name || op.Shared != nil && op.Shared.Name != o.Shared.Name {
			t.Errorf("%v of other memory", op.Kind)
		}
	}
}

func equalValues(t *testing.T, want, got []*Value) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("values %v, want %v", got, want)
		return
	}
	for i, v := range want {
		equalFields(t, "value", v, got[i], "Op")
		if (v.Op == nil) != (got[i].Op == nil) {
			t.Errorf("who defines %v is lost", v)
		}
	}
}

// equalFields compares what two pointers of one type point to, but for some fields.
func equalFields(t *testing.T, what string, want, got any, but ...string) {
	t.Helper()
	w, g := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for i := range w.NumField() {
		name := w.Type().Field(i).Name
		if x, y := w.Field(i).Interface(), g.Field(i).Interface(); !strings.Contains(fmt.Sprint(but), name) && !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %s is %v, want %v", what, name, y, x)
		}
	}
}

// TestParseErrors shows texts that are none, each with where and why. The
// ops stand on the fifth line.
func TestParseErrors(t *testing.T) {
	const head = "workgroup k threads=32 {\n    buffer 0 x : f32 read\n    shared 0 s : f32[8]\n    %0 = thread : i32\n    "
	for _, c := range []struct{ text, want string }{
		{"", `1:1: simt: want "workgroup", found the end`},
		{"workgroup k threads=32", `1:23: simt: want "{", found the end of the line`},
		{"workgroup k threads=many {", `1:21: simt: no integer of 32 bits: "many"`},
		{"workgroup k threads=1 {\nbuffer 1 x : f32 read\n}", `2:8: simt: number 1, want 0`},
		{"workgroup k threads=1 {\nbuffer 0 x : f33 read\n}", `2:14: simt: no element type: "f33"`},
		{"workgroup k threads=1 {\nbuffer 0 x : f32 readable\n}", `2:18: simt: want the end of the line, found "readable"`},
		{"workgroup k threads=1 {\nshared 0 x : f32[4\n}", `2:19: simt: want "]", found the end of the line`},
		{"workgroup k threads=1 {\n}\n}", `3:1: simt: want the end, found "}"`},
		{"workgroup k threads=1 {\n\t§", `2:2: simt: no token begins with '§'`},
		{"workgroup \"k threads=1 {\n", `1:11: simt: a string does not end`},
		{head, `5:5: simt: want an op, found the end`},
		{head + "jump %0", `5:5: simt: "jump" is not an op`},
		{head + "invalid", `5:5: simt: "invalid" is not an op`},
		{head + "%1 = neg %2 : i32", `5:14: simt: %2 is not defined`},
		{head + "%1 = neg %row.0 : i32", `5:14: simt: %row.0 is not defined`},
		{head + "%1 = neg %1 : i32", `5:14: simt: %1 is not defined`},
		{head + "%0 = neg %0 : i32", `5:5: simt: %0 is defined twice`},
		{head + "%1, %2 = neg %0 : i32", `5:9: simt: "neg" has one result`},
		{head + "%1 = neg %0", `5:16: simt: want ":", found the end of the line`},
		{head + "%1 = neg %0 : i32x", `5:19: simt: no type: "i32x"`},
		{head + "%1 = neg %0 : i32x04", `5:19: simt: no type: "i32x04"`},
		{head + "%1 = neg %0, : i32", `5:18: simt: want a value, found ":"`},
		{head + "neg %0 : i32", `5:12: simt: want the end of the line, found ":"`},
		{head + "%01 = neg %0 : i32", `5:5: simt: no value: %01`},
		{head + "%1 = const one : f32", `5:16: simt: no number: "one"`},
		{head + "%1 = const 1e999 : f32", `5:16: simt: no number: "1e999"`},
		{head + "%1 = load y %0 : f32", `5:15: simt: 0 declarations are called "y", want 1`},
		{head + "%1 = load x#1 %0 : f32", `5:15: simt: declaration 1 is not called "x"`},
		{head + "%1 = load s %0 : f32", `5:15: simt: 0 declarations are called "s", want 1`},
		{head + "%1 = load x else %0 : f32", `5:17: simt: want ":", found "else"`},
		{head + "%1 = load x alias=x %0 : f32", `5:23: simt: no integer of 32 bits: "x"`},
		{head + "%1 = atomic sub x %0 : f32", `5:17: simt: no atomic op "sub"`},
		{head + "%1 = round16 f15 %0 : f32", `5:18: simt: no element type: "f15"`},
		{head + "if %0 {\n}\n%1 = if %0 {\n}", `7:6: simt: 1 results, want 0`},
		{head + "if %0\n", `5:10: simt: want "{", found the end of the line`},
		{head + "for %1 = %0 to %0 {\n", `5:23: simt: want "step", found "{"`},
		{head + "%1 = for %2 = %0 to %0 step %0 {\nyield\n}\n", `5:10: simt: 1 results, want 0`},
		{head + "%1 = branch %0 {\nyield\n} else {\nyield\n}\n", `5:10: simt: 1 results, want 0`},
		{head + "branch %0 {\nyield\n}\n", `7:2: simt: want "else", found the end of the line`},
		{head + strings.Repeat("if %0 {\n", maxDepth+1), "more than 200 blocks"},
	} {
		k, err := Parse(c.text)
		if k != nil || !errors.Is(err, fault.ErrKernel) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("got  %v\nwant %v\nfor %q", err, c.want, c.text)
		}
	}
}

// FuzzParse: no text makes Parse, Verify or String panic; a kernel that was read
// prints as a text that reads and prints as the same.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.simt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("workgroup k threads=1 {\n    %\"\\xff\".0 = const 0x1p-3 : i32x2 // a;b  c; d\r\n}")
	f.Add("workgroup k threads=1 {\n buffer 0 else : i8 write\n %.0 = const +1 : i32\n if %0 {\n store else %0, %0\n } // x\n}")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := Parse(text)
		if err != nil {
			return
		}
		printed := k.String()
		again := parse(t, printed)
		if d := cmp.Diff(printed, again.String()); d != "" {
			t.Fatalf("prints otherwise after it was read:\n%s", d)
		}
		if x, y := fmt.Sprint(Verify(k)), fmt.Sprint(Verify(again)); x != y {
			t.Fatalf("%s, but %s when read again", x, y)
		}
	})
}
