import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/**
 * The end of a file that a machine's QEMU may have made: it can be anything, of any size.
 *
 * @throws Error when it is none, such as a link or a pipe; the system's error when it cannot be read
 */
export async function readEnd(path: string, sizeMaxBytes: number): Promise<Buffer> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new Error(`${path} is no file`)
    const sizeBytes = Math.min(facts.size, sizeMaxBytes)
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(sizeBytes),
      0,
      sizeBytes,
      facts.size - sizeBytes,
    )
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
