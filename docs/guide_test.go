package docs_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the blocks and pictures of the guides")

// marked is a comment that says where the block after it comes from, and that block.
var marked = regexp.MustCompile("(?ms)^<!-- (code|output|text|program|prints): ([^\n]+?) -->\n```([a-z]*)\n(.*?)^```$")

// pages are the README and the guides.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return append(list, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// same compares a file with what it should be, or writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, path)
	if got == want {
		return
	}
	t.Errorf("%s is not current; go test ./docs -update rewrites it:\n%s", path, cmp.Diff(got, want))
}

// Blocks are what they say they come from, and no block of Go comes from nowhere.
func TestBlocks(t *testing.T) {
	generated, used := texts(t), map[string]bool{}
	for _, page := range pages(t) {
		text := read(t, page)
		want := marked.ReplaceAllStringFunc(text, func(block string) string {
			m := marked.FindStringSubmatch(block)
			var parts []string
			for name := range strings.SplitSeq(m[2], ", ") {
				switch m[1] {
				case "code":
					parts = append(parts, find(t, name).code)
				case "output":
					parts = append(parts, find(t, name).output)
				case "text":
					parts, used[name] = append(parts, generated[name]), true
				case "program":
					parts = append(parts, wholeProgram(t, name))
				case "prints":
					parts = append(parts, printed(t, name))
				}
				if parts[len(parts)-1] == "" {
					t.Errorf("%s: nothing is called %s", page, name)
				}
			}
			body := strings.Join(parts, "\n")
			return fmt.Sprintf("<!-- %s: %s -->\n```%s\n%s```", m[1], m[2], m[3], body)
		})
		same(t, page, want)
		if loose := marked.ReplaceAllString(text, ""); strings.Contains(loose, "```go") {
			t.Errorf("%s has Go code that no comment traces to its source", page)
		}
	}
	for name := range generated {
		if !used[name] {
			t.Errorf("no page shows the text %s", name)
		}
	}
}

// anchors are those that a page's headings get from GitHub: words in lower case with hyphens between them.
func anchors(text string) map[string]bool {
	list, other := map[string]bool{}, regexp.MustCompile(`[^\w\- ]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		list[strings.ReplaceAll(other.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return list
}

// Links between files of the module lead somewhere, and to a heading that is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`(?:\]\(|src="|srcset="|href=")([^)"\s]+)`)
	code := regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]+`")
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, page), ""), -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := page
			if path != "" {
				to = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if anchor != "" && !anchors(code.ReplaceAllString(read(t, to), ""))[anchor] {
				t.Errorf("%s links to %s, and no heading there has that anchor", page, m[1])
			}
		}
	}
}

// Paths that pages name between backticks exist, from the root or from the page's folder.
func TestPaths(t *testing.T) {
	named := regexp.MustCompile("`((?:\\./)?[a-z][\\w.-]*(?:/[\\w.-]+)+/?|[a-z]\\w*\\.(?:go|md|cu|wgsl))`")
	for _, page := range pages(t) {
		for _, m := range named.FindAllStringSubmatch(read(t, page), -1) {
			_, fromRoot := os.Stat(filepath.Join("..", m[1]))
			_, fromHere := os.Stat(filepath.Join(filepath.Dir(page), m[1]))
			if fromRoot != nil && fromHere != nil && m[1] != "main.go" { // of the reader
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}

// The README's table names every environment variable that the library reads.
func TestEnvironment(t *testing.T) {
	variable, table := regexp.MustCompile(`"(WEFT_[A-Z_]+)"`), read(t, "../README.md")
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testenv" || d.Name() == "backendtest" || d.Name() == ".git"): // of tests
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		for _, m := range variable.FindAllStringSubmatch(read(t, path), -1) {
			if !strings.Contains(table, "`"+m[1]+"=") {
				t.Errorf("%s: the README's table of environment variables lacks %s", path, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// declaration is what a name stands for in a file: its source and, of an example, the output.
type declaration struct{ code, output string }

// find looks for "name" in the files of this folder, for "path#name" in a file of the module.
func find(t *testing.T, name string) declaration {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if path, rest, ok := strings.Cut(name, "#"); ok {
		files, name = []string{filepath.Join("..", path)}, rest
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		source, set := []byte(read(t, path)), token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if !declares(d, name) {
				continue
			}
			text := func(from, to token.Pos) string {
				return string(source[set.Position(from).Offset:set.Position(to).Offset])
			}
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(name, "Example") {
				return declaration{code: text(d.Pos(), d.End()) + "\n"}
			}
			body, _, _ := strings.Cut(text(f.Body.Lbrace+1, f.Body.Rbrace), "\t// Output:")
			body, _, _ = strings.Cut(body, "\t// Unordered output:")
			found := declaration{code: strings.TrimSpace(strings.ReplaceAll(body, "\n\t", "\n")) + "\n"}
			for _, e := range doc.Examples(file) {
				if "Example"+e.Name == name {
					found.output = strings.TrimRight(e.Output, "\n") + "\n"
				}
			}
			return found
		}
	}
	return declaration{}
}

// declares reports whether a declaration is that of a name.
func declares(d ast.Decl, name string) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name == name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				return s.Name.Name == name
			case *ast.ValueSpec:
				return s.Names[0].Name == name
			}
		}
	}
	return false
}

// need ends a test at the first error.
func need[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// excerpt is the lines of a text from the first that contains one mark to the first after it that
// contains the other, that one left out. It is empty if there are none.
func excerpt(text, from, to string) string {
	var out bytes.Buffer
	in := false
	for line := range strings.Lines(text) {
		if !in && strings.Contains(line, from) {
			in = true
		} else if in && strings.Contains(line, to) {
			break
		}
		if in {
			out.WriteString(line)
		}
	}
	return out.String()
}
