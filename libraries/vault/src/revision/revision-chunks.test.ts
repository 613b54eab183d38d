import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChunkList } from '../chunk/chunk-list.ts'
import { isVaultFailure } from '../failure.ts'
import { deriveDomainKeys } from '../keys/derive.ts'
import { openRecord, sealRecord } from '../record.ts'
import { noise } from '../testing/noise.ts'
import { patchedEntry } from '../testing/patched-volume.ts'
import { patchedEntryBytes, RevisionChunks } from './revision-chunks.ts'
import { decodeRevision, decodeRevisionHead, encodeRevision } from './revision-format.ts'
import type { RevisionHead } from './revision-head.ts'

const keys = deriveDomainKeys(noise('master', 32), 'acme/0001')
const zeros = Buffer.alloc(32)
const idOf = (text: string) => noise(text, 32)
const isInvalid = (error: unknown) => isVaultFailure(error, 'invalid-argument')
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')

/** What is at each position of a volume, as plainly as it can be said. */
type Position = { readonly name: Buffer; readonly made?: { readonly base: Buffer; readonly patch: Buffer } }

/** Few different ids, so that positions share names, bases and patches. */
const position: fc.Arbitrary<Position> = fc.oneof(
  { arbitrary: fc.constant({ name: zeros }), weight: 2 },
  { arbitrary: fc.nat(9).map((name) => ({ name: idOf(`name ${name}`) })), weight: 3 },
  {
    arbitrary: fc.tuple(fc.nat(9), fc.nat(3), fc.nat(3)).map(([name, base, patch]) => ({
      name: idOf(`name ${name}`),
      made: { base: idOf(`base ${base}`), patch: idOf(`patch ${patch}`) },
    })),
    weight: 3,
  },
)
const volume = fc.array(position, { maxLength: 70 })

const namesOf = (positions: readonly Position[]) => ChunkList.of(...positions.map(({ name }) => name))

function tableOf(positions: readonly Position[]): Buffer {
  return Buffer.concat(
    positions.flatMap(({ made }, index) => (made ? [patchedEntry(index, made.base, made.patch)] : [])),
  )
}

function assertSame(chunks: RevisionChunks, positions: readonly Position[], from: number, to: number): void {
  const patched = positions.flatMap(({ made }, index) => (made ? [{ position: index, ...made }] : []))
  assert.equal(chunks.count, positions.length)
  assert.equal(chunks.patchedCount, patched.length)
  assert.ok(chunks.table().equals(tableOf(positions)))
  assert.ok(chunks.names(from, to).equals(namesOf(positions.slice(from, to)).bytes))
  const stored = [
    ...positions.map(({ name, made }) => made?.base ?? name),
    ...patched.map(({ patch }) => patch),
  ]
  assert.ok(chunks.stored.bytes.equals(Buffer.concat(stored)))
  for (const [index, { name }] of positions.entries()) assert.ok(chunks.nameOf(index).equals(name))
  const isWithin = (index: number) => index >= from && index < to
  assert.deepEqual(
    [...chunks.patchedIn(from, to)],
    patched.flatMap(({ position }, entry) =>
      isWithin(position) ? [{ position, patch: positions.length + entry }] : [],
    ),
  )
  assert.deepEqual(
    [...chunks.plainIn(from, to)],
    [...positions.keys()].filter((index) => isWithin(index) && positions[index]?.made === undefined),
  )
}

function headOf(chunkCount: number): RevisionHead {
  return {
    domain: 'acme/0001',
    revision: '1',
    volume: 'disk',
    capacityBytes: chunkCount * 4096,
    chunkSizeBytes: 4096,
    chunkCount,
    createdMs: 7,
    metadata: { note: 'any' },
  }
}

test('says of each position what a plain list of them says, of any part of the volume', () => {
  fc.assert(
    fc.property(volume, fc.nat(70), fc.nat(70), (positions, one, other) => {
      const [from = 0, to = 0] = [one, other].map((end) => end % (positions.length + 1)).sort((a, b) => a - b)
      const names = namesOf(positions)
      const before = Buffer.from(names.bytes)
      const chunks = RevisionChunks.patched(names, tableOf(positions))
      assertSame(chunks, positions, from, to)
      assertSame(chunks, positions, 0, positions.length)
      assert.ok(names.bytes.equals(before), 'what was handed in is as it was')
      if (positions.some(({ made }) => made)) return
      assertSame(RevisionChunks.of(names), positions, from, to)
    }),
    { numRuns: 400 },
  )
})

test('is the same in memory that was taken over, whatever was behind the names, and wherever the table begins', () => {
  fc.assert(
    fc.property(volume, fc.nat(7), (positions, shift) => {
      const table = tableOf(positions)
      const shifted = Buffer.alloc(shift + table.length, 255).subarray(shift)
      table.copy(shifted)
      const patchedCount = table.length / patchedEntryBytes
      const memory = Buffer.alloc((positions.length + patchedCount) * 32, 170)
      memory.set(namesOf(positions).bytes)
      const chunks = RevisionChunks.within(memory, positions.length, shifted)
      shifted.fill(0)
      assertSame(chunks, positions, 0, positions.length)
      assert.equal(chunks.stored.bytes.buffer, memory.buffer)
    }),
  )
})

const names = ChunkList.of(idOf('a'), zeros, idOf('c'), idOf('d'))
const entry = (at: number, base = idOf('base'), patch = idOf('patch')) => patchedEntry(at, base, patch)
const wrongTables: Readonly<Record<string, Buffer>> = {
  'half an entry': entry(0).subarray(0, 34),
  'a byte too many': Buffer.concat([entry(0), Buffer.alloc(1)]),
  'a byte too few': Buffer.concat([entry(0), entry(2)]).subarray(0, -1),
  'a position behind the volume': entry(4),
  'the last position that can be written': entry(2 ** 32 - 1),
  'a position twice': Buffer.concat([entry(2), entry(2)]),
  'the first position twice': Buffer.concat([entry(0), entry(0)]),
  'positions in another order': Buffer.concat([entry(2), entry(0)]),
  'a chunk of zeros': entry(1),
  'a base of zeros': entry(0, zeros),
  'a patch of zeros': entry(0, idOf('base'), zeros),
  'a wrong entry behind right ones': Buffer.concat([entry(0), entry(2), entry(3, zeros)]),
}

for (const [title, table] of Object.entries(wrongTables)) {
  test(`refuses a table with ${title}, and takes it for damage where it is stored`, async () => {
    const before = Buffer.from(names.bytes)
    assert.throws(() => RevisionChunks.patched(names, table), isInvalid)
    assert.ok(names.bytes.equals(before))
    await assert.rejects(decodeRevision(keys, '1', await revisionWith(table)), isDamaged)
  })
}

test('refuses memory that has not the room that its chunks need', () => {
  const memory = Buffer.concat([names.bytes, Buffer.alloc(32)])
  assert.equal(RevisionChunks.within(Buffer.from(memory), 4, entry(0)).patchedCount, 1)
  for (const wrong of [names.bytes, memory.subarray(1), Buffer.concat([memory, Buffer.alloc(32)])]) {
    assert.throws(() => RevisionChunks.within(Buffer.from(wrong), 4, entry(0)), isInvalid)
  }
  for (const count of [3, 5]) {
    assert.throws(() => RevisionChunks.within(Buffer.from(memory), count, entry(0)), isInvalid)
  }
})

/** The parts of a revision as they are stored. */
function partsOf(content: Buffer): { header: Buffer; headRecord: Buffer; chunksRecord: Buffer } {
  const headEnd = 24 + content.readUInt32LE(12)
  assert.equal(content.length, headEnd + Number(content.readBigUInt64LE(16)))
  return {
    header: content.subarray(0, 24),
    headRecord: content.subarray(24, headEnd),
    chunksRecord: content.subarray(headEnd),
  }
}

const belongsTo = (headRecord: Buffer) =>
  Buffer.concat([Buffer.from(`chunks\0${keys.tag}\x001\0`), headRecord.subarray(-16)])

/** A revision of `names` of layout version 2, or another, whose chunks record has any content. */
async function revisionOf(chunksContent: Buffer, layout = 2): Promise<Buffer> {
  const { header, headRecord } = partsOf(await encodeRevision(keys, headOf(4), RevisionChunks.of(names)))
  const chunksRecord = await sealRecord(keys.records, belongsTo(headRecord), chunksContent)
  header.writeUInt32LE(layout, 8)
  header.writeBigUInt64LE(BigInt(chunksRecord.length), 16)
  return Buffer.concat([header, headRecord, chunksRecord])
}

/** The bitmap and the ids of `names`. */
const listContent = Buffer.concat([Buffer.from([0b1101]), idOf('a'), idOf('c'), idOf('d')])
const revisionWith = (table: Buffer, layout?: number) =>
  revisionOf(Buffer.concat([listContent, table]), layout)

test('is stored and read back as it is, with or without patched chunks', async () => {
  await fc.assert(
    fc.asyncProperty(volume, async (positions) => {
      const head = headOf(positions.length)
      const encoded = await encodeRevision(
        keys,
        head,
        RevisionChunks.patched(namesOf(positions), tableOf(positions)),
      )
      const decoded = await decodeRevision(keys, '1', encoded)
      assert.deepEqual(decoded.head, head)
      assertSame(decoded.chunks, positions, 0, positions.length)
      assert.deepEqual(await decodeRevisionHead(keys, '1', encoded), head)
      const again = partsOf(await encodeRevision(keys, head, decoded.chunks))
      const { header, chunksRecord, headRecord } = partsOf(encoded)
      assert.ok(again.header.equals(header))
      assert.equal(header.readUInt32LE(8), positions.some(({ made }) => made) ? 2 : 1)
      const content = await openRecord(keys.records, belongsTo(headRecord), chunksRecord)
      const stored = positions.filter(({ name }) => !name.equals(zeros))
      const bitmap = Buffer.alloc(Math.ceil(positions.length / 8))
      for (const [index, { name }] of positions.entries()) {
        if (!name.equals(zeros)) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) + 2 ** (index % 8)
      }
      assert.ok(content.equals(Buffer.concat([bitmap, namesOf(stored).bytes, tableOf(positions)])))
    }),
    { numRuns: 150 },
  )
})

/**
 * A revision of `names` as it was written before there were patched chunks, of version 1 of the layout; made with other random bytes
 * it would be another.
 */
const earlierRevision = Buffer.from(
  'UExTRFJFVk4BAAAAoAAAAIYAAAAAAAAAiBwuTj1Gu+Rltl55/D+Ppj8uNiGSi5KApfR1RHF/kRnTztrxA+G9Y2P5YtVzQ4dLMJQfWtxBzSrwsVcIuf+VLhxdXFG+43DCVV/g/kR2ME5OcI0OJju81agJQcF/klxx9aRj13M6RpqbXzkJysxAQPgruoWeD1ShWx3I0VDqlyVjCIQOB+m+08MKuiaM1Hhy4wgDjg4XnnwNRfGvNGEchmj7XSaD1FInT6XXX7d06tRhYmIPV3Zgi5isJLx9faIYyiClETGLK5+YTE/vMy2GCabics6b7avnlo6kW4Mu/uKkxJT/t04I7Z9vfBJMjnAdOksK/pFe0Ws8rPVIJZQANbJkYm2oW7gc1gkqbfDg2X1wdv0/z3hInsz+ss2eaNKoZ7orUwhx',
  'base64',
)

test('reads a revision that was written before there were patched chunks', async () => {
  const { head, chunks } = await decodeRevision(keys, '1', earlierRevision)
  assert.deepEqual(head, headOf(4))
  assert.equal(chunks.patchedCount, 0)
  assert.ok(chunks.names(0, 4).equals(names.bytes))
  assert.equal(earlierRevision.readUInt32LE(8), 1)
})

test('is damaged when its list or its table was cut anywhere, or has anything behind it', async () => {
  const content = Buffer.concat([listContent, entry(0), entry(3)])
  assert.equal((await decodeRevision(keys, '1', await revisionOf(content))).chunks.patchedCount, 2)
  const whole = new Set([0, 1, 2].map((entries) => listContent.length + entries * patchedEntryBytes))
  let refused = 0
  for (let length = 0; length <= content.length + 5; length++) {
    if (whole.has(length)) continue
    const cut = Buffer.alloc(length)
    content.copy(cut)
    await assert.rejects(decodeRevision(keys, '1', await revisionOf(cut)), isDamaged, `${length} bytes`)
    refused++
  }
  assert.equal(refused, content.length + 6 - whole.size)
})

test('is damaged when one of layout version 1 has a table', async () => {
  assert.equal((await decodeRevision(keys, '1', await revisionWith(Buffer.alloc(0), 1))).chunks.count, 4)
  await assert.rejects(decodeRevision(keys, '1', await revisionWith(entry(0), 1)), isDamaged)
})

test('is damaged when any byte of it was changed, and made by a newer program when it says so', async () => {
  const content = await encodeRevision(keys, headOf(4), RevisionChunks.patched(names, entry(2)))
  const isRefused = (error: unknown) => isDamaged(error) || isVaultFailure(error, 'unsupported-format')
  let refused = 0
  for (let place = 0; place < content.length; place++) {
    const changed = Buffer.from(content)
    changed[place] = (changed[place] ?? 0) ^ 4
    await assert.rejects(decodeRevision(keys, '1', changed), isRefused, `byte ${place}`)
    await assert.rejects(decodeRevision(keys, '1', content.subarray(0, place)), isDamaged, `${place} bytes`)
    refused++
  }
  assert.equal(refused, content.length)
  for (const layout of [0, 3, 4, 2 ** 32 - 1]) {
    const newer = Buffer.from(content)
    newer.writeUInt32LE(layout, 8)
    const isUnsupported = (error: unknown) => isVaultFailure(error, 'unsupported-format')
    await assert.rejects(decodeRevision(keys, '1', newer), isUnsupported, `layout ${layout}`)
    await assert.rejects(decodeRevisionHead(keys, '1', newer), isUnsupported, `layout ${layout}`)
  }
})
