/** Bytes of an element by the name that PyTorch's communication records give its type (`dtype`, a c10::ScalarType). */
const ELEMENT_BYTES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    Byte: 1,
    Char: 1,
    Bool: 1,
    QInt8: 1,
    QUInt8: 1,
    Float8_e5m2: 1,
    Float8_e4m3fn: 1,
    Float8_e5m2fnuz: 1,
    Float8_e4m3fnuz: 1,
    Float8_e8m0fnu: 1,
    Half: 2,
    BFloat16: 2,
    Short: 2,
    UInt16: 2,
    Int: 4,
    UInt32: 4,
    QInt32: 4,
    Float: 4,
    ComplexHalf: 4,
    Long: 8,
    UInt64: 8,
    Double: 8,
    ComplexFloat: 8,
    ComplexDouble: 16,
  }),
);

/** Bytes of an element of the type, NaN for a type that is not known. */
export function elementBytes(type: string): number {
  return ELEMENT_BYTES.get(type) ?? NaN;
}
