package command

import (
	"runtime/debug"
)

// version is the module's, with the commit where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return info.Main.Version
	}
	commit = commit[:min(12, len(commit))]
	if settings["vcs.modified"] == "true" {
		commit += "+changes"
	}
	return commit
}
