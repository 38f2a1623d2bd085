import { elementBytes } from '../../../src/formats/pytorch/element-types.js';

// torch.empty(0, dtype=…).element_size() of PyTorch, and the names that c10::toString gives the types.
test.each([
  [1, 'Byte Char Bool QInt8 QUInt8 Float8_e5m2 Float8_e4m3fn Float8_e5m2fnuz Float8_e4m3fnuz Float8_e8m0fnu'],
  [1, 'QUInt4x2 QUInt2x4 Bits1x8 Bits2x4 Bits4x2 Bits8 Float4_e2m1fn_x2'],
  [2, 'Short Half BFloat16 UInt16 Bits16'],
  [4, 'Int Float ComplexHalf UInt32 QInt32'],
  [8, 'Long Double ComplexFloat UInt64'],
  [16, 'ComplexDouble'],
  [2, 'c10::BFloat16 torch.bfloat16 float16'],
  [4, 'torch.float32 int32'],
])('%d bytes: %s', (bytes, names) => {
  for (const name of names.split(' ')) expect([name, elementBytes(name)]).toEqual([name, bytes]);
});

test.each(['', 'Undefined', 'float128', 'constructor', 'toString'])('%j is no type that is known', (name) => {
  expect(elementBytes(name)).toBeNaN();
});
