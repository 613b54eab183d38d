import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { CredentialFile } from './credential.ts'

const membership = { serverUrl: 'http://127.0.0.1:1/backup', account: 'acme', computer: '0001' }

test('is kept for the owner alone, and only for the computer that it was given to', async (t) => {
  const path = join(temporaryDirectory(t), 'credential.json')
  const file = new CredentialFile(path)
  await file.keep(membership, 'secret')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(await file.read(membership), 'secret')
  for (const other of [{ serverUrl: 'http://other/backup' }, { account: 'other' }, { computer: '0002' }]) {
    assert.equal(await file.read({ ...membership, ...other }), undefined)
  }
})

test('counts as missing when it was never written, or cannot be understood', async (t) => {
  const path = join(temporaryDirectory(t), 'credential.json')
  const file = new CredentialFile(path)
  assert.equal(await file.read(membership), undefined)
  writeFileSync(path, '{"credential":', { mode: 0o600 })
  assert.equal(await file.read(membership), undefined)
})
