/** Sixteen bytes in the order in which Linux file systems keep and print a UUID; empty when all are zero. */
export function formatUuid(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte === 0)) return ''
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
