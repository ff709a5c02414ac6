package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// WriteJSON writes one line.
func WriteJSON(w io.Writer, r Result) error { return json.NewEncoder(w).Encode(r) }

// ReadJSON reads all lines.
//
// Errors: what is not JSON, names no work, or has times that are none, with the number of the record.
func ReadJSON(in io.Reader) (list []Result, err error) {
	for lines := json.NewDecoder(in); ; {
		var r Result
		switch err := lines.Decode(&r); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("result %d: %w", len(list)+1, err)
		case r.Work == "" || r.Op == "" || r.Who == "":
			return nil, fmt.Errorf("result %d: it does not say of which work and op it is, or who did it", len(list)+1)
		case slices.ContainsFunc(r.Seconds, func(s float64) bool { return !isTime(s) }):
			return nil, fmt.Errorf("result %d: times of %v seconds, want more than 0", len(list)+1, r.Seconds)
		}
		list = append(list, r)
	}
}

// isTime says whether seconds are of a launch, which takes some time and not longer than tables can print.
func isTime(seconds float64) bool {
	return seconds > 0 && seconds < time.Duration(math.MaxInt64).Seconds()
}
