import type { Writable } from 'node:stream'

/** Sends pieces one behind the other. Resolves when they are with the system and their memory can be used again. */
export function writeAll(sink: Writable, ...pieces: readonly Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const last = pieces.at(-1)
    sink.cork()
    for (const piece of pieces.slice(0, -1)) sink.write(piece)
    sink.write(last ?? Buffer.alloc(0), (error) => (error ? reject(error) : resolve()))
    sink.uncork()
  })
}
