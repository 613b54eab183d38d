import type { RevisionReader, Vault } from '@palisade/vault'
import { type ComputerId, domainOf } from '../computer-id.ts'

/** What a verification has found. */
export interface VerificationFindings {
  /** Chunks that were looked at, those of zeros left out. */
  readonly chunksRead: number
  readonly chunksDamaged: number
  /** Chunks that the vault no longer has. */
  readonly chunksLost: number
  /** Patched chunks whose base and patch do not give what was backed up; looked for where nothing else was found. */
  readonly chunksMisfit: number
  /** The objects in the storage that damaged chunks were read from. */
  readonly damagedObjects: ReadonlySet<string>
}

/** How many positions are looked up at once. */
const windowPositions = 256

/**
 * Reads the chunks of one revision, or a random part of them, opens each and compares it with its name: what it
 * takes to restore them; not in this thread. Of those that are sealed end to end only the mark is compared. That none is lost is looked up
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
  const reader = await vault.openRevision(domainOf(computer), String(revisionId))
  const counts = { chunksRead: 0, chunksDamaged: 0, chunksLost: 0, chunksMisfit: 0 }
  const findings = { ...counts, damagedObjects: new Set<string>() }
  try {
    for (let from = 0; from < reader.chunks.length; from += windowPositions) {
      const to = Math.min(from + windowPositions, reader.chunks.length)
      const lost = reader.lost(from, to)
      findings.chunksLost += lost.length
      const positions = chosenPositions(reader, from, to, samplePercent, new Set(lost))
      await readChunks(reader, positions, signal, findings)
    }
    if (findings.chunksLost === 0 && findings.chunksDamaged === 0) {
      findings.chunksMisfit = await reader.countMisfits(() => isInSample(samplePercent), signal)
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
    if (isInSample(samplePercent) && !chunks.isZero(position) && !lost.has(position)) positions.push(position)
  }
  return positions
}

async function readChunks(
  reader: RevisionReader,
  positions: readonly number[],
  signal: AbortSignal,
  findings: { chunksRead: number; chunksDamaged: number; readonly damagedObjects: Set<string> },
): Promise<void> {
  for (const run of reader.runs(positions)) {
    signal.throwIfAborted()
    const damaged = await reader.damaged(run)
    findings.chunksRead += run.chunks.length
    findings.chunksDamaged += damaged.length
    if (damaged.length > 0) findings.damagedObjects.add(run.object)
  }
}

function isInSample(samplePercent: number): boolean {
  return samplePercent >= 100 || Math.random() * 100 < samplePercent
}
