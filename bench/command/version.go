package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

const module = "github.com/weftgpu/weft"

// version is the module's: the commit where the build knows it, or where the command is run within the module's
// repository, as by go run.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		commit = commit[:min(12, len(commit))]
		if settings["vcs.modified"] == "true" {
			commit += "-dirty"
		}
		return commit
	}
	if commit := described("."); commit != "" {
		return commit
	}
	return info.Main.Version
}

// described is the commit of the repository that a folder is in, if that is the module's.
func described(folder string) string {
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", folder}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	top := git("rev-parse", "--show-toplevel")
	text, err := os.ReadFile(filepath.Join(top, "go.mod"))
	if top == "" || err != nil || !bytes.HasPrefix(text, []byte("module "+module+"\n")) {
		return ""
	}
	return git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
}
