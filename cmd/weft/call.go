package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/setting"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// opFlags adds the options of ops to a command.
func opFlags(cmd *cobra.Command, o *catalog.Options) {
	*o = catalog.DefaultOptions()
	for _, f := range catalog.Flags() {
		switch v := f.Value(o).(type) {
		case *string:
			cmd.Flags().StringVar(v, f.Name, *v, f.Usage)
		case *int:
			cmd.Flags().IntVar(v, f.Name, *v, f.Usage)
		case *bool:
			cmd.Flags().BoolVar(v, f.Name, *v, f.Usage)
		case *float64:
			cmd.Flags().Float64Var(v, f.Name, *v, f.Usage)
		}
	}
	complete(cmd, "dtype", strings.Fields("f32 f16 bf16 i8 u8 i32 u32 i64 u64 bool")...)
	complete(cmd, "layout", "nn", "nt", "tn", "tt")
}

// complete gives a flag's values to the shell.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // a flag that is not there
	}
}

// completeOp gives the ops' names to the shell, and then how the shape is written.
func completeOp(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	switch len(args) {
	case 0:
		for _, op := range catalog.Ops() {
			list = append(list, op.Name+"\t"+op.About)
		}
	case 1:
		if op, err := catalog.Find(args[0]); err == nil {
			list = []string{strings.Fields(op.Example)[0] + "\t" + op.Shape}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// parseCall reads the arguments OP and SHAPE.
func parseCall(cmd *cobra.Command, args []string, o catalog.Options) (*catalog.Call, error) {
	op, err := catalog.Find(args[0])
	if err != nil {
		return nil, usage{err}
	}
	known := catalog.Flags()
	var given []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.ContainsFunc(known, func(k catalog.Flag) bool { return k.Name == f.Name }) {
			given = append(given, f.Name)
		}
	})
	c, err := op.Parse(args[1], o, given...)
	if err != nil {
		return nil, usage{err}
	}
	return c, nil
}

// hardware is what kernels are compiled for.
type hardware struct {
	Name, About string
	Caps        target.Caps
}

// languages are the presets that stand for a language.
var languages = map[string]string{"cuda": "h200", "simt": "h200", "tile": "h200", "wgsl": "webgpu", "spirv": "vulkan-nvidia", "wgsl-spirv": "vulkan-nvidia"}

// vulkanLanguages are the languages of Vulkan's devices by what is printed, where that is one of them.
var vulkanLanguages = map[string]string{"spirv": "spirv", "wgsl": "wgsl", "wgsl-spirv": "wgsl"}

// usualLanguage is the language that a device of Vulkan is opened for where the environment names none.
func usualLanguage(p target.Preset) string {
	if p.Caps.Registers != target.SoftwareRegisters && p.SPIRV.Cooperative.Multiplies() {
		return "spirv"
	}
	return "wgsl"
}

// hardwareFlags are the ways to say what kernels are compiled for: a language, and hardware that takes it.
type hardwareFlags struct{ target, on, device, arch string }

func (h *hardwareFlags) add(cmd *cobra.Command, targetUsage string) {
	cmd.Flags().StringVarP(&h.target, "target", "t", "", targetUsage)
	complete(cmd, "target", forms...)
	cmd.Flags().StringVar(&h.on, "on", "", "hardware to compile for, such as h200: one of 'weft hardware'")
	complete(cmd, "on", presetNames()...)
	cmd.Flags().StringVar(&h.device, "device", "", "compile for a device of this machine, such as cuda or vulkan:1")
	cmd.Flags().StringVar(&h.arch, "arch", "", "architecture of an NVIDIA GPU, such as sm_90a")
	complete(cmd, "arch", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120")
	completeDevice(cmd)
}

// checkTarget reports an unknown language.
func (h hardwareFlags) checkTarget() error {
	if slices.Contains(forms, h.target) {
		return nil
	}
	hint := ""
	if _, ok := target.PresetNamed(h.target); ok {
		hint = fmt.Sprintf("; %s is hardware: --on %s", h.target, h.target)
	}
	return usage{fmt.Errorf("--target %q: want one of %s%s", h.target, strings.Join(forms, ", "), hint)}
}

// completeDevice gives the devices of this machine to the shell.
func completeDevice(cmd *cobra.Command) {
	err := cmd.RegisterFlagCompletionFunc("device", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var list []string
		for _, d := range weft.Devices() {
			if d.Refused == nil {
				list = append(list, d.Spec()+"\t"+d.Name)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err)
	}
}

// find is the hardware that the flags name. Where they name none it is the usual one, or the best device of this
// machine if that is empty.
func (h hardwareFlags) find(usual string) (found hardware, err error) {
	name := h.on
	if name == "" && h.device == "" {
		name = usual
	}
	switch p, ok := target.PresetNamed(name); {
	case h.on != "" && h.device != "":
		return found, usage{errors.New("--on and --device both say where, want one of them")}
	case name != "" && !ok:
		hint := ""
		if slices.Contains(forms, name) {
			hint = fmt.Sprintf("; %s is a language: --target %s", name, name)
		}
		return found, usage{fmt.Errorf("--on %q: unknown hardware, want one of %s%s", name, strings.Join(presetNames(), ", "), hint)}
	case name != "":
		found = hardware{p.Name, p.About, p.Caps}
		if p.SPIRV != nil && cmp.Or(vulkanLanguages[h.target], setting.VulkanLanguage.Value(), usualLanguage(p)) == "spirv" {
			found.Caps = *p.SPIRV
		}
	default:
		if language := vulkanLanguages[h.target]; language != "" && setting.VulkanLanguage.Value() == "" { // a device of Vulkan takes either language
			defer os.Unsetenv(setting.VulkanEnv)
			if err := os.Setenv(setting.VulkanEnv, language); err != nil {
				return found, err
			}
		}
		dev, err := weft.Open(h.device)
		if err != nil {
			return found, err
		}
		defer dev.Close()
		found = hardware{dev.String(), dev.Info().Name, dev.Caps()}
	}
	if h.arch != "" {
		if found.Caps.Language != target.CUDA {
			return found, usage{fmt.Errorf("--arch is for NVIDIA GPUs, %s takes %v", found.Name, found.Caps.Language)}
		}
		if found.Caps, err = withArch(found.Caps, h.arch); err != nil {
			return found, err
		}
	}
	return found, fits(h.target, found)
}

func presetNames() (names []string) {
	for _, p := range target.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// measureNothing takes back WEFT_TUNE=1: nothing can be measured on a device that is not there.
func measureNothing() {
	if os.Getenv(tune.Env) == "1" {
		os.Unsetenv(tune.Env)
	}
}

// launches lists what a call would launch on hardware. Launches before one that is refused are listed with the error.
func launches(c *catalog.Call, h hardware) ([]offline.Launch, error) {
	list, _, err := launchesAndChoices(c, h)
	return list, err
}

// launchesAndChoices reports the choices of configs, too.
func launchesAndChoices(c *catalog.Call, h hardware) (list []offline.Launch, choices []tune.Choice, err error) {
	stop := tune.Listen(func(x tune.Choice) { choices = append(choices, x) })
	defer stop()
	measureNothing()
	dev, record := offline.Open(h.Name, h.Caps)
	defer dev.Close()
	p := c.Problem(c.Values())
	t, err := p.Empty(dev)
	if err != nil {
		return nil, nil, err
	}
	err = p.Run(t.Out, t.In)
	list = record.Take()
	if err == nil && len(list) == 0 {
		err = fault.New(fault.ErrShape, c.Op.Name, "there is nothing to do for shape %s", c.Shape)
	}
	return list, choices, err
}
