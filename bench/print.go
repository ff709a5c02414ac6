package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
	"time"
)

// result is one line of output, of this program and of the peers.
type result struct {
	Who     string  `json:"who"`
	Op      string  `json:"op"`
	Seconds float64 `json:"seconds"` // median
	Quarter float64 `json:"quarter"` // lower quartile
	GBps    float64 `json:"gbps"`    // 0 where operations count
	TFLOPps float64 `json:"tflops"`  // 0 where bytes count
	Error   string  `json:"error,omitempty"`
}

// readPeer reads a peer's lines, by op; none if there is no path.
func readPeer(path string) (map[string]result, error) {
	peer := map[string]result{}
	if path == "" {
		return peer, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := json.NewDecoder(f); ; {
		var r result
		switch err := lines.Decode(&r); {
		case errors.Is(err, io.EOF):
			return peer, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		peer[r.Op] = r
	}
}

// printTable prints results, and how fast each is beside the peer: 2.00 is twice as fast.
func printTable(out io.Writer, results []result, peer map[string]result) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "device\top\ttime\tGB/s\tTFLOP/s\t"
	if len(peer) > 0 {
		head += "peer\tspeed\t"
	}
	fmt.Fprintln(w, head)
	for _, r := range results {
		if r.Error != "" {
			fmt.Fprintf(w, "%s\t%s\t%s\t\t\t\n", r.Who, r.Op, r.Error)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t", r.Who, r.Op, span(r.Seconds), rate(r.GBps), rate(r.TFLOPps))
		if p := peer[r.Op]; p.Seconds > 0 {
			fmt.Fprintf(w, "%s\t%.2f\t", span(p.Seconds), p.Seconds/r.Seconds)
		} else if len(peer) > 0 {
			fmt.Fprint(w, "-\t-\t")
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

func span(seconds float64) string {
	return time.Duration(seconds * 1e9).Round(100 * time.Nanosecond).String()
}

// rate prints four significant digits, "-" where nothing was counted.
func rate(x float64) string {
	if x == 0 {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
