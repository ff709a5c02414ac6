package fault

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of error texts anew")

// makers are the functions that make errors of a text, among them those that packages have of their own.
var makers = map[string]bool{
	"New": true, "Errorf": true, "fail": true, "fault": true, "kernelError": true, "shapeError": true, "differ": true,
	"noOperand": true, "unfit": true, "refuse": true, "refused": true, "panicf": true, "Fail": true,
}

// textOf is the text of an error that a call makes, "" for other calls: of the string literals among the first arguments, the last one.
func textOf(call *ast.CallExpr) string {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		if name = f.Sel.Name; name == "New" {
			if p, ok := f.X.(*ast.Ident); !ok || p.Name != "fault" && p.Name != "errors" {
				return ""
			}
		}
	}
	if !makers[name] {
		return ""
	}
	text, at := "", 0
	for i, arg := range call.Args[:min(len(call.Args), 4)] {
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ = strconv.Unquote(lit.Value)
			at = i + 1
		}
	}
	return counts(text, call.Args[at:])
}

var verb = regexp.MustCompile(`%%|%[-+#0-9.]*[a-zA-Z]`)

// counts puts what is counted into a text: "%d tensor(s)" for a %s of which the argument is Count(n, "tensor").
func counts(text string, args []ast.Expr) string {
	n := -1
	return verb.ReplaceAllStringFunc(text, func(v string) string {
		if v == "%%" {
			return v
		}
		if n++; n >= len(args) {
			return v
		}
		call, ok := args[n].(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return v
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		noun, isText := call.Args[1].(*ast.BasicLit)
		if !ok || f.Sel.Name != "Count" || !isText {
			return v
		}
		return "%d " + strings.Trim(noun.Value, `"`) + "(s)"
	})
}

// isModule reports whether a folder is a module of its own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// All texts of errors are in one list, so that each new one is read by itself. go test ./fault -update writes it.
func TestErrorTexts(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() && path != ".." && isModule(path):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, ".."+string(filepath.Separator))))
		if dir == "." {
			dir = "weft"
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if text := textOf(call); text != "" {
					seen[dir+": "+strings.ReplaceAll(text, "\n", `\n`)] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for text := range seen {
		list = append(list, text)
	}
	slices.Sort(list)
	got := strings.Join(list, "\n") + "\n"
	const golden = "testdata/texts.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	old := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(strings.ReplaceAll(string(want), "\r\n", "\n")), "\n") {
		if old[line] = true; !seen[line] {
			t.Errorf("gone: %s", line)
		}
	}
	for _, line := range list {
		if !old[line] {
			t.Errorf("new: %s", line)
		}
	}
	if t.Failed() {
		t.Log("read the new texts, then run go test ./fault -run TestErrorTexts -update")
	}
	for _, line := range list {
		_, text, _ := strings.Cut(line, ": ")
		if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.Contains(text, "  ") {
			t.Errorf("a text ends with a full stop or has two spaces: %s", line)
		}
	}
}
