package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
)

const root = "../../.."

// The ops are found in the source.
func TestOps(t *testing.T) {
	ops, err := opsIn(filepath.Join(root, "ops"))
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{"Add", "MatMul", "Softmax"} {
		if !slices.Contains(ops, op) {
			t.Errorf("%s is not among %v", op, ops)
		}
	}
	for _, op := range []string{"AddInto", "MatMulConfigFor", "Tiles"} {
		if slices.Contains(ops, op) {
			t.Errorf("%s is among %v", op, ops)
		}
	}
}

// The lists for users name every op.
func TestEveryOpIsListed(t *testing.T) {
	ops, err := opsIn(filepath.Join(root, "ops"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"README.md", "ops/doc.go"} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range ops {
			if !regexp.MustCompile(`\b` + op + `\b`).Match(text) {
				t.Errorf("%s does not name ops.%s", path, op)
			}
		}
	}
}

// The page in docs is made of the files in docs and has a row for every op.
func TestPageIsCurrent(t *testing.T) {
	want, err := page(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/conformance.md is not current: go run ./backend/backendtest/matrix")
	}
}

// Cases count for the op that they begin with, and layouts of several cases add up.
func TestCells(t *testing.T) {
	m := backendtest.Matrix{Ran: map[string]map[string]string{
		"AddViews":     {"f32": "dense sliced", "u8": "broadcast"},
		"Add":          {"f32": "transposed"},
		"AddedLater":   {"f32": "stepped"},
		"AddMulFused":  {"i32": "stepped"},
		"KernelMatrix": {"f16": "dense"},
		"add_mul":      {"u8": "dense"},
	}}
	checked := merge([]string{"Add", "AddMul"}, m)
	for at, want := range map[[2]string]string{
		{"Add", "f32"}: "dts··", {"Add", "u8"}: "····b", {"AddMul", "i32"}: "···e·", {"AddMul", "u8"}: "d····", {"Add", "f16"}: "",
	} {
		if got := cell(checked[at[0]][at[1]]); got != want {
			t.Errorf("%v is %q, want %q", at, got, want)
		}
	}
	for _, f := range backendtest.Forms() {
		if letters[f] == "" {
			t.Errorf("the layout %s has no letter", f)
		}
	}
}

// Every run has a section, an op without a case an empty row.
func TestPage(t *testing.T) {
	folder := t.TempDir()
	for path, text := range map[string]string{
		"ops/a.go":                  "package ops\n\nfunc Neg(x *weft.Tensor) (*weft.Tensor, error) { return x, nil }\n\nfunc Abs(x *weft.Tensor) (y *weft.Tensor, err error) { return x, nil }\n",
		"docs/conformance/cpu.json": `{"Backend":"cpu","Device":"Xeon","Ran":{"NegViews":{"f32":"dense"}}}`,
		"docs/conformance/gpu.json": `{"Backend":"cuda","Device":"H200","Full":true,"Failed":["AbsViews"],"Ran":{}}`,
	} {
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(path)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, path), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := page(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## cpu: Xeon\n\nno driver; quick form.\n", "## cuda: H200\n\nno driver; full form. **Failed**: AbsViews.\n",
		"| Abs |  |", "| Neg |  |  |  |  |  |  |  |  |  |  |  | d···· |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
