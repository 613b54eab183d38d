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
  administration: {
    openid: { clientSecretFile: '/etc/palisade/openid-secret' },
    notifications: {
      channels: [
        {
          webhook: {
            url: 'https://ops:s3cr3t@hooks.example.org/services/T0/B0/XyZ?thread=1',
            secret: 'whsec',
          },
        },
      ],
    },
  },
}

test('a configuration is shown without its secrets, and with everything else', () => {
  assert.deepEqual(shownConfiguration(configuration), {
    ...configuration,
    database: 'postgres://palisade:[redacted]@db.example.org/palisade',
    firewall: { administrators: [{ username: 'admin', password: '[redacted]', role: 'admin' }] },
    awareness: { apiKeys: [{ key: '[redacted]', allowedAddresses: [] }] },
    administration: {
      openid: { clientSecretFile: '/etc/palisade/openid-secret' },
      notifications: {
        channels: [
          { webhook: { url: 'https://ops:[redacted]@hooks.example.org/[redacted]', secret: '[redacted]' } },
        ],
      },
    },
  })
  assert.deepEqual(secretsOf(configuration), [
    'hunter22',
    'correct "horse"',
    'KEY-1234',
    's3cr3t',
    'services/T0/B0/XyZ?thread=1',
    'whsec',
  ])
})

test('passwords in addresses are found with whatever characters, and wherever they may be said', () => {
  const shown = {
    'postgres://palisade:p@ss:w@db.example.org/palisade':
      'postgres://palisade:[redacted]@db.example.org/palisade',
    'postgres://a@b.example:hunter22@db.example.org/p': 'postgres://a@b.example:[redacted]@db.example.org/p',
    'postgres://db.example.org/p?user=a&password=hunter22&sslmode=require':
      'postgres://db.example.org/p?user=a&password=[redacted]&sslmode=require',
    'postgres://db.example.org:5433/palisade': 'postgres://db.example.org:5433/palisade',
    'https://palisade.example.org/console': 'https://palisade.example.org/console',
  }
  for (const [database, without] of Object.entries(shown))
    assert.deepEqual(shownConfiguration({ database }), { database: without })
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
