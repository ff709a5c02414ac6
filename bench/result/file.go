package result

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
)

// ReadFile reads results in either form.
//
// Errors: a file that cannot be read, breaks its format or has no results, with its path.
func ReadFile(path string) ([]Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	list, err := read(in, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the file has no results", path)
	}
	return list, nil
}

func read(in *bufio.Reader, path string) ([]Result, error) {
	start, err := in.Peek(64)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(start), []byte("{")) {
		return ReadJSON(in)
	}
	return ReadBench(in, path)
}
