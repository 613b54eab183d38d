/** UTF-8 text in a field of fixed length, which ends at the first zero or with the field. */
export function textUpToZero(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end)
}

/** Sixteen bytes in the order in which Linux file systems keep and print a UUID; empty when all are zero. */
export function formatUuid(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte === 0)) return ''
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/** A serial number of 32 bits as systems show it, such as `1A2B-3C4D`. */
export function formatSerial(serial: number): string {
  const hex = serial.toString(16).toUpperCase().padStart(8, '0')
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}

/** @param value an integer below 2^31 */
export function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0
}
