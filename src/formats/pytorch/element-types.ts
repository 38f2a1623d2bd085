/** Bytes of an element by the name of its type, as PyTorch prints it (`Float`, `BFloat16`) and as Python spells it (`float32`). */
const BYTES: Readonly<Record<string, number>> = {
  byte: 1,
  char: 1,
  bool: 1,
  uint8: 1,
  int8: 1,
  qint8: 1,
  quint8: 1,
  // Elements below a byte are packed into bytes, and PyTorch counts the bytes.
  quint4x2: 1,
  quint2x4: 1,
  bits1x8: 1,
  bits2x4: 1,
  bits4x2: 1,
  bits8: 1,
  float8e5m2: 1,
  float8e4m3fn: 1,
  float8e5m2fnuz: 1,
  float8e4m3fnuz: 1,
  float8e8m0fnu: 1,
  float4e2m1fnx2: 1,
  short: 2,
  half: 2,
  bfloat16: 2,
  float16: 2,
  int16: 2,
  uint16: 2,
  bits16: 2,
  int: 4,
  float: 4,
  float32: 4,
  int32: 4,
  uint32: 4,
  qint32: 4,
  complexhalf: 4,
  complex32: 4,
  long: 8,
  double: 8,
  float64: 8,
  int64: 8,
  uint64: 8,
  complexfloat: 8,
  complex64: 8,
  complexdouble: 16,
  complex128: 16,
};

/** Bytes of an element of a type such as `Float`, `c10::BFloat16`, `torch.float8_e4m3fn`; NaN for a type that is not known. */
export function elementBytes(type: string): number {
  const name = type
    .toLowerCase()
    .replace(/^(?:torch\.|c10::|at::)/, '')
    .replaceAll('_', '');
  return Object.hasOwn(BYTES, name) ? BYTES[name] : NaN;
}
