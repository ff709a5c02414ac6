package setting

import (
	"os"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// A Setting is a variable of the environment that has one of a few values, or none.
type Setting struct {
	Name   string
	Values []string // in lower case
}

var all = []*Setting{VulkanLanguage}

// VulkanEnv is the variable of VulkanLanguage.
const VulkanEnv = "WEFT_VULKAN"

// VulkanLanguage is the language of kernels for Vulkan. It is here for the command, which emits them also where it is built without that backend.
var VulkanLanguage = &Setting{Name: VulkanEnv, Values: []string{"wgsl", "spirv"}}

// New declares a setting. It is called where a package's variables are initialised.
func New(name string, values ...string) *Setting {
	s := &Setting{Name: name, Values: values}
	all = append(all, s)
	return s
}

// Value is the value in lower case, empty where there is none or a wrong one.
func (s *Setting) Value() string {
	if v := strings.ToLower(os.Getenv(s.Name)); slices.Contains(s.Values, v) {
		return v
	}
	return ""
}

// Check refuses a wrong value.
//
// Error: fault.ErrArgument, with the values there are.
func (s *Setting) Check() error {
	v := os.Getenv(s.Name)
	if v == "" || s.Value() != "" {
		return nil
	}
	last := len(s.Values) - 1
	return fault.New(fault.ErrArgument, "environment", "%s=%s, want %s or %s", s.Name, v, strings.Join(s.Values[:last], ", "), s.Values[last])
}

// Check checks all settings of the program, and reports the first wrong one by name.
func Check() error {
	byName := slices.SortedFunc(slices.Values(all), func(a, b *Setting) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range byName {
		if err := s.Check(); err != nil {
			return err
		}
	}
	return nil
}
