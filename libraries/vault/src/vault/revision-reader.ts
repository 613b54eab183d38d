import { alignedLength, alignmentBytes } from '../direct-io/aligned-memory.ts'
import { isVaultFailure, VaultFailure } from '../failure.ts'
import type { PatchedChunk, PatchedPosition, RevisionChunks } from '../revision/revision-chunks.ts'
import type { RevisionHead } from '../revision/revision-head.ts'
import type { Run } from '../revision/run.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { ChunkReader } from './chunk-reader.ts'
import type { Domain } from './domain.ts'

/** How many positions are looked through for patched chunks at once, and about how much of these is read at once. */
const positionsPerPlan = 4096
const verifiedAtOnceBytes = 4 * 1024 * 1024

/** Some patched chunks, and how what they are made of is read at once. */
export interface PatchedPortion {
  readonly chunks: readonly PatchedPosition[]
  readonly runs: readonly Run[]
  /** What {@link RevisionReader.readPatched} needs room for. */
  readonly sizeBytes: number
}

/** One revision, open for reading. What it reads by position, as `chunks` and `runs` have it, is what `content` calls stored. */
export class RevisionReader extends ChunkReader {
  readonly head: RevisionHead
  readonly content: RevisionChunks

  constructor(domain: Domain, head: RevisionHead, content: RevisionChunks) {
    super(domain, content.stored)
    this.head = head
    this.content = content
  }

  /**
   * How to read the patched chunks at the positions [from, to): in portions of about so many bytes, in order.
   *
   * @throws VaultFailure `chunk-missing` when a base or a patch was lost to damage
   */
  patchedPortions(from: number, to: number, sizeMaxBytes: number): PatchedPortion[] {
    const portions: PatchedPortion[] = []
    let chunks: PatchedPosition[] = []
    let sizeBytes = 0
    for (const chunk of this.content.patchedIn(from, to)) {
      const storedBytes = this.#storedBytes(chunk)
      if (chunks.length > 0 && sizeBytes + storedBytes > sizeMaxBytes) {
        portions.push(this.#portionOf(chunks))
        chunks = []
        sizeBytes = 0
      }
      chunks.push(chunk)
      sizeBytes += storedBytes
    }
    if (chunks.length > 0) portions.push(this.#portionOf(chunks))
    return portions
  }

  /**
   * Reads what the chunks of a portion are made of.
   *
   * @param into room for its `sizeBytes`; new memory when left out
   * @returns views of it
   * @throws what reading fails with
   */
  async readPatched(portion: PatchedPortion, into?: Uint8Array): Promise<PatchedChunk[]> {
    const memory = into ?? Buffer.allocUnsafeSlow(portion.sizeBytes)
    const sealed = new Map<number, Uint8Array>()
    let at = 0
    for (const run of portion.runs) {
      const end = at + roomFor(run)
      const bytes = await this.read(run, memory.subarray(at, end))
      for (const { position, offset, lengthBytes } of run.chunks) {
        sealed.set(position, bytes.subarray(offset, offset + lengthBytes))
      }
      at = end
    }
    const chunkAt = (position: number) => {
      const bytes = sealed.get(position)
      if (!bytes) throw new VaultFailure('invalid-argument', 'the portion is not of this revision')
      return { id: this.chunks.id(position), sealed: bytes }
    }
    return portion.chunks.map(({ position, patch }) => ({
      position,
      name: this.content.nameOf(position),
      base: chunkAt(position),
      patch: chunkAt(patch),
    }))
  }

  /**
   * Puts patched chunks together and names them, in a thread of its own; those that are sealed end to end nobody here can open, and they
   * count as right. Whether it is the base, the patch or neither that is damaged `damaged` says.
   *
   * @returns the positions of those whose content is not what they are named, or cannot be read
   */
  async misfits(portion: PatchedPortion): Promise<number[]> {
    const chunks = await unlessDamaged(this.readPatched(portion))
    if (!chunks) return this.#misfitsOneByOne(portion)
    const { verifier, keys, chunkSizeBytes } = this.domain
    const misfits = await verifier.misfits(chunks, keys, chunkSizeBytes)
    return misfits.flatMap((index) => chunks[index]?.position ?? [])
  }

  /**
   * Looks at all patched chunks of the revision in that way, or at those that are chosen.
   *
   * @param isChosen is asked about each portion
   * @returns how many have another content than they are named, or cannot be read
   * @throws VaultFailure `chunk-missing`; the signal's reason
   */
  async countMisfits(
    isChosen: (portion: PatchedPortion) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { count } = this.content
    let misfits = 0
    for (let from = 0; from < count; from += positionsPerPlan) {
      const to = Math.min(from + positionsPerPlan, count)
      for (const portion of this.patchedPortions(from, to, verifiedAtOnceBytes)) {
        signal?.throwIfAborted()
        if (isChosen(portion)) misfits += (await this.misfits(portion)).length
      }
      await yieldToEventLoop()
    }
    return misfits
  }

  /** A bad place of the disk costs no more than the patched chunks that need it. */
  async #misfitsOneByOne({ chunks }: PatchedPortion): Promise<number[]> {
    if (chunks.length === 1) return chunks.map(({ position }) => position)
    const misfits: number[] = []
    for (const chunk of chunks) misfits.push(...(await this.misfits(this.#portionOf([chunk]))))
    return misfits
  }

  #portionOf(chunks: readonly PatchedPosition[]): PatchedPortion {
    const runs = this.runs(chunks.flatMap(({ position, patch }) => [position, patch]))
    return { chunks, runs, sizeBytes: runs.reduce((sum, run) => sum + roomFor(run), 0) }
  }

  /** What a patched chunk takes of a portion, at most. */
  #storedBytes({ position, patch }: PatchedPosition): number {
    return this.runs([position, patch]).reduce((sum, run) => sum + roomFor(run), 0)
  }
}

/** Nothing where a place of the storage cannot be read. */
async function unlessDamaged<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}

/** Room for a run from wherever in a page of the disk it begins. */
function roomFor({ lengthBytes }: Run): number {
  return alignedLength(lengthBytes) + alignmentBytes
}
