//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/setting"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/target"
)

// LanguageEnv names the language of kernels, wgsl or spirv, for devices that are opened from then on.
const LanguageEnv = setting.VulkanEnv

// language is what the environment asks for. Where it asks for none, that is SPIR-V for a GPU that may multiply cooperative matrices, and WGSL for others.
func (p *physical) language(kind backend.Kind) (l target.Language, asked bool, err error) {
	if err := setting.VulkanLanguage.Check(); err != nil {
		return 0, true, err
	}
	switch setting.VulkanLanguage.Value() {
	case "wgsl":
		return target.WGSL, true, nil
	case "spirv":
		if lacks := p.lacks(); lacks != "" {
			return 0, true, fault.New(fault.ErrUnsupported, "vulkan", "%s=spirv: the device does not have %s; %s=wgsl opens it", LanguageEnv, lacks, LanguageEnv)
		}
		return target.SPIRV, true, nil
	default:
		if kind != backend.Software && p.has(cooperative) && p.lacks() == "" {
			return target.SPIRV, false, nil
		}
		return target.WGSL, false, nil
	}
}

// open opens a device for the language that the environment asks for. Without that, WGSL serves every device, and SPIR-V those whose cooperative
// matrices multiply faster than multiply-adds, which is known once one is open: kernels of both are otherwise as fast.
func open(p *physical, info backend.Info) (*device, error) {
	language, asked, err := p.language(info.Kind)
	if err != nil {
		return nil, err
	}
	d, err := openFor(p, info, language)
	if asked || language == target.WGSL || err == nil && d.caps.Cooperative.Multiplies() {
		return d, err
	}
	if err == nil {
		err = d.Close()
	}
	logging.Logger().Debug("no cooperative matrices are used, the device is opened for WGSL", "device", info.Name, "error", err)
	return openFor(p, info, target.WGSL)
}

// compilers name what turns a source into a binary, by its language.
var compilers = map[target.Language]string{target.WGSL: spirv.Compiler, target.SPIRV: assembly.Compiler}

// Compile takes WGSL on every device: what asks a device for its facts is written in it.
func (d *device) Compile(src backend.Source) ([]byte, error) {
	op := "compile " + src.Entry
	if src.Language != target.WGSL && src.Language != d.caps.Language {
		return nil, fault.New(fault.ErrUnsupported, op, "the source is %v, the device takes %v", src.Language, d.caps.Language)
	}
	if err := d.mu.Enter(op); err != nil {
		return nil, err
	}
	d.mu.Unlock()
	if src.Language == target.SPIRV {
		binary, err := assembly.Assemble(src.Text)
		if err != nil {
			return nil, fault.New(fault.ErrKernel, op, "the SPIR-V does not assemble").Because(err)
		}
		return binary, nil
	}
	binary, err := spirv.Compile(src.Text)
	if err != nil {
		return nil, fault.New(fault.ErrKernel, op, "the WGSL does not compile").Because(err)
	}
	return binary, nil
}
