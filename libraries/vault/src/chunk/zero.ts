import { asBuffer } from './chunk-id.ts'

const zeros = Buffer.alloc(1 << 20)

/** Whether all bytes are zero. Compares with zeros block by block, at memory speed. */
export function isAllZero(bytes: Uint8Array): boolean {
  const buffer = asBuffer(bytes)
  for (let start = 0; start < buffer.length; start += zeros.length) {
    const block = buffer.subarray(start, start + zeros.length)
    if (zeros.compare(block, 0, block.length, 0, block.length) !== 0) return false
  }
  return true
}
