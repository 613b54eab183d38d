import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { CredentialFile } from './credential.ts'

const [one, two, three] = ['https://one/backup', 'https://two/backup', 'https://three/backup'] as const
const computer = { account: 'acme', computer: '0001' }

test('is kept for the owner alone, and only for the computer that it was given to', async (t) => {
  const path = join(temporaryDirectory(t), 'credential.json')
  const wanted = { serverUrls: [one], ...computer } as const
  await (await CredentialFile.open(path, wanted)).keep('secret')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal((await CredentialFile.open(path, wanted)).credential, 'secret')
  for (const other of [{ serverUrls: [two] }, { account: 'other' }, { computer: '0002' }] as const) {
    const file = await CredentialFile.open(path, { ...wanted, ...other })
    assert.equal(file.credential, undefined)
    assert.equal(file.membership.serverUrl, other.serverUrls?.[0] ?? one)
  }
})

test('stays good, under the same name of the server, while addresses change and one stays', async (t) => {
  const path = join(temporaryDirectory(t), 'credential.json')
  // As it was written before there could be several.
  writeFileSync(path, JSON.stringify({ serverUrl: one, ...computer, credential: 'secret' }), { mode: 0o600 })
  const changes: readonly (readonly [string, ...string[]])[] = [
    [one],
    [one, two],
    [two, one],
    [two, three],
    [three],
  ]
  for (const serverUrls of changes) {
    const { credential, membership } = await CredentialFile.open(path, {
      serverUrls: [...serverUrls],
      ...computer,
    })
    assert.equal(credential, 'secret', serverUrls.join())
    assert.deepEqual(membership, { serverUrl: one, ...computer })
  }
  const file = await CredentialFile.open(path, { serverUrls: [two, one], ...computer })
  assert.equal(file.credential, undefined, 'none of the addresses has stayed')
})

test('counts as missing when it was never written, or cannot be understood', async (t) => {
  const path = join(temporaryDirectory(t), 'credential.json')
  const credential = async () =>
    (await CredentialFile.open(path, { serverUrls: [one], ...computer })).credential
  assert.equal(await credential(), undefined)
  for (const text of [
    '{"credential":',
    '[]',
    JSON.stringify({ serverUrl: one, ...computer, credential: 1 }),
  ]) {
    writeFileSync(path, text, { mode: 0o600 })
    assert.equal(await credential(), undefined)
    assert.equal(readFileSync(path, 'utf8'), text)
  }
})
