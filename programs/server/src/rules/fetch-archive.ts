import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RuleFailure } from './rule-failure.ts'

const archiveBytesMax = 64 * 1024 * 1024
const fetchMaxMs = 120_000

/** The archive of a release on this machine. */
export interface FetchedArchive {
  readonly file: string
  /** Of its bytes, hexadecimal. */
  readonly sha256: string
}

/**
 * Brings the archive of a release to this machine and checks its digest.
 *
 * @param source a file, or an address that begins with http:// or https://
 * @param sha256 what the digest has to be, hexadecimal; not needed for a file
 * @param folder where what was fetched is put
 * @throws RuleFailure
 */
export async function fetchArchive(
  source: string,
  sha256: string | undefined,
  folder: string,
): Promise<FetchedArchive> {
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
  if (!isAddress) return { file: source, sha256: digest }
  const file = join(folder, 'release.tar.gz')
  await writeFile(file, bytes, { mode: 0o600 })
  return { file, sha256: digest }
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file)
    if (size > archiveBytesMax) throw new Error(`it is larger than ${archiveBytesMax} bytes`)
    return await readFile(file)
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
