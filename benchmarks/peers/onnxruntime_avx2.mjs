// Makes a copy of ONNX Runtime's library for x86-64 that knows no AVX-512, as it is on
// a machine without: node onnxruntime_avx2.mjs LIBRARY COPY
//
// Nothing else makes the library choose its kernels for AVX2 on a machine with more.
// Where it sets up its matrix products (MlasPlatform), it tests bit 16 of what CPUID
// says, AVX512F, and then the bits of XCR0 for the registers of AVX-512:
//   test r10d, 0x10000;  je ...;  test al, 0xe0
// In the copy the first asks for no bit at all. Without exactly one such place nothing
// is written.

import { readFileSync, writeFileSync } from 'node:fs';

const kTestAvx512f = Buffer.from([0x41, 0xf7, 0xc2, 0x00, 0x00, 0x01, 0x00]);
const kTestRegisters = Buffer.from([0xa8, 0xe0]);
const kMask = 3;      // where the mask of `test` begins
const kBetween = 16;  // bytes of the jump and what else stands between

const [library, copy] = process.argv.slice(2);
const code = readFileSync(library);
const places = [];
for (let at = code.indexOf(kTestAvx512f); at >= 0; at = code.indexOf(kTestAvx512f, at + 1)) {
  const end = at + kTestAvx512f.length;
  if (code.subarray(end, end + kBetween).includes(kTestRegisters)) places.push(at);
}
if (places.length !== 1) {
  console.error(`onnxruntime_avx2: ${library} has ${places.length} places that test for AVX-512; there should be 1`);
  process.exit(1);
}
code.fill(0, places[0] + kMask, places[0] + kTestAvx512f.length);
writeFileSync(copy, code);
