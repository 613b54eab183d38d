import { setImmediate } from 'node:timers/promises'
import {
  isVaultFailure,
  type RevisionReader,
  type Vault,
  type VerificationKeys,
  verifyChunk,
} from '@palisade/vault'
import { type ComputerId, domainOf } from '../computers/computer-id.ts'

/** What a verification has found. */
export interface VerificationFindings {
  /** Chunks that were looked at, those of zeros left out. */
  readonly chunksRead: number
  readonly chunksDamaged: number
  /** Chunks that the vault no longer has. */
  readonly chunksLost: number
}

/** So many positions are looked up at once. */
const windowPositions = 256

/**
 * Reads the chunks of one revision, or a random part of them, opens each and compares it with its name: what it
 * takes to restore them. Of those that are sealed end to end only the mark is compared. That none is lost is looked up
 * for all.
 *
 * @param samplePercent 1 to 100
 * @throws VaultFailure `revision-missing`; `damaged` when the list of its chunks cannot be read; `storage`
 */
export async function verifyRevision(
  vault: Vault,
  computer: ComputerId,
  revisionId: number,
  samplePercent: number,
  signal: AbortSignal,
): Promise<VerificationFindings> {
  const domain = domainOf(computer)
  const reader = await vault.openRevision(domain, String(revisionId))
  const findings = { chunksRead: 0, chunksDamaged: 0, chunksLost: 0 }
  try {
    const keys = vault.verificationKeys(domain)
    for (let from = 0; from < reader.chunks.length; from += windowPositions) {
      const to = Math.min(from + windowPositions, reader.chunks.length)
      const lost = reader.lost(from, to)
      findings.chunksLost += lost.length
      const chosen = chosenPositions(reader, from, to, samplePercent, new Set(lost))
      await readChunks(reader, chosen, { keys, chunkSizeBytes: vault.chunkSizeBytes, signal }, findings)
    }
  } finally {
    reader.close()
  }
  return findings
}

function chosenPositions(
  { chunks }: RevisionReader,
  from: number,
  to: number,
  samplePercent: number,
  lost: ReadonlySet<number>,
): number[] {
  const positions: number[] = []
  for (let position = from; position < to; position++) {
    const isChosen = samplePercent >= 100 || Math.random() * 100 < samplePercent
    if (isChosen && !chunks.isZero(position) && !lost.has(position)) positions.push(position)
  }
  return positions
}

async function readChunks(
  reader: RevisionReader,
  positions: readonly number[],
  { keys, chunkSizeBytes, signal }: { keys: VerificationKeys; chunkSizeBytes: number; signal: AbortSignal },
  findings: { chunksRead: number; chunksDamaged: number },
): Promise<void> {
  const plaintext = Buffer.allocUnsafe(chunkSizeBytes)
  for await (const { run, bytes } of reader.stream(reader.runs(positions))) {
    for (const { position, offset, lengthBytes } of run.chunks) {
      signal.throwIfAborted()
      findings.chunksRead++
      const sealed = bytes.subarray(offset, offset + lengthBytes)
      if (!isIntact(reader.chunks.id(position), sealed, keys, plaintext)) findings.chunksDamaged++
      // Each takes milliseconds; others want to be served in between.
      await setImmediate()
    }
  }
}

function isIntact(id: Uint8Array, sealed: Uint8Array, keys: VerificationKeys, into: Buffer): boolean {
  try {
    verifyChunk(id, sealed, keys, { into })
    return true
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return false
    throw error
  }
}
