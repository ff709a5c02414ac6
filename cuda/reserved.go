package cuda

// keywords of C++ and of CUDA's dialect.
const keywords = `
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq`

// predeclared are names that NVRTC declares by itself, and main.
const predeclared = `
main threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 char1 char2 char3 char4 short1 short2 short3 short4 int1
int2 int3 int4 uint1 uint2 uint4 long1 long2 long3 long4 float1 float2 float3 float4 double1 double2 double3 double4
size_t ptrdiff_t clock_t uint ushort ulong std clock clock64 printf assert malloc free memcpy memset exit abort
abs labs llabs fabs fabsf min max fmin fminf fmax fmaxf umin umax exp expf exp2 exp2f exp10 exp10f expm1 expm1f log logf
log2 log2f log10 log10f log1p log1pf pow powf sqrt sqrtf rsqrt rsqrtf cbrt cbrtf rcbrt rcbrtf hypot hypotf sin sinf cos
cosf tan tanf sincos sincosf sinpi sinpif cospi cospif asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh
coshf tanh tanhf asinh asinhf acosh acoshf atanh atanhf floor floorf ceil ceilf trunc truncf round roundf rint rintf
nearbyint nearbyintf lround lroundf lrint lrintf fma fmaf fmod fmodf remainder remainderf remquo remquof modf modff
frexp frexpf ldexp ldexpf scalbn scalbnf scalbln scalblnf logb logbf ilogb ilogbf erf erff erfc erfcf erfinv erfinvf
erfcinv erfcx tgamma tgammaf lgamma lgammaf j0 j0f j1 j1f jn jnf y0 y0f y1 y1f yn ynf copysign copysignf nextafter
nextafterf fdim fdimf fdivide fdividef saturate norm normf norm3d norm4d rnorm signbit isnan isinf isfinite isnanf isinff
nan nanf ulong ulonglong atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd
atomicOr atomicXor surfaceReference textureReference cudaError_t NULL llmin llmax ullmin ullmax llrint llrintf llround
llroundf sincospi sincospif rhypot rhypotf norm3df norm4df rnormf rnorm3d rnorm3df rnorm4d rnorm4df normcdf normcdff
normcdfinv normcdfinvf erfcinvf erfcxf cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f va_list CUDARTAPI
CUDART_VERSION`
