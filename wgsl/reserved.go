package wgsl

// keywords of WGSL.
const keywords = `
alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop
override requires return struct switch true var while`

// reserved are words that WGSL sets aside, or did once: naga still does.
const reserved = `
CompileShader ComputeShader DomainShader GeometryShader Hullshader binding_array handle inout partition signed
NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class
co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr
constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern
external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline
instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil
noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
partial pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless
unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield`

// types are the words that make types, and bitcast. They were keywords once, and compilers still take them for such,
// so that not even a member may have their names.
const types = `
array atomic bitcast bool f16 f32 f64 i32 i64 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 ptr sampler
sampler_comparison texture_1d texture_2d texture_2d_array texture_3d texture_cube texture_cube_array texture_depth_2d
texture_depth_2d_array texture_depth_cube texture_depth_cube_array texture_depth_multisampled_2d texture_multisampled_2d
texture_storage_1d texture_storage_2d texture_storage_2d_array texture_storage_3d u32 u64 vec2 vec3 vec4`

// predeclared are types and functions that the text calls, or that a reader
// would take for WGSL's own.
const predeclared = `
vec2f vec3f vec4f vec2i vec3i vec4i vec2u vec3u vec4u texture Params
abs acos acosh all any arrayLength asin asinh atan atan2 atanh atomicAdd atomicAnd atomicCompareExchangeWeak
atomicExchange atomicLoad atomicMax atomicMin atomicOr atomicStore atomicSub atomicXor ceil clamp cos cosh
countLeadingZeros countOneBits countTrailingZeros cross degrees determinant distance dot dot4I8Packed dot4U8Packed exp
exp2 extractBits faceForward firstLeadingBit firstTrailingBit floor fma fract frexp insertBits inverseSqrt ldexp length
log log2 max min mix modf normalize pack2x16float pack2x16snorm pack2x16unorm pack4x8snorm pack4x8unorm pack4xI8
pack4xU8 pow quantizeToF16 radians reflect refract reverseBits round saturate select sign sin sinh smoothstep sqrt step
storageBarrier tan tanh textureBarrier transpose trunc unpack2x16float unpack2x16snorm unpack2x16unorm unpack4x8snorm
unpack4x8unorm unpack4xI8 unpack4xU8 workgroupBarrier workgroupUniformLoad subgroupShuffleXor`
