package simt

import (
	"errors"
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
)

// TestEveryCheckHasARow reads the verifier's source for the messages with which it
// refuses, and demands that the tables of broken kernels bring about each of
// them. A message belongs to the longest format that it fits, so each check has a format of its own.
func TestEveryCheckHasARow(t *testing.T) {
	formats := refusals(t)
	if len(formats) < 40 {
		t.Fatalf("found %d checks only", len(formats))
	}
	hit := map[string]bool{}
	record := func(err error) {
		var f *fault.Error
		if !errors.As(err, &f) {
			return // the table's own test says so
		}
		best := ""
		for format, re := range formats {
			if re.MatchString(f.Msg) && len(format) > len(best) {
				best = format
			}
		}
		hit[best] = true
	}
	for _, c := range slices.Concat(broken, brokenRoles, brokenClusters, brokenCooperative) {
		f := newFixture()
		c.make(f)
		record(Verify(f.Func))
	}
	for _, change := range everyBrokenKernel() {
		k := newFixture().Func
		change(k)
		record(Verify(k))
	}
	for _, change := range brokenMaps {
		f := newFixture()
		f.roles(nothing, nothing)
		change(f.Func)
		record(Verify(f.Func))
	}
	record(opaqueElement().CheckOpaque())
	for format := range formats {
		if !hit[format] {
			t.Errorf("no broken kernel is refused with %q", format)
		}
	}
}

// refusals are the formats of the errors that the package's source makes, the
// parser's apart, as patterns.
func refusals(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	files := gotoken.NewFileSet()
	pkgs, err := goparser.ParseDir(files, ".", func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), "_test.go") && !slices.Contains([]string{"parse.go", "parse_declarations.go", "scan.go", "syntax.go"}, f.Name())
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]*regexp.Regexp{}
	ast.Inspect(pkgs["simt"], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Errorf", "fail", "New"}, fun.Sel.Name) {
			return true
		}
		for _, a := range call.Args {
			lit, ok := a.(*ast.BasicLit)
			if !ok || lit.Kind != gotoken.STRING {
				continue
			}
			format, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if format == "%v" || format == "simt " { // what passes another error on
				continue
			}
			if formats[format] != nil {
				t.Errorf("%v: a second check says %q", files.Position(lit.Pos()), format)
			}
			formats[format] = pattern(format)
		}
		return true
	})
	return formats
}

func pattern(format string) *regexp.Regexp {
	re := strings.NewReplacer("%v", ".+", "%d", "-?[0-9]+").Replace(regexp.QuoteMeta(format))
	return regexp.MustCompile("^" + re + "$")
}
