package assembly

import (
	"fmt"
	"strconv"
	"strings"
)

// token takes the next word of the line, "" at its end. A string keeps the quotation mark before it, without escapes.
func (a *assembler) token() (string, error) {
	s := a.rest
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	a.rest = ""
	switch {
	case s == "":
		return "", nil
	case s[0] == ';':
		return "", a.comment(s)
	case s[0] == '"':
		return a.quoted(s)
	}
	n := 1
	for n < len(s) && !isSpace(s[n]) && s[n] != ';' {
		n++
	}
	a.rest = s[n:]
	return s[:n], nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// quoted takes a string.
func (a *assembler) quoted(s string) (string, error) {
	for n := 1; n < len(s); n++ {
		switch s[n] {
		case 0:
			return "", fmt.Errorf("a string has a byte that is 0")
		case '"':
			a.rest = s[n+1:]
			return unescaped(s[:n]), nil
		case '\\':
			n++
		}
	}
	return "", fmt.Errorf("a string has no end")
}

// unescaped drops the backslashes that are not after others.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// comment reads the module's version, which spirv-dis prints as a comment.
func (a *assembler) comment(s string) error {
	of, ok := strings.CutPrefix(s, "; Version: ")
	if !ok || len(a.words) > headerWords {
		return nil
	}
	major, minor, _ := strings.Cut(strings.TrimSpace(of), ".")
	x, errMajor := strconv.ParseUint(major, 10, 8)
	y, errMinor := strconv.ParseUint(minor, 10, 8)
	if errMajor != nil || errMinor != nil {
		return fmt.Errorf("%q is not a version", of)
	}
	a.words[versionAt] = uint32(x<<16 | y<<8)
	return nil
}
