package assembly

// enumerantList has a line for each enumeration: its name, with a "|" after it if it is a mask of bits, and its enumerants with their
// numbers and, in parentheses, the operands that follow an enumerant.
const enumerantList = `
AddressingModel Logical=0 Physical32=1 Physical64=2 PhysicalStorageBuffer64=5348
MemoryModel Simple=0 GLSL450=1 OpenCL=2 Vulkan=3
ExecutionModel GLCompute=5
SourceLanguage Unknown=0 ESSL=1 GLSL=2 OpenCL_C=3 OpenCL_CPP=4 HLSL=5
StorageClass UniformConstant=0 Input=1 Uniform=2 Output=3 Workgroup=4 CrossWorkgroup=5 Private=6 Function=7 Generic=8 PushConstant=9 StorageBuffer=12 PhysicalStorageBuffer=5349
FPEncoding BFloat16KHR=0 Float8E4M3EXT=4214 Float8E5M2EXT=4215
FPRoundingMode RTE=0 RTZ=1 RTP=2 RTN=3
GroupOperation Reduce=0 InclusiveScan=1 ExclusiveScan=2 ClusteredReduce=3
PackedVectorFormat PackedVectorFormat4x8BitKHR=0
FunctionControl| None=0 Inline=1 DontInline=2 Pure=4 Const=8
SelectionControl| None=0 Flatten=1 DontFlatten=2
LoopControl| None=0 Unroll=1 DontUnroll=2 DependencyInfinite=4 DependencyLength=8(int) MinIterations=16(int) MaxIterations=32(int) IterationMultiple=64(int) PeelCount=128(int) PartialCount=256(int)
MemoryAccess| None=0 Volatile=1 Aligned=2(int) Nontemporal=4 MakePointerAvailable=8(id) MakePointerVisible=16(id) NonPrivatePointer=32
FPFastMathMode| None=0 NotNaN=1 NotInf=2 NSZ=4 AllowRecip=8 Fast=16 AllowContract=65536 AllowReassoc=131072 AllowTransform=262144
CooperativeMatrixOperands| NoneKHR=0 MatrixASignedComponentsKHR=1 MatrixBSignedComponentsKHR=2 MatrixCSignedComponentsKHR=4 MatrixResultSignedComponentsKHR=8 SaturatingAccumulationKHR=16
ExecutionMode LocalSize=17(int,int,int) DenormPreserve=4459(int) DenormFlushToZero=4460(int) SignedZeroInfNanPreserve=4461(int) RoundingModeRTE=4462(int) RoundingModeRTZ=4463(int) SubgroupUniformControlFlowKHR=4421 MaximallyReconvergesKHR=6023
BuiltIn NumWorkgroups=24 WorkgroupSize=25 WorkgroupId=26 LocalInvocationId=27 GlobalInvocationId=28 LocalInvocationIndex=29 SubgroupSize=36 NumSubgroups=38 SubgroupId=40 SubgroupLocalInvocationId=41
Decoration RelaxedPrecision=0 SpecId=1(int) Block=2 BufferBlock=3 RowMajor=4 ColMajor=5 ArrayStride=6(int) MatrixStride=7(int) BuiltIn=11(BuiltIn) Restrict=19 Aliased=20 Volatile=21 Coherent=23 NonWritable=24 NonReadable=25 Uniform=26 Binding=33(int) DescriptorSet=34(int) Offset=35(int) FPRoundingMode=39(FPRoundingMode) FPFastMathMode=40(FPFastMathMode) NoContraction=42 NoSignedWrap=4469 NoUnsignedWrap=4470 NonUniform=5300 RestrictPointer=5355 AliasedPointer=5356
Capability Matrix=0 Shader=1 Addresses=4 Linkage=5 Kernel=6 Float16=9 Float64=10 Int64=11 Int64Atomics=12 Int16=22 Int8=39 GroupNonUniform=61 GroupNonUniformVote=62 GroupNonUniformArithmetic=63 GroupNonUniformBallot=64 GroupNonUniformShuffle=65 GroupNonUniformShuffleRelative=66 GroupNonUniformClustered=67 GroupNonUniformQuad=68 Float8EXT=4212 Float8CooperativeMatrixEXT=4213 WorkgroupMemoryExplicitLayoutKHR=4428 WorkgroupMemoryExplicitLayout8BitAccessKHR=4429 WorkgroupMemoryExplicitLayout16BitAccessKHR=4430 StorageBuffer16BitAccess=4433 UniformAndStorageBuffer16BitAccess=4434 StoragePushConstant16=4435 VariablePointersStorageBuffer=4441 VariablePointers=4442 StorageBuffer8BitAccess=4448 UniformAndStorageBuffer8BitAccess=4449 StoragePushConstant8=4450 DenormPreserve=4464 DenormFlushToZero=4465 SignedZeroInfNanPreserve=4466 RoundingModeRTE=4467 RoundingModeRTZ=4468 ShaderClockKHR=5055 BFloat16TypeKHR=5116 BFloat16DotProductKHR=5117 BFloat16CooperativeMatrixKHR=5118 VulkanMemoryModel=5345 VulkanMemoryModelDeviceScope=5346 PhysicalStorageBufferAddresses=5347 AtomicFloat32MinMaxEXT=5612 DotProductInputAllKHR=6016 DotProductInput4x8BitKHR=6017 DotProductInput4x8BitPackedKHR=6018 DotProductKHR=6019 CooperativeMatrixKHR=6022 FloatControls2=6029 AtomicFloat32AddEXT=6033 AtomicFloat64AddEXT=6034 AtomicFloat16AddEXT=6095
set Round=1 RoundEven=2 Trunc=3 FAbs=4 SAbs=5 FSign=6 SSign=7 Floor=8 Ceil=9 Fract=10 Radians=11 Degrees=12 Sin=13 Cos=14 Tan=15 Asin=16 Acos=17 Atan=18 Sinh=19 Cosh=20 Tanh=21 Asinh=22 Acosh=23 Atanh=24 Atan2=25 Pow=26 Exp=27 Log=28 Exp2=29 Log2=30 Sqrt=31 InverseSqrt=32 FMin=37 UMin=38 SMin=39 FMax=40 UMax=41 SMax=42 FClamp=43 UClamp=44 SClamp=45 FMix=46 Step=48 SmoothStep=49 Fma=50 Ldexp=53 PackSnorm4x8=54 PackUnorm4x8=55 PackSnorm2x16=56 PackUnorm2x16=57 PackHalf2x16=58 UnpackSnorm2x16=60 UnpackUnorm2x16=61 UnpackHalf2x16=62 UnpackSnorm4x8=63 UnpackUnorm4x8=64 FindILsb=73 FindSMsb=74 FindUMsb=75 NMin=79 NMax=80 NClamp=81
`
