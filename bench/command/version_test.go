package command

import (
	"os/exec"
	"regexp"
	"testing"
)

// Within the repository the commit is known; elsewhere it is not guessed.
func TestVersion(t *testing.T) {
	if v := version(); v == "" {
		t.Error("no version")
	}
	if v := described(t.TempDir()); v != "" {
		t.Errorf("a folder without a repository is at %q", v)
	}
	if exec.Command("git", "rev-parse").Run() != nil {
		t.Skip("the tests do not run within a repository that git knows")
	}
	if v := described("."); !regexp.MustCompile(`^[0-9a-f]{7,}(-dirty)?$`).MatchString(v) {
		t.Errorf("the commit is %q", v)
	}
}
