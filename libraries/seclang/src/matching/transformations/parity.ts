const parityBit = 0x80

function mapBytes(value: string, map: (byte: number) => number): string {
  return Buffer.from(Uint8Array.from(Buffer.from(value, 'latin1'), map)).toString('latin1')
}

/** Whether a byte has an odd number of bits. */
function isOdd(byte: number): boolean {
  const folded = (byte ^ (byte >> 4)) & 0xf
  return ((0x6996 >> folded) & 1) === 1
}

/** Sets the eighth bit of each byte so that the number of its bits is even. */
export function parityEven7bit(value: string): string {
  return mapBytes(value, (byte) => (isOdd(byte) ? byte | parityBit : byte & ~parityBit))
}

/** Sets the eighth bit of each byte so that the number of its bits is odd. */
export function parityOdd7bit(value: string): string {
  return mapBytes(value, (byte) => (isOdd(byte) ? byte & ~parityBit : byte | parityBit))
}

/** Clears the eighth bit of each byte. */
export function parityZero7bit(value: string): string {
  return mapBytes(value, (byte) => byte & ~parityBit)
}
