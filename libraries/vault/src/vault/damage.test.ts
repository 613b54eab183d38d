/**
 * Every object of a vault in a directory is damaged in every way, one at a time: each time the check names the file and the
 * revisions concerned, all others are restored byte for byte, and the repair says what is lost.
 */
import assert from 'node:assert/strict'
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { noise } from '../testing/noise.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const volumeOf = (revision: string) => exampleVolume(revision, chunkSizeBytes, 20)
const revisions = ['1', '2', '3']

/** How an object is damaged, by the path of its file. */
const damages = {
  'a flipped bit': async (path: string) => {
    const content = await readFile(path)
    const place = Math.floor(content.length * 0.6)
    content[place] = (content[place] ?? 0) ^ 16
    await writeFile(path, content)
  },
  'a cut end': async (path: string) => truncate(path, Math.floor((await readFile(path)).length * 0.7)),
  'no content': (path: string) => truncate(path, 0),
  'other content': async (path: string) => writeFile(path, noise(path, (await readFile(path)).length)),
  'its removal': (path: string) => rm(path),
}

/** A closed vault of three revisions that share nothing, each in packs of its own. */
async function example(t: TestContext): Promise<{ folder: string; names: string[] }> {
  const folder = await temporaryFolder(t)
  const backend = new DirectoryBackend(folder)
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes: 40_000 })
  for (const revision of revisions) await backUp(vault, domain, revision, volumeOf(revision))
  await vault.close()
  return { folder, names: (await backend.list('domains/')).sort() }
}

/** The revisions that cannot be restored byte for byte. */
async function broken(vault: Vault): Promise<string[]> {
  const listed = new Set((await vault.revisions(domain, () => undefined)).map((head) => head.revision))
  const failed: string[] = []
  for (const revision of revisions) {
    try {
      assert.ok((await restore(vault, domain, revision)).equals(volumeOf(revision)))
      assert.ok(listed.has(revision))
    } catch (error) {
      assert.ok(isVaultFailure(error), String(error))
      failed.push(revision)
    }
  }
  return failed
}

for (const [title, damage] of Object.entries(damages)) {
  test(`names what ${title} has done to any object, and everything else is restored`, async (t) => {
    const { folder, names } = await example(t)
    const counts = { packs: 0, revisions: 0, index: 0, domain: 0 }
    for (const name of names) {
      const copy = join(await temporaryFolder(t), 'vault')
      await cp(folder, copy, { recursive: true })
      await damage(join(copy, name))
      const vault = await openVault({ backend: new DirectoryBackend(copy), key })
      const failed = await broken(vault)
      const findings = await vault.check({ readData: true, ...(isNameOf(name) ? {} : { domain }) })
      const mine = findings.filter((finding) => finding.object === name)
      if (name.includes('/packs/')) {
        counts.packs++
        // A header or the head of a record is damage too, though nothing needs it.
        assert.ok(failed.length <= 1)
        assert.equal(mine.length, 1, `${name}: ${JSON.stringify(findings)}`)
        assert.deepEqual(failed, failed.length > 0 ? mine[0]?.revisions : [])
        const report = await vault.repair({ readData: true })
        assert.deepEqual(
          report.revisions.map(({ revision }) => revision),
          await broken(vault),
        )
      } else if (name.includes('/revisions/')) {
        counts.revisions++
        assert.equal(failed.length, 1)
        assert.ok(name.endsWith(failed[0] ?? '?'))
        // Nobody can tell a revision that is gone from one that was deleted.
        if (title !== 'its removal') assert.deepEqual(mine[0]?.revisions, failed)
      } else {
        counts[name.includes('/index/') ? 'index' : 'domain']++
        assert.deepEqual(failed, [])
        // A segment is only a memory of the packs: without it there is none to miss.
        if (title !== 'its removal' || isNameOf(name)) assert.equal(mine.length, 1, name)
      }
      await vault.close()
    }
    assert.ok(counts.packs >= 3 && counts.revisions === 3 && counts.index >= 1 && counts.domain === 1)
  })
}

function isNameOf(name: string): boolean {
  return name.endsWith('/domain')
}
