package simt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weftgpu/weft/fault"
)

// token is a piece of printed IR.
type token struct {
	kind      tokenKind
	text      string // a value: its hint
	id        int    // of a value
	line, col int    // from 1; columns count characters
}

type tokenKind uint8

const (
	aWord    tokenKind = iota // a name, a type or a number
	aValue                    // "%3", "%row.3", `%"a b".3`
	aString                   // a quoted string
	aMark                     // one of {}[]=,:#
	aComment                  // "// to the end of the line"
	aLineEnd                  // the end of a line, or of the text
	theEnd
)

var tokenNames = [...]string{"a word", "a value", "a string", "a mark", "a comment", "the end of the line", "the end"}

func (t token) String() string {
	switch t.kind {
	case aWord, aMark, aString:
		return strconv.Quote(t.text)
	case aValue:
		return (&Value{ID: t.id, Hint: t.text}).String()
	}
	return tokenNames[t.kind]
}

// syntaxError is what the scanner and the parser stop with; Parse recovers it.
type syntaxError struct{ err error }

func (t token) fail(format string, args ...any) {
	panic(syntaxError{fault.New(fault.ErrKernel, "simt", format, args...).At(fmt.Sprintf("%d:%d", t.line, t.col))})
}

// scanner cuts a text into tokens.
type scanner struct {
	rest      string
	line, col int
	tokens    []token
}

func scan(source string) []token {
	s := &scanner{rest: source, line: 1, col: 1}
	for s.rest != "" {
		s.next()
	}
	s.add(aLineEnd, "", 0)
	s.add(theEnd, "", 0)
	return s.tokens
}

// add appends a token that takes the next n bytes.
func (s *scanner) add(kind tokenKind, text string, n int) {
	s.tokens = append(s.tokens, token{kind: kind, text: text, line: s.line, col: s.col})
	s.skip(n)
}

func (s *scanner) skip(n int) {
	s.col += utf8.RuneCountInString(s.rest[:n])
	s.rest = s.rest[n:]
}

func (s *scanner) fail(format string, args ...any) {
	token{line: s.line, col: s.col}.fail(format, args...)
}

func (s *scanner) next() {
	switch c := rune(s.rest[0]); {
	case c == '\n':
		s.add(aLineEnd, "", 1)
		s.line, s.col = s.line+1, 1
	case c == ' ' || c == '\t' || c == '\r':
		s.skip(1)
	case strings.HasPrefix(s.rest, "//"):
		end := len(s.rest)
		if i := strings.IndexByte(s.rest, '\n'); i >= 0 {
			end = i
		}
		s.add(aComment, strings.TrimSpace(s.rest[2:end]), end)
	case strings.ContainsRune("{}[]=,:#", c):
		s.add(aMark, s.rest[:1], 1)
	case c == '"':
		name, n := s.quoted(s.rest)
		s.add(aString, name, n)
	case c == '%':
		s.value()
	case isWord(c):
		n := wordLength(s.rest)
		s.add(aWord, s.rest[:n], n)
	default:
		r, _ := utf8.DecodeRuneInString(s.rest)
		s.fail("no token begins with %q", r)
	}
}

func isWord(r rune) bool { return isLetter(r) || isDigit(r) || r == '.' || r == '+' || r == '-' }

func wordLength(s string) int {
	for i, r := range s {
		if !isWord(r) {
			return i
		}
	}
	return len(s)
}

// quoted reads the string that s starts with and the bytes that it takes.
func (s *scanner) quoted(from string) (string, int) {
	prefix, err := strconv.QuotedPrefix(from)
	if err != nil {
		s.fail("a string does not end")
	}
	name, err := strconv.Unquote(prefix)
	if err != nil {
		s.fail("no string: %s", prefix)
	}
	return name, len(prefix)
}

// value reads a "%", a hint and a number; no hint that is an identifier is in quotes.
func (s *scanner) value() {
	n, hint := 1, ""
	if strings.HasPrefix(s.rest[1:], `"`) {
		name, length := s.quoted(s.rest[1:])
		hint, n = name, 1+length
	}
	length := wordLength(s.rest[n:])
	number := s.rest[n : n+length]
	if i := strings.LastIndexByte(number, '.'); i >= 0 {
		hint, number = hint+number[:i], number[i+1:]
	}
	id, err := strconv.Atoi(number)
	if err != nil || id < 0 || id > maxID || strconv.Itoa(id) != number {
		s.fail("no value: %s", s.rest[:n+length])
	}
	s.add(aValue, hint, n+length)
	s.tokens[len(s.tokens)-1].id = id
}
