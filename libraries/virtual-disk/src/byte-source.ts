import type { Stats } from 'node:fs'
import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { DiskFailure } from './failure.ts'

/**
 * Random access to bytes: a file, a block device, a buffer, or the inside of a virtual disk.
 *
 * `read` fills all of `target` with the bytes from `position` on, or rejects. The range lies within
 * `sizeBytes`; implementations may reject what does not. Reads may run side by side.
 */
export interface ByteSource {
  readonly sizeBytes: number
  read(target: Uint8Array, position: number): Promise<void>
}

/** Reads `sizeBytes` bytes at `position`, refusing with `truncated` what lies beyond the source's end. */
export async function readBytes(source: ByteSource, position: number, sizeBytes: number): Promise<Buffer> {
  requireWithin(source, position, sizeBytes)
  const bytes = Buffer.allocUnsafe(sizeBytes)
  await source.read(bytes, position)
  return bytes
}

/** Throws `truncated` unless the range lies within the source. */
export function requireWithin(
  source: Pick<ByteSource, 'sizeBytes'>,
  position: number,
  sizeBytes: number,
): void {
  if (position >= 0 && position + sizeBytes <= source.sizeBytes) return
  throw new DiskFailure('truncated', `${sizeBytes} bytes do not fit into ${source.sizeBytes}`, position)
}

/** The bytes of a buffer as a source. The buffer is not copied. */
export function bufferSource(bytes: Uint8Array): ByteSource {
  const source: ByteSource = {
    sizeBytes: bytes.byteLength,
    async read(target, position) {
      requireWithin(source, position, target.byteLength)
      target.set(bytes.subarray(position, position + target.byteLength))
    },
  }
  return source
}

/** A source over an open file; the caller closes the handle. */
export function handleSource(handle: FileHandle, sizeBytes: number): ByteSource {
  const source: ByteSource = {
    sizeBytes,
    async read(target, position) {
      requireWithin(source, position, target.byteLength)
      let done = 0
      while (done < target.byteLength) {
        const { bytesRead } = await handle.read(target, done, target.byteLength - done, position + done)
        if (bytesRead === 0) throw new DiskFailure('truncated', 'the file ends early', position + done)
        done += bytesRead
      }
    },
  }
  return source
}

/** A source that owns its file. */
export interface FileSource extends ByteSource {
  /** Of the open file, until it is closed. */
  readonly descriptor: number
  close(): Promise<void>
}

/** Where the system has it: a file that became a pipe since it was looked at is opened all the same, instead of waited for. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

/**
 * Opens a file or block device for reading. A block device reports no size of its own: give `sizeBytes` for one.
 * Rejects with the system's error when it cannot be opened, and with an error of its own for what is neither: opening a pipe waits
 * for whoever writes to it, and some devices do something when they are opened.
 */
export async function openFile(path: string, sizeBytes?: number): Promise<FileSource> {
  requireBytes(await stat(path), path)
  const handle = await open(path, constants.O_RDONLY | withoutWaiting)
  try {
    const opened = await handle.stat()
    requireBytes(opened, path)
    const source = handleSource(handle, sizeBytes ?? opened.size)
    return { ...source, descriptor: handle.fd, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function requireBytes(kind: Stats, path: string): void {
  if (!kind.isFile() && !kind.isBlockDevice()) throw new Error(`${path} is neither a file nor a block device`)
}
