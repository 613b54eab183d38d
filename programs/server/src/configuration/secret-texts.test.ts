import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSecretMember } from '@palisade/log'
import { ConfigurationSchema } from './schema.ts'
import { keyFilesOf, secretsInFiles, secretsOf, shownConfiguration, withoutTexts } from './secret-texts.ts'

const configuration = {
  database: 'postgres://palisade:hunter22@db.example.org/palisade',
  firewall: { administrators: [{ username: 'admin', password: 'correct "horse"', role: 'admin' }] },
  awareness: { apiKeys: [{ key: 'KEY-1234', allowedAddresses: [] }] },
  administration: { openid: { clientSecretFile: '/etc/palisade/openid-secret' } },
}

test('a configuration is shown without its secrets, and with everything else', () => {
  assert.deepEqual(shownConfiguration(configuration), {
    ...configuration,
    database: 'postgres://palisade:[redacted]@db.example.org/palisade',
    firewall: { administrators: [{ username: 'admin', password: '[redacted]', role: 'admin' }] },
    awareness: { apiKeys: [{ key: '[redacted]', allowedAddresses: [] }] },
  })
  assert.deepEqual(secretsOf(configuration), ['hunter22', 'correct "horse"', 'KEY-1234'])
})

test('every member of the configuration that is named like a secret is taken for one', () => {
  const named = new Set(
    memberNames(ConfigurationSchema).filter((name) =>
      /^key$|password$|passphrase$|secret$|token$|credentials?$|[^e]Key$/i.test(name),
    ),
  )
  // The id of an access key is none: it stands in every request, in plain text.
  for (const name of named) assert.ok(isSecretMember(name), name)
  assert.ok(named.size >= 7, [...named].join(', '))
})

test('secrets of the configuration and of key files are taken out of any text, however they are written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-secrets-'))
  try {
    const bytes = Buffer.from('00ff7f80aa55deadbeef0123456789ab', 'hex')
    writeFileSync(join(folder, 'vault.key'), bytes)
    writeFileSync(join(folder, 'notes.txt'), 'ordinary')
    const passphrase = join(folder, 'passphrase')
    writeFileSync(passphrase, 'a long passphrase\n')
    const files = keyFilesOf(folder, { backup: { vault: { passphraseFile: passphrase } } })
    assert.deepEqual(files, [join(folder, 'vault.key'), passphrase])
    const secrets = [...secretsOf(configuration), ...secretsInFiles([...files, join(folder, 'missing.key')])]
    const text = [
      JSON.stringify({ message: 'refused correct "horse"' }),
      `key ${bytes.toString('hex')} or ${bytes.toString('base64')}`,
      'GET /?p=correct%20%22horse%22 and a long passphrase',
      'ordinary',
    ].join('\n')
    assert.equal(
      withoutTexts(text, secrets),
      [
        '{"message":"refused [redacted]"}',
        'key [redacted] or [redacted]',
        'GET /?p=[redacted] and [redacted]',
        'ordinary',
      ].join('\n'),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function memberNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema && typeof schema.properties === 'object' ? schema.properties : {}
  return [...Object.keys(own ?? {}), ...Object.values(schema).flatMap(memberNames)]
}
