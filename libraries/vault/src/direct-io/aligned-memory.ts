/** The part of WebAssembly that is used here; Node has it, its types leave it to browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
}

const pageSizeBytes = 64 * 1024
/** No disk needs more: sectors have 512 or 4096 bytes. */
export const alignmentBytes = 4096

const alignedMemories = new WeakSet<ArrayBufferLike>()

/**
 * A buffer that begins on a page of the system's memory, as the system wants it for input and output past its
 * cache. Node's own buffers begin anywhere; a WebAssembly memory is what JavaScript has that begins on a page.
 * Should the system have no room for one, the buffer is an ordinary one, and so is what is done with it.
 *
 * Has at least the size that was asked for.
 */
export function allocateAligned(sizeBytes: number): Buffer {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(sizeBytes / pageSizeBytes) })
    alignedMemories.add(memory.buffer)
    return Buffer.from(memory.buffer)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return Buffer.allocUnsafeSlow(alignedLength(sizeBytes))
  }
}

/** The next length that is good for direct input and output. */
export function alignedLength(sizeBytes: number): number {
  return Math.ceil(sizeBytes / alignmentBytes) * alignmentBytes
}

/** Whether these bytes can move between this memory and this place of a file without the system's cache. */
export function isAligned(bytes: Uint8Array, position: number): boolean {
  return (
    alignedMemories.has(bytes.buffer) &&
    bytes.byteOffset % alignmentBytes === 0 &&
    bytes.byteLength % alignmentBytes === 0 &&
    position % alignmentBytes === 0
  )
}

/**
 * Where in `memory` bytes of a file should be read to, so that their whole pages can go past the system's cache. The
 * beginning of `memory` when it is an ordinary one, or has no room for more.
 */
export function viewFor(memory: Uint8Array, position: number, sizeBytes: number): Uint8Array {
  const inPage = (offset: number) => offset % alignmentBytes
  const isAlignable = alignedMemories.has(memory.buffer)
  const leadBytes = isAlignable ? inPage(position - inPage(memory.byteOffset) + alignmentBytes) : 0
  const start = leadBytes + sizeBytes <= memory.length ? leadBytes : 0
  return memory.subarray(start, start + sizeBytes)
}
