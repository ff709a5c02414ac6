package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// WriteJSON writes one line.
func WriteJSON(w io.Writer, r Result) error { return json.NewEncoder(w).Encode(r) }

// ReadJSON reads all lines.
//
// Errors: what is not JSON or names no work, with the number of the record.
func ReadJSON(in io.Reader) (list []Result, err error) {
	for lines := json.NewDecoder(in); ; {
		var r Result
		switch err := lines.Decode(&r); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("result %d: %w", len(list)+1, err)
		case r.Work == "" || r.Who == "":
			return nil, fmt.Errorf("result %d: it does not say of which work it is, or who did it", len(list)+1)
		}
		list = append(list, r)
	}
}
