package spirv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// module holds the sections of a module but for its functions' order.
type module struct {
	capabilities []string
	extensions   []string
	modes        []string // execution modes of the entry point, without its id
	decorations  []string
	globals      []string          // types, constants and variables
	known        map[string]string // ids of types and constants by their text
	functions    []string
}

func newModule() module {
	return module{known: map[string]string{}, capabilities: []string{"Shader"}}
}

// needs declares a capability, with the extension that has it if it is not of SPIR-V 1.3.
func (m *module) needs(capability, extension string) {
	m.capabilities = appendNew(m.capabilities, capability)
	if extension != "" {
		m.extensions = appendNew(m.extensions, extension)
	}
}

func (m *module) mode(text string) { m.modes = appendNew(m.modes, text) }

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// global declares a type or a constant once, and says its id.
func (m *module) global(name, text string) string {
	id, ok := m.known[text]
	if !ok {
		id = "%" + name
		m.known[text] = id
		m.globals = append(m.globals, instruction(id, text))
	}
	return id
}

func (m *module) decorate(format string, args ...any) {
	m.decorations = append(m.decorations, instruction("", "OpDecorate "+fmt.Sprintf(format, args...)))
}

// column is where the names of results end, if they are no longer.
const column = 14

const spaces = "                 " // column + 3

// instruction is a line of the text.
func instruction(id, text string) string {
	if id == "" {
		return spaces + text
	}
	return spaces[:max(0, column-len(id))] + id + " = " + text
}

// text is the module's.
func (w *writer) text(entry string) string {
	lines := []string{"; SPIR-V", "; Version: 1.3"}
	line := func(parts ...string) { lines = append(lines, instruction("", strings.Join(parts, " "))) }
	for _, c := range w.capabilities {
		line("OpCapability", c)
	}
	for _, e := range w.extensions {
		line("OpExtension", `"`+e+`"`)
	}
	lines = append(lines, instruction("%glsl", `OpExtInstImport "GLSL.std.450"`))
	addressing, model := "Logical", "GLSL450"
	if w.isExplicit() {
		model = "Vulkan"
	}
	if w.kernel.DeviceAddresses {
		addressing = "PhysicalStorageBuffer64"
	}
	line("OpMemoryModel", addressing, model)
	line(append([]string{"OpEntryPoint GLCompute", entry, `"` + w.kernel.Name + `"`}, w.inputs...)...)
	line("OpExecutionMode", entry, "LocalSize", strconv.Itoa(w.kernel.Threads), "1 1")
	for _, m := range w.modes {
		line("OpExecutionMode", entry, m)
	}
	lines = append(append(append(lines, w.decorations...), ""), w.globals...)
	return strings.Join(lines, "\n") + "\n" + strings.Join(w.functions, "")
}
