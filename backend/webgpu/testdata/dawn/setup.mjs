// Gives a Go wasm program a browser's WebGPU under Node, through Dawn.
const { create, globals } = await import(`file://${process.env.WEFT_DAWN}/index.js`);
Object.assign(globalThis, globals);
Object.defineProperty(globalThis, 'navigator', { value: { gpu: create([]) }, configurable: true });
