import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { RuleFailure } from './rule-failure.ts'

const archiveBytesMax = 64 * 1024 * 1024
const fetchMaxMs = 120_000

/** The archive of a release. */
export interface FetchedArchive {
  readonly bytes: Buffer
  /** Of the bytes, hexadecimal. */
  readonly sha256: string
}

/**
 * Reads the archive of a release and checks its digest.
 *
 * @param source a file, or an address that begins with http:// or https://
 * @param sha256 what the digest has to be, hexadecimal; not needed for a file
 * @throws RuleFailure
 */
export async function fetchArchive(source: string, sha256: string | undefined): Promise<FetchedArchive> {
  const isAddress = /^https?:\/\//.test(source)
  if (isAddress && sha256 === undefined) {
    throw new RuleFailure(
      'An address needs --sha256 with the digest that the project publishes beside the release.',
    )
  }
  const bytes = isAddress ? await download(source) : await contentOf(source)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== undefined && sha256.toLowerCase() !== digest) {
    throw new RuleFailure(`The SHA-256 of ${source} is ${digest}, and not ${sha256}: nothing was installed.`)
  }
  return { bytes, sha256: digest }
}

/** Where the system has it: opening a pipe does not wait for whoever writes to it. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

async function contentOf(file: string): Promise<Buffer> {
  try {
    await using handle = await open(file, constants.O_RDONLY | withoutWaiting)
    const opened = await handle.stat()
    if (!opened.isFile()) throw new Error('it is no file')
    if (opened.size > archiveBytesMax) throw new Error(`it is larger than ${archiveBytesMax} bytes`)
    return await handle.readFile()
  } catch (error) {
    throw new RuleFailure(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

async function download(address: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(fetchMaxMs) })
    if (!response.ok || response.body === null)
      throw new Error(`the answer has the status ${response.status}`)
    for await (const piece of response.body) {
      sizeBytes += piece.length
      if (sizeBytes > archiveBytesMax) throw new Error(`it is larger than ${archiveBytesMax} bytes`)
      pieces.push(piece)
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new RuleFailure(`${address} cannot be fetched: ${cause instanceof Error ? cause.message : cause}`)
  }
  return Buffer.concat(pieces)
}
