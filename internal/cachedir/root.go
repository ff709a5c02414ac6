package cachedir

import (
	"os"
	"path/filepath"

	"github.com/weftgpu/weft/fault"
)

// Env names the root folder of the cache, or is "off".
const Env = "WEFT_CACHE"

// Root returns the cache's root folder, which need not exist yet.
//
// Error: fault.ErrUnsupported if there is none, with the reason.
func Root() (string, error) {
	switch dir := os.Getenv(Env); dir {
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fault.New(fault.ErrUnsupported, "cache", "there is no folder for it; set %s to one", Env).Because(err)
		}
		return filepath.Join(user, "weft"), nil
	case "off":
		return "", fault.New(fault.ErrUnsupported, "cache", "turned off by %s=off", Env)
	default:
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", fault.New(fault.ErrArgument, "cache", "%s=%s does not name a folder", Env, dir).Because(err)
		}
		return abs, nil
	}
}

// validName reports whether a name is that of a file on every system and neither hidden
// nor a path.
func validName(name string) bool {
	if name == "" || name[0] == '.' || len(name) > 200 {
		return false
	}
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// failure is an error of the file system.
func failure(op string, err error) error {
	return fault.New(fault.ErrUnsupported, "cache: "+op, "the file system reports an error").Because(err)
}
