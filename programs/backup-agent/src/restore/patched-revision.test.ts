import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { idSizeBytes } from '@palisade/agent-protocol/wire'
import type { AgentOptions } from '../agent/agent.ts'
import { findMachineDisks } from '../disk-layout/machine-disks.ts'
import { fetchForReading } from '../instant/fetch-for-reading.ts'
import { InstantDisk } from '../instant/instant-disk.ts'
import { retryPolicy } from '../server/retry-request.ts'
import { enrolledClient } from '../testing/agent/enrolled-client.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { patchRevision } from '../testing/revisions/patch-revision.ts'
import { volumeIn } from '../testing/revisions/restored-disk.ts'
import type { PatchedIds } from '../testing/revisions/stored-revision.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
const formats = ['Vhdx', 'Vhd'] as const

/** A revision of an image of which every other chunk is patched. */
async function patchedRevision(
  t: TestContext,
  chunkSizeBytes = mebibyte,
  overrides: Partial<AgentOptions> = {},
) {
  const agent = await TestAgent.start(t, overrides)
  const { server } = agent
  server.chunkSizeBytes = chunkSizeBytes
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 22 * mebibyte + 512 * 7)
  const revision = await server.backUp('b1', { path: image })
  const patched = patchRevision(server, revision)
  assert.ok(patched.length > 1)
  return { agent, server, image, revision, patched }
}

type Stored = Awaited<ReturnType<typeof patchedRevision>>

function codeOf(outcome: Outcome): string {
  return outcome.state === 'ERROR' ? outcome.code : assert.fail(JSON.stringify(outcome))
}

for (const verifiesFromDisk of [false, true]) {
  const where = verifiesFromDisk ? 'read back from the disk' : 'read back'
  test(`patched chunks of any size come back in both formats, and are ${where}`, async (t) => {
    for (const chunkSizeBytes of [64 * 1024, mebibyte, 3 * mebibyte]) {
      const { agent, server, image, revision } = await patchedRevision(t, chunkSizeBytes, {
        verifiesFromDisk,
      })
      for (const format of formats) {
        const outcome = await server.restore(`r-${format}`, agent.target, format, [revision])
        assert.ok(outcome.state === 'SUCCESS', JSON.stringify(outcome))
        assert.ok((await volumeIn(outcome.files?.[0] ?? '')).equals(readFileSync(image)))
      }
    }
  })
}

function sealedOf({ server }: Stored, id: Buffer): Buffer {
  return server.chunks.get(id.toString('hex')) ?? assert.fail('it is stored')
}

/** What the revision says of its patched chunks. */
function tableOf({ server, revision }: Stored): Buffer {
  return server.revisions.get(revision)?.table ?? assert.fail('it has patched chunks')
}

/** Where a table says what the base and the patch of its first chunk are; its other chunks follow. */
const places = { base: 4, patch: 4 + idSizeBytes }

/** What is done to what a patched chunk is made of, and what the restore ends with. */
const damages: Record<
  string,
  { damage: (stored: Stored, one: PatchedIds, other: PatchedIds) => void; code: string }
> = {
  'a flipped bit in the base': {
    damage: (stored, { base }) =>
      sealedOf(stored, base).fill((sealedOf(stored, base)[500] ?? 0) ^ 1, 500, 501),
    code: 'DataDamaged',
  },
  'a flipped bit in the patch': {
    damage: (stored, { patch }) =>
      sealedOf(stored, patch).fill((sealedOf(stored, patch)[50] ?? 0) ^ 1, 50, 51),
    code: 'DataDamaged',
  },
  'a base that is cut off': {
    damage: (stored, { base }) =>
      stored.server.chunks.set(base.toString('hex'), sealedOf(stored, base).subarray(0, -1)),
    code: 'DataDamaged',
  },
  'a patch that is cut off': {
    damage: (stored, { patch }) =>
      stored.server.chunks.set(patch.toString('hex'), sealedOf(stored, patch).subarray(0, -1)),
    code: 'DataDamaged',
  },
  'a base that is gone': {
    damage: ({ server }, { base }) => server.chunks.delete(base.toString('hex')),
    code: 'DataDamaged',
  },
  'a patch that is gone': {
    damage: ({ server }, { patch }) => server.chunks.delete(patch.toString('hex')),
    code: 'DataDamaged',
  },
  'the seal of another base': {
    damage: (stored, one, other) =>
      stored.server.chunks.set(one.base.toString('hex'), sealedOf(stored, other.base)),
    code: 'DataDamaged',
  },
  'a base that is a patch, and the other way round': {
    damage: (stored, { base, patch }) => {
      tableOf(stored).set(patch, places.base)
      tableOf(stored).set(base, places.patch)
    },
    code: 'DataDamaged',
  },
  'a base that is a short chunk': {
    damage: (stored) => {
      const { ids } = stored.server.revisions.get(stored.revision) ?? assert.fail()
      tableOf(stored).set(ids.subarray(-idSizeBytes), places.base)
    },
    code: 'DataDamaged',
  },
  // Each is intact: only together they are not what was backed up.
  'the base of another chunk': {
    damage: (stored, _one, { base }) => tableOf(stored).set(base, places.base),
    code: 'VerificationFailed',
  },
  'the patch of another chunk': {
    damage: (stored, _one, { patch }) => tableOf(stored).set(patch, places.patch),
    code: 'VerificationFailed',
  },
}

for (const [what, { damage, code }] of Object.entries(damages)) {
  test(`${what} ends a restore, and leaves nothing behind`, async (t) => {
    const stored = await patchedRevision(t)
    const { agent, server, revision, patched } = stored
    const [one = assert.fail(), other = assert.fail()] = patched
    damage(stored, one, other)
    for (const format of formats) {
      assert.equal(codeOf(await server.restore(`r-${format}`, agent.target, format, [revision])), code)
      assert.deepEqual(readdirSync(agent.target), [])
      assert.deepEqual(readdirSync(join(agent.stateDirectory, 'work')), [])
    }
  })
}

test('a disk that is read before it is restored reads as what was backed up', async (t) => {
  const stored = await patchedRevision(t, 64 * 1024)
  const { agent, server, image, revision, patched } = stored
  await agent.stop()
  const id = randomUUID()
  const client = await enrolledClient(server)
  t.after(() => client.close())
  const context = {
    client,
    retryPolicy: { ...retryPolicy, giveUpAfterMs: 1 },
    signal: new AbortController().signal,
  }
  const keys = () => server.keys
  const revisions = server.machineMessage(id, '/x', [revision]).revisions
  const read = async () => {
    const [content = assert.fail()] = await findMachineDisks(id, revisions, keys, context)
    const disk = new InstantDisk(content, fetchForReading(id, keys, context))
    const bytes = Buffer.alloc(content.virtualSizeBytes)
    await disk.read(bytes, 0)
    const at = content.volumes[0]?.partitionOffsetBytes ?? assert.fail()
    return bytes.subarray(at, at + (content.volumes[0]?.geometry.volumeSizeBytes ?? 0))
  }
  assert.ok((await read()).equals(readFileSync(image)))
  tableOf(stored).set(patched[1]?.base ?? assert.fail(), places.base)
  await assert.rejects(read(), { code: 'DataDamaged' })
})
