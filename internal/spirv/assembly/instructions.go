package assembly

// instructionList has a line for each instruction: its name, its number and its operands as they are in the text after
// the "=". An operand is "type" (the id of the result's type), "id", "int" (a literal of 32 bits), "string", "number" (a literal of the
// result's type), "set" (the number of an extended instruction) or the name of an enumeration; "?" follows what may be missing,
// "*" what may be there any number of times. "result" says that the instruction has one.
const instructionList = `
OpNop 0
OpUndef 1 type result
OpSource 3 SourceLanguage int id? string?
OpName 5 id string
OpMemberName 6 id int string
OpString 7 result string
OpLine 8 id int int
OpExtension 10 string
OpExtInstImport 11 result string
OpExtInst 12 type result id set id*
OpMemoryModel 14 AddressingModel MemoryModel
OpEntryPoint 15 ExecutionModel id string id*
OpExecutionMode 16 id ExecutionMode
OpCapability 17 Capability
OpTypeVoid 19 result
OpTypeBool 20 result
OpTypeInt 21 result int int
OpTypeFloat 22 result int FPEncoding?
OpTypeVector 23 result id int
OpTypeArray 28 result id id
OpTypeRuntimeArray 29 result id
OpTypeStruct 30 result id*
OpTypePointer 32 result StorageClass id
OpTypeFunction 33 result id id*
OpTypeForwardPointer 39 id StorageClass
OpConstantTrue 41 type result
OpConstantFalse 42 type result
OpConstant 43 type result number
OpConstantComposite 44 type result id*
OpConstantNull 46 type result
OpSpecConstantTrue 48 type result
OpSpecConstantFalse 49 type result
OpSpecConstant 50 type result number
OpSpecConstantComposite 51 type result id*
OpFunction 54 type result FunctionControl id
OpFunctionParameter 55 type result
OpFunctionEnd 56
OpFunctionCall 57 type result id id*
OpVariable 59 type result StorageClass id?
OpLoad 61 type result id MemoryAccess?
OpStore 62 id id MemoryAccess?
OpCopyMemory 63 id id MemoryAccess? MemoryAccess?
OpAccessChain 65 type result id id*
OpInBoundsAccessChain 66 type result id id*
OpPtrAccessChain 67 type result id id id*
OpArrayLength 68 type result id int
OpDecorate 71 id Decoration
OpMemberDecorate 72 id int Decoration
OpVectorExtractDynamic 77 type result id id
OpVectorInsertDynamic 78 type result id id id
OpVectorShuffle 79 type result id id int*
OpCompositeConstruct 80 type result id*
OpCompositeExtract 81 type result id int*
OpCompositeInsert 82 type result id id int*
OpCopyObject 83 type result id
OpConvertFToU 109 type result id
OpConvertFToS 110 type result id
OpConvertSToF 111 type result id
OpConvertUToF 112 type result id
OpUConvert 113 type result id
OpSConvert 114 type result id
OpFConvert 115 type result id
OpQuantizeToF16 116 type result id
OpConvertPtrToU 117 type result id
OpConvertUToPtr 120 type result id
OpBitcast 124 type result id
OpSNegate 126 type result id
OpFNegate 127 type result id
OpIAdd 128 type result id id
OpFAdd 129 type result id id
OpISub 130 type result id id
OpFSub 131 type result id id
OpIMul 132 type result id id
OpFMul 133 type result id id
OpUDiv 134 type result id id
OpSDiv 135 type result id id
OpFDiv 136 type result id id
OpUMod 137 type result id id
OpSRem 138 type result id id
OpSMod 139 type result id id
OpFRem 140 type result id id
OpFMod 141 type result id id
OpVectorTimesScalar 142 type result id id
OpMatrixTimesScalar 143 type result id id
OpDot 148 type result id id
OpIAddCarry 149 type result id id
OpISubBorrow 150 type result id id
OpUMulExtended 151 type result id id
OpSMulExtended 152 type result id id
OpAny 154 type result id
OpAll 155 type result id
OpIsNan 156 type result id
OpIsInf 157 type result id
OpLogicalEqual 164 type result id id
OpLogicalNotEqual 165 type result id id
OpLogicalOr 166 type result id id
OpLogicalAnd 167 type result id id
OpLogicalNot 168 type result id
OpSelect 169 type result id id id
OpIEqual 170 type result id id
OpINotEqual 171 type result id id
OpUGreaterThan 172 type result id id
OpSGreaterThan 173 type result id id
OpUGreaterThanEqual 174 type result id id
OpSGreaterThanEqual 175 type result id id
OpULessThan 176 type result id id
OpSLessThan 177 type result id id
OpULessThanEqual 178 type result id id
OpSLessThanEqual 179 type result id id
OpFOrdEqual 180 type result id id
OpFUnordEqual 181 type result id id
OpFOrdNotEqual 182 type result id id
OpFUnordNotEqual 183 type result id id
OpFOrdLessThan 184 type result id id
OpFUnordLessThan 185 type result id id
OpFOrdGreaterThan 186 type result id id
OpFUnordGreaterThan 187 type result id id
OpFOrdLessThanEqual 188 type result id id
OpFUnordLessThanEqual 189 type result id id
OpFOrdGreaterThanEqual 190 type result id id
OpFUnordGreaterThanEqual 191 type result id id
OpShiftRightLogical 194 type result id id
OpShiftRightArithmetic 195 type result id id
OpShiftLeftLogical 196 type result id id
OpBitwiseOr 197 type result id id
OpBitwiseXor 198 type result id id
OpBitwiseAnd 199 type result id id
OpNot 200 type result id
OpBitFieldInsert 201 type result id id id id
OpBitFieldSExtract 202 type result id id id
OpBitFieldUExtract 203 type result id id id
OpBitReverse 204 type result id
OpBitCount 205 type result id
OpControlBarrier 224 id id id
OpMemoryBarrier 225 id id
OpAtomicLoad 227 type result id id id
OpAtomicStore 228 id id id id
OpAtomicExchange 229 type result id id id id
OpAtomicCompareExchange 230 type result id id id id id id
OpAtomicIIncrement 232 type result id id id
OpAtomicIDecrement 233 type result id id id
OpAtomicIAdd 234 type result id id id id
OpAtomicISub 235 type result id id id id
OpAtomicSMin 236 type result id id id id
OpAtomicUMin 237 type result id id id id
OpAtomicSMax 238 type result id id id id
OpAtomicUMax 239 type result id id id id
OpAtomicAnd 240 type result id id id id
OpAtomicOr 241 type result id id id id
OpAtomicXor 242 type result id id id id
OpPhi 245 type result id*
OpLoopMerge 246 id id LoopControl
OpSelectionMerge 247 id SelectionControl
OpLabel 248 result
OpBranch 249 id
OpBranchConditional 250 id id id int? int?
OpReturn 253
OpReturnValue 254 id
OpUnreachable 255
OpNoLine 317
OpModuleProcessed 330 string
OpGroupNonUniformElect 333 type result id
OpGroupNonUniformAll 334 type result id id
OpGroupNonUniformAny 335 type result id id
OpGroupNonUniformAllEqual 336 type result id id
OpGroupNonUniformBroadcast 337 type result id id id
OpGroupNonUniformBroadcastFirst 338 type result id id
OpGroupNonUniformBallot 339 type result id id
OpGroupNonUniformInverseBallot 340 type result id id
OpGroupNonUniformBallotBitExtract 341 type result id id id
OpGroupNonUniformBallotBitCount 342 type result id GroupOperation id
OpGroupNonUniformBallotFindLSB 343 type result id id
OpGroupNonUniformBallotFindMSB 344 type result id id
OpGroupNonUniformShuffle 345 type result id id id
OpGroupNonUniformShuffleXor 346 type result id id id
OpGroupNonUniformShuffleUp 347 type result id id id
OpGroupNonUniformShuffleDown 348 type result id id id
OpGroupNonUniformIAdd 349 type result id GroupOperation id id?
OpGroupNonUniformFAdd 350 type result id GroupOperation id id?
OpGroupNonUniformIMul 351 type result id GroupOperation id id?
OpGroupNonUniformFMul 352 type result id GroupOperation id id?
OpGroupNonUniformSMin 353 type result id GroupOperation id id?
OpGroupNonUniformUMin 354 type result id GroupOperation id id?
OpGroupNonUniformFMin 355 type result id GroupOperation id id?
OpGroupNonUniformSMax 356 type result id GroupOperation id id?
OpGroupNonUniformUMax 357 type result id GroupOperation id id?
OpGroupNonUniformFMax 358 type result id GroupOperation id id?
OpGroupNonUniformBitwiseAnd 359 type result id GroupOperation id id?
OpGroupNonUniformBitwiseOr 360 type result id GroupOperation id id?
OpGroupNonUniformBitwiseXor 361 type result id GroupOperation id id?
OpGroupNonUniformLogicalAnd 362 type result id GroupOperation id id?
OpGroupNonUniformLogicalOr 363 type result id GroupOperation id id?
OpGroupNonUniformLogicalXor 364 type result id GroupOperation id id?
OpCopyLogical 400 type result id
OpSDotKHR 4450 type result id id PackedVectorFormat?
OpUDotKHR 4451 type result id id PackedVectorFormat?
OpSUDotKHR 4452 type result id id PackedVectorFormat?
OpSDotAccSatKHR 4453 type result id id id PackedVectorFormat?
OpUDotAccSatKHR 4454 type result id id id PackedVectorFormat?
OpSUDotAccSatKHR 4455 type result id id id PackedVectorFormat?
OpTypeCooperativeMatrixKHR 4456 result id id id id id
OpCooperativeMatrixLoadKHR 4457 type result id id id? MemoryAccess?
OpCooperativeMatrixStoreKHR 4458 id id id id? MemoryAccess?
OpCooperativeMatrixMulAddKHR 4459 type result id id id CooperativeMatrixOperands?
OpCooperativeMatrixLengthKHR 4460 type result id
OpAtomicFMinEXT 5614 type result id id id id
OpAtomicFMaxEXT 5615 type result id id id id
OpAtomicFAddEXT 6035 type result id id id id
`
