package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	device := flags.String("device", "", "backend or backend:index; all if empty")
	only := flags.String("op", "", "`regexp` of the work to do, such as ^matmul; all if empty")
	asJSON := flags.Bool("json", false, "print one JSON object a line")
	peers := flags.String("peer", "", "`file` with the lines of a peer, to print how fast each op is beside it")
	scale := flags.Int("scale", 0, "log2 of the vector's length; 0 chooses by the kind of device")
	side := flags.Int("side", 0, "side of the matrices; 0 chooses by the kind of device")
	flags.Parse(args)
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	peer, err := readPeer(*peers)
	if err != nil {
		return err
	}
	var results []result
	for _, info := range weft.Devices() {
		if info.Refused != nil || *device != "" && info.Spec() != *device && info.Backend != *device {
			continue
		}
		for _, r := range benchDevice(info, wanted, sizesFor(info.Kind, *scale, *side)) {
			if *asJSON { // as soon as it is there
				if err := json.NewEncoder(stdout).Encode(r); err != nil {
					return err
				}
			}
			results = append(results, r)
		}
	}
	if !*asJSON {
		printTable(stdout, results, peer)
	}
	return nil
}

// benchDevice does the work whose name is wanted on one device.
func benchDevice(info weft.DeviceInfo, wanted *regexp.Regexp, s sizes) (list []result) {
	dev, err := weft.Open(info.Spec())
	if err != nil {
		return []result{{Who: info.Spec(), Error: err.Error()}}
	}
	defer dev.Close()
	for _, w := range works(s) {
		if !wanted.MatchString(w.Op) {
			continue
		}
		r := result{Who: info.Spec(), Op: w.Op}
		if times, err := measure(dev, w); err != nil {
			r.Error = err.Error()
		} else {
			r.Seconds, r.Quarter = times[len(times)/2], times[len(times)/4]
			r.GBps, r.TFLOPps = w.Bytes/r.Seconds/1e9, w.Flop/r.Seconds/1e12
		}
		list = append(list, r)
	}
	return list
}
