/** The reader in Python beside the format document judges what we write of patched chunks. */
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  ChunkList,
  createKeyFile,
  DirectoryBackend,
  deriveEndToEndKeys,
  makePatch,
  nameChunk,
  RevisionChunks,
  sealChunk,
} from './index.ts'
import { noise } from './testing/noise.ts'
import { backUpPatched, changePieces, patchedEntry } from './testing/patched-volume.ts'
import { newVaultWithKeyFile, pythonWith, read } from './testing/python-reader.ts'
import { backUp, exampleVolume } from './testing/volume.ts'

/** How many pieces of each chunk are changed: none of those that are zeros, in some few, in others more than a patch is made of. */
const piecesChanged = (position: number) =>
  position % 3 === 2 ? 0 : ([1, 0, 5, 64, 65, 2][position % 7] ?? 0)

/** Those of so many chunks that are patched. */
const patchedOf = (chunkCount: number) =>
  Array.from({ length: chunkCount - 1 }, (_, position) => position).filter((position) => {
    const pieces = piecesChanged(position)
    return pieces > 0 && pieces <= 64
  })

test('a reader in Python restores patched chunks, of either layout of sealed chunks, and tells them from others by the version', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const { keyFile, vaultFolder, vault } = await newVaultWithKeyFile(t)
  const ownFile = `${keyFile}-own`
  const own = deriveEndToEndKeys(await createKeyFile(ownFile), 'acme/0002')
  const domains = [
    ['acme/0001', undefined],
    ['acme/0002', { ...own.chunks, marking: vault.verificationKeys('acme/0002').marking }],
  ] as const
  const first = exampleVolume('a', 4096, 40)
  const second = changePieces(first, 4096, 'b', piecesChanged)
  const third = changePieces(second, 4096, 'c', (position) => (position === 3 ? 20 : 0))
  const positions = patchedOf(40)
  assert.ok(positions.length > 10 && !third.equals(second))
  for (const [domain, keys] of domains) {
    await backUp(vault, domain, '1', first, keys)
    await backUpPatched(vault, domain, '2', { earlier: first, volume: second, positions }, keys)
    await backUpPatched(vault, domain, '3', { earlier: first, volume: third, positions }, keys)
    await backUp(vault, domain, '4', third, keys)
    // What the others have as their base outlives the revision that had it as a chunk.
    await vault.deleteRevision(domain, '1')
    await vault.deleteRevision(domain, '4')
  }
  const { packsDeleted } = await vault.collect({ liveFractionMin: 1 })
  assert.ok(packsDeleted > 0)
  await backUp(vault, 'acme/0001', '5', first)
  await vault.close()

  const layouts: string[] = []
  for (const name of await new DirectoryBackend(vaultFolder).list('domains/')) {
    if (!name.includes('/revisions/')) continue
    layouts.push(`${name.at(-1)}: ${(await readFile(join(vaultFolder, name))).readUInt32LE(8)}`)
  }
  assert.deepEqual(layouts.sort(), ['2: 2', '2: 2', '3: 2', '3: 2', '5: 1'])
  const listed = read(python, '', vaultFolder, '--key-file', keyFile, 'list')
  assert.equal(listed.output.toString().trim().split('\n').length, layouts.length, listed.errors)
  for (const [domain, revision, volume] of [
    ...domains.flatMap(([domain]) => [[domain, '2', second] as const, [domain, '3', third] as const]),
    ['acme/0001', '5', first] as const,
  ]) {
    const keys = ['--key-file', keyFile, '--end-to-end-key-file', ownFile]
    const { output, errors, ok } = read(python, '', vaultFolder, ...keys, 'read', domain, revision)
    assert.ok(ok, errors)
    assert.ok(output.equals(volume), `${domain} ${revision}`)
  }
})

test('a reader in Python says what is wrong with a patched chunk', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const { keyFile, vaultFolder, vault } = await newVaultWithKeyFile(t)
  const domain = 'acme/0001'
  const keys = vault.chunkKeys(domain)
  const [base, other] = [noise('base', 4096), noise('other', 4096)]
  const changed = Buffer.concat([base.subarray(0, -32), other.subarray(-32)])
  const lastPiece = Buffer.alloc(16)
  lastPiece[15] = 0x80
  const parts = {
    base,
    other,
    patch: makePatch(changed, lastPiece),
    otherPatch: makePatch(base, lastPiece),
    noPatch: noise('neither', 500),
  }
  const idOf = (part: keyof typeof parts) => nameChunk(parts[part], keys.naming)
  const cases = [
    ['right', 'base', 'patch', /^$/],
    [
      'another-base',
      'other',
      'patch',
      /chunk 0: its base \w{64} and patch \w{64} do not make the chunk \w{64}$/,
    ],
    [
      'another-patch',
      'base',
      'otherPatch',
      /chunk 0: its base \w{64} and patch \w{64} do not make the chunk/,
    ],
    ['no-patch', 'base', 'noPatch', /chunk 0: its patch has not the length that its map asks for/],
    ['no-base', 'patch', 'patch', /chunk 0: its base is not a whole chunk/],
  ] as const
  for (const [revision, baseOf, patchOf] of cases) {
    const session = await vault.beginBackup(domain)
    for (const part of Object.values(parts)) {
      const id = nameChunk(part, keys.naming)
      await session.add(id, sealChunk(id, part, keys))
      // So that each lies in a pack of its own.
      await session.flush()
    }
    await session.commitRevision({
      revision,
      volume: 'disk',
      capacityBytes: changed.length,
      metadata: null,
      chunks: RevisionChunks.patched(
        ChunkList.of(nameChunk(changed, keys.naming)),
        patchedEntry(0, idOf(baseOf), idOf(patchOf)),
      ),
    })
  }
  await vault.close()

  const objects = await new DirectoryBackend(vaultFolder).list('domains/')
  const errorsOf = (revision: string) => {
    const words = [vaultFolder, '--key-file', keyFile, 'read', domain, revision]
    const { output, errors, ok } = read(python, '', ...words)
    assert.equal(ok, errors === '')
    assert.ok(output.equals(ok ? changed : Buffer.alloc(0)))
    return errors.trim()
  }
  for (const [revision, , , errors] of cases) assert.match(errorsOf(revision), errors)
  for (const part of ['base', 'patch'] as const) {
    const packs = objects.filter((name) => name.includes('/packs/')).map((name) => join(vaultFolder, name))
    const contents = await Promise.all(packs.map((path) => readFile(path)))
    const at = contents.findIndex((content) => content.subarray(48, 80).equals(idOf(part)))
    const [path, content] = [packs[at], contents[at]]
    assert.ok(path && content)
    const damaged = Buffer.from(content)
    damaged[120] = (damaged[120] ?? 0) ^ 1
    await writeFile(path, damaged)
    assert.match(errorsOf('right'), new RegExp(`chunk 0: its ${part} \\w{64} is changed`))
    await rm(path)
    assert.match(errorsOf('right'), new RegExp(`chunk 0: its ${part} \\w{64} is in no pack`))
    await writeFile(path, content)
  }
  const revision = objects.find((name) => name.endsWith('/right'))
  assert.ok(revision)
  const content = await readFile(join(vaultFolder, revision))
  for (const [layout, errors] of [
    [1, /a chunk list of another length/],
    [3, /layout version 3/],
  ] as const) {
    content.writeUInt32LE(layout, 8)
    await writeFile(join(vaultFolder, revision), content)
    assert.match(errorsOf('right'), errors)
  }
})
