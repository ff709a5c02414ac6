package main

import (
	_ "embed"
	"encoding/json"
	"os"
)

// referenceFile is written by -record, in the folder conformance.
const referenceFile = "conformance/reference.json"

//go:embed reference.json
var recorded []byte

// readReference reads the outcomes that are recorded.
func readReference() (map[string]map[string]status, error) {
	kept := map[string]map[string]status{}
	return kept, json.Unmarshal(recorded, &kept)
}

// writeReference records the outcomes of this run, in addition to those of other packages.
func (o *options) writeReference() error {
	raw, err := json.MarshalIndent(o.kept, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(referenceFile, append(raw, '\n'), 0o644)
}
