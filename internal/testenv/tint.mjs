// Validates WGSL files with Dawn, which needs no driver for that: compiles each and
// makes a compute pipeline of it. Prints what is wrong; exit status 1 if anything is.
//   WEFT_DAWN=folder with node_modules/webgpu node tint.mjs FILE...
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { create } = await import(pathToFileURL(join(process.env.WEFT_DAWN, 'node_modules/webgpu/index.js')).href);
const gpu = create(['backend=null', 'enable-dawn-features=allow_unsafe_apis']);
const adapter = await gpu.requestAdapter();
const limits = {};
for (const name of ['maxComputeWorkgroupStorageSize', 'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX']) {
  limits[name] = adapter.limits[name];
}
const features = ['shader-f16', 'subgroups', 'chromium-experimental-subgroup-matrix'];
const device = await adapter.requestDevice({ requiredLimits: limits, requiredFeatures: features });
let wrong = 0;
for (const file of process.argv.slice(2)) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code: readFileSync(file, 'utf8') });
  const { messages } = await module.getCompilationInfo();
  for (const m of messages) {
    console.log(`${file}:${m.lineNum}:${m.linePos}: ${m.type}: ${m.message}`);
  }
  device.createComputePipeline({ layout: 'auto', compute: { module } });
  const error = await device.popErrorScope();
  if (error) {
    console.log(`${file}: ${error.message}`);
    wrong++;
  }
}
process.exit(wrong ? 1 : 0);
