/**
 * A revision: what is needed to restore a volume as it was. Integers are little-endian.
 *
 *     header   24 bytes   8  "PLSDREVN"
 *                         4  version of this layout: 1, or 2 when some of its chunks are patched
 *                         4  length of the head record
 *                         8  length of the chunks record
 *     head record         the head as JSON; belongs to: "head" 00 <domain tag, hex> 00 <revision id>
 *     chunks record       one bit per chunk of the volume, the lowest bit of the first byte first, set when the chunk is
 *                         stored; then the 32-byte ids of the stored chunks in the order of the volume; of layout 2
 *                         then the table of those that are patched (RevisionChunks): under the id that the list has for them
 *                         they are not stored;
 *                         belongs to: "chunks" 00 <domain tag, hex> 00 <revision id> 00 <the head record's last 16 bytes>
 *
 * Both are sealed (record.ts) under the domain's `records` key. They are apart so that a listing reads heads only.
 */
import { chunkIdBytes } from '../chunk/chunk-id.ts'
import { isVaultFailure, VaultFailure } from '../failure.ts'
import type { DomainKeys } from '../keys/derive.ts'
import { openRecord, sealRecord } from '../record.ts'
import { patchedEntryBytes, RevisionChunks } from './revision-chunks.ts'
import { parseRevisionHead, type RevisionHead } from './revision-head.ts'

const magic = Buffer.from('PLSDREVN')
const layoutPlain = 1
const layoutPatched = 2
const revisionHeaderBytes = 24

/** The bytes of a revision: its head and the ids of its chunks, each a sealed record. */
export async function encodeRevision(
  keys: DomainKeys,
  head: RevisionHead,
  chunks: RevisionChunks,
): Promise<Buffer> {
  const headRecord = await sealRecord(
    keys.records,
    headBelongsTo(keys, head.revision),
    Buffer.from(JSON.stringify(head)),
  )
  const belongsTo = chunksBelongTo(keys, head.revision, headRecord)
  const chunksRecord = await sealRecord(keys.records, belongsTo, encodeChunks(chunks))
  const header = Buffer.alloc(revisionHeaderBytes)
  header.set(magic)
  header.writeUInt32LE(chunks.patchedCount === 0 ? layoutPlain : layoutPatched, 8)
  header.writeUInt32LE(headRecord.length, 12)
  header.writeBigUInt64LE(BigInt(chunksRecord.length), 16)
  return Buffer.concat([header, headRecord, chunksRecord])
}

/**
 * Reads the head from the beginning of a revision. Gives the number of bytes it needs when `start` is too short.
 *
 * @throws VaultFailure `damaged`
 */
export async function decodeRevisionHead(
  keys: DomainKeys,
  revision: string,
  start: Buffer,
): Promise<RevisionHead | { readonly neededBytes: number }> {
  const neededBytes = revisionHeaderBytes + headRecordBytes(start)
  if (start.length < neededBytes) return { neededBytes }
  const record = start.subarray(revisionHeaderBytes, neededBytes)
  return parseRevisionHead(await openRecord(keys.records, headBelongsTo(keys, revision), record))
}

/**
 * Reads a whole revision.
 *
 * @throws VaultFailure `damaged`
 */
export async function decodeRevision(
  keys: DomainKeys,
  revision: string,
  content: Buffer,
): Promise<{ head: RevisionHead; chunks: RevisionChunks }> {
  const head = await decodeRevisionHead(keys, revision, content)
  const headEnd = revisionHeaderBytes + headRecordBytes(content)
  if ('neededBytes' in head || content.length !== headEnd + Number(content.readBigUInt64LE(16))) {
    throw new VaultFailure('damaged', 'the revision does not have the length it should have')
  }
  const belongsTo = chunksBelongTo(keys, revision, content.subarray(revisionHeaderBytes, headEnd))
  const chunks = await openRecord(keys.records, belongsTo, content.subarray(headEnd))
  return { head, chunks: decodeChunks(chunks, head.chunkCount, layoutOf(content) === layoutPatched) }
}

function headRecordBytes(start: Buffer): number {
  if (start.length < revisionHeaderBytes || !start.subarray(0, magic.length).equals(magic)) {
    throw new VaultFailure('damaged', 'the object does not begin as a revision does')
  }
  const layout = layoutOf(start)
  if (layout !== layoutPlain && layout !== layoutPatched) {
    throw new VaultFailure('unsupported-format', `the revision has layout version ${layout}`)
  }
  return start.readUInt32LE(12)
}

function layoutOf(start: Buffer): number {
  return start.readUInt32LE(8)
}

function encodeChunks(chunks: RevisionChunks): Buffer {
  const { count, stored } = chunks
  const bitmapBytes = Math.ceil(count / 8)
  const table = chunks.table()
  const content = Buffer.alloc(bitmapBytes + count * chunkIdBytes + table.length)
  for (let position = 0; position < count; position++) {
    if (stored.isZero(position)) continue
    content[position >> 3] = (content[position >> 3] ?? 0) | (1 << (position & 7))
  }
  let end = bitmapBytes
  for (const [from, to] of stretches(content, count)) {
    chunks.copyNames(from, to, content.subarray(end))
    end += (to - from) * chunkIdBytes
  }
  end += table.copy(content, end)
  return content.subarray(0, end)
}

function decodeChunks(content: Buffer, count: number, isPatched: boolean): RevisionChunks {
  const bitmapBytes = Math.ceil(count / 8)
  let namesEnd = bitmapBytes
  for (const [from, to] of stretches(content, count)) namesEnd += (to - from) * chunkIdBytes
  const table = content.subarray(namesEnd)
  if (content.length < namesEnd || (!isPatched && table.length > 0)) {
    throw new VaultFailure('damaged', 'the chunk list has not the length it should have')
  }
  const entries = Math.ceil(table.length / patchedEntryBytes)
  const memory = Buffer.alloc((count + entries) * chunkIdBytes)
  let next = bitmapBytes
  for (const [from, to] of stretches(content, count)) {
    next += content.copy(memory, from * chunkIdBytes, next, next + (to - from) * chunkIdBytes)
  }
  try {
    return RevisionChunks.within(memory, count, table)
  } catch (error) {
    if (!isVaultFailure(error, 'invalid-argument')) throw error
    throw new VaultFailure('damaged', error.message, { cause: error })
  }
}

/** The stretches [from, to) of stored chunks, from a bitmap. Ids are copied by the stretch, not one by one. */
function* stretches(bitmap: Buffer, count: number): Generator<[number, number]> {
  const isStored = (position: number) => ((bitmap[position >> 3] ?? 0) & (1 << (position & 7))) !== 0
  for (let from = 0; from < count; from++) {
    if (!isStored(from)) continue
    let to = from + 1
    while (to < count && isStored(to)) to++
    yield [from, to]
    from = to
  }
}

function headBelongsTo(keys: DomainKeys, revision: string): Buffer {
  return Buffer.from(`head\0${keys.tag}\0${revision}`)
}

function chunksBelongTo(keys: DomainKeys, revision: string, headRecord: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`chunks\0${keys.tag}\0${revision}\0`), headRecord.subarray(-16)])
}
