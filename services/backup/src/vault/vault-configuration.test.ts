import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readPassphraseFile } from './passphrase-file.ts'
import { checkVaultConfiguration, type VaultConfiguration } from './vault-configuration.ts'

const member = 'backup.vault.passphraseFile'
const s3 = { bucket: 'vaults', prefix: 'palisade/' }

const wrong: [what: string, configuration: VaultConfiguration, message: RegExp][] = [
  ['two places', { directory: '/x', s3 }, /backup\.vault\.s3 cannot be given together with directory/],
  ['two keys', { keyFile: '/x', passphraseFile: '/y' }, /vault\.passphraseFile cannot be given together/],
  ['a bucket with a strange name', { s3: { ...s3, bucket: 'a b' } }, /vault\.s3\.bucket must be a name/],
  ['a prefix without a slash', { s3: { ...s3, prefix: 'x' } }, /vault\.s3\.prefix must be empty or end/],
  ['a prefix that leads away', { s3: { ...s3, prefix: '../' } }, /vault\.s3\.prefix must/],
  ['an endpoint without a scheme', { s3: { ...s3, endpoint: 'host:9000' } }, /vault\.s3\.endpoint must be/],
  ['an endpoint with a path', { s3: { ...s3, endpoint: 'https://host/x' } }, /vault\.s3\.endpoint must be/],
  [
    'an endpoint with a password',
    { s3: { ...s3, endpoint: 'https://me:hidden@host' } },
    /s3\.endpoint must be/,
  ],
  ['a key id alone', { s3: { ...s3, accessKeyId: 'me' } }, /vault\.s3\.secretAccessKey is missing/],
  ['a secret alone', { s3: { ...s3, secretAccessKey: 'hidden' } }, /vault\.s3\.accessKeyId is missing/],
  ['a token alone', { s3: { ...s3, sessionToken: 'hidden' } }, /vault\.s3\.sessionToken needs/],
]

for (const [what, configuration, message] of wrong) {
  test(`${what} in the configuration of the vault: refused, naming the member and no secret`, () => {
    assert.throws(
      () => checkVaultConfiguration(configuration),
      (error) => error instanceof Error && message.test(error.message) && !error.message.includes('hidden'),
    )
  })
}

test('takes a folder, a bucket, a key file or a passphrase, and nothing at all', () => {
  const right: VaultConfiguration[] = [
    {},
    { directory: '/srv/vault', keyFile: '/etc/palisade/vault.key' },
    { s3, passphraseFile: '/etc/palisade/passphrase' },
    { s3: { ...s3, prefix: '', endpoint: 'http://127.0.0.1:9000', accessKeyId: 'a', secretAccessKey: 'b' } },
  ]
  for (const configuration of right) checkVaultConfiguration(configuration)
})

function fileWith(t: TestContext, content: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-passphrase-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'passphrase')
  writeFileSync(path, content, { mode })
  return path
}

test('the passphrase is the first line of its file, with its blanks', async (t) => {
  for (const content of [' a b ', ' a b \n', ' a b \r\nmore']) {
    assert.equal(await readPassphraseFile(fileWith(t, content), member), ' a b ')
  }
})

test('a passphrase file that others may read, is empty, too long or not there is refused', async (t) => {
  await assert.rejects(readPassphraseFile(fileWith(t, 'x', 0o640), member), /chmod 600/)
  await assert.rejects(readPassphraseFile(fileWith(t, '\nx'), member), /empty first line/)
  await assert.rejects(readPassphraseFile(fileWith(t, 'x'.repeat(5000)), member), /not a passphrase file/)
  await assert.rejects(readPassphraseFile('/nowhere/x', member), {
    message: `${member} names /nowhere/x, which cannot be read: there is no such file`,
  })
})
