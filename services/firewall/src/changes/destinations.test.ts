import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { isSecret } from '../kinds/kind.ts'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

/** Sections and objects with a stored secret: how they are made, and what of them says where it is sent. */
const cases: readonly {
  path: string
  made: object
  secret: string
  moved: readonly object[]
  create?: string
}[] = [
  {
    path: 'system/email-notifications',
    made: {
      'smtp-server': 'mail.example',
      'smtp-port': 25,
      'smtp-username': 'u',
      'smtp-password': 'secret-1',
    },
    secret: 'smtp-password',
    moved: [{ 'smtp-server': 'evil.example' }, { 'smtp-port': 2525 }],
  },
  {
    path: 'system/proxy-server',
    made: { server: 'proxy.example', port: 3128, username: 'u', password: 'secret-1' },
    secret: 'password',
    moved: [{ server: 'evil.example' }, { port: 3129 }],
  },
  {
    path: 'backup',
    made: { 'ftp-address': 'ftp.example', 'ftp-password': 'secret-1' },
    secret: 'ftp-password',
    moved: [{ 'ftp-address': 'evil.example' }, { 'ftp-port': 2121 }],
  },
  {
    path: 'ldap-services/staff/ldap-servers/192.0.2.20',
    create: 'ldap-services/staff/ldap-servers',
    made: { 'ip-address': '192.0.2.20', 'bind-dn': 'cn=w', 'base-dn': 'dc=e', 'bind-password': 'secret-1' },
    secret: 'bind-password',
    moved: [{ 'ip-address': '203.0.113.66' }, { port: 1389 }],
  },
  {
    path: 'syslog-servers/far',
    create: 'syslog-servers',
    made: {
      name: 'far',
      'ip-address': 'log.example',
      password: 'secret-1',
      'server-type': 'AMQP',
      port: 5671,
    },
    secret: 'password',
    moved: [{ 'ip-address': 'evil.example' }, { 'validate-server-certificate': 'No' }],
  },
]

onEveryStore('where stored secrets are sent', (newStore) => {
  test('is not changed by whoever does not give the secret', async () => {
    const served = await serveFirewall({ store: await newStore() })
    try {
      const client = await logIn(served.baseUrl)
      await client.call('POST', 'ldap-services', { name: 'staff' })
      let ran = 0
      for (const { path, create, made, secret, moved } of cases) {
        const first = create ? await client.call('POST', create, made) : await client.call('PUT', path, made)
        assert.ok(first.status < 300, first.text)
        for (const body of moved) {
          const refused = await client.call('PUT', path, body)
          assert.equal(refused.status, 406, `${path} ${refused.text}`)
          assert.ok(refused.text.includes(`without ${secret}`), refused.text)
          assert.ok(!refused.text.includes('secret-1'))
          ran++
        }
        const [move = {}] = moved
        const both = await client.call('PUT', path, { ...move, [secret]: 'secret-2' })
        assert.equal(both.status, 200, both.text)
      }
      assert.equal(
        ran,
        cases.reduce((sum, { moved }) => sum + moved.length, 0),
      )
      const same = await client.call('PUT', 'system/email-notifications', { 'smtp-server': 'evil.example' })
      assert.equal(same.status, 200, same.text)
    } finally {
      await served.close()
    }
  })
})

/** Secrets beside an address to which they are not sent. */
const staysHere: Readonly<Record<string, string>> = {
  'self-signed-certificate certificate': 'the address is of a person',
  'self-signed-certificate private-key': 'the address is of a person',
  'signed-certificate certificate-key': 'shown by services, and sent to nobody',
  'signed-certificate intermediary-certificates': 'what services show to everybody',
  'signed-certificate obtained-from': 'no secret: shown nowhere',
  'signed-certificate signed-certificate': 'what services show to everybody',
  'system enable-multi-ip': 'no secret: shown nowhere',
  'user password': 'a digest, and the address is of a person',
  'user earlier-passwords': 'digests, and the address is of a person',
  'user password-changed-at': 'no secret: shown nowhere',
  'service dps-enabled': 'no secret: shown nowhere',
  'service cloud-ip-select': 'no secret: shown nowhere',
  'service service-hostname': 'no secret: shown nowhere',
  'saml-identity-provider metadata-content': 'what the provider publishes',
  'samlsp-identity-provider metadata-content': 'what the provider publishes',
  'jwt-validator-endpoint verify-shared-keys': 'verifies what comes, and is sent to nobody',
  'snmp community-string': 'for those who ask, not for whom is asked',
  'snmp encryption-password': 'for those who ask, not for whom is asked',
  'snmp password': 'for those who ask, not for whom is asked',
  'configuration-backup backup-encryption-key': 'encrypts backups before they are sent',
  'configuration-backup cloud-password': 'to a service whose address nobody configures',
}

test('every secret beside an address says whether it is sent there', () => {
  const addressed = /(?:address|server|server-ip|host|hostname|endpoint|url|port)$/
  const silent: string[] = []
  let ran = 0
  for (const kind of compileCatalogue(catalogue).values()) {
    for (const [where, fields] of [
      [kind.name, kind.fields] as const,
      ...kind.sections.map((section) => [section.segment, section.fields] as const),
    ]) {
      if (!Array.from(fields).some(({ name }) => addressed.test(name))) continue
      for (const { name, field } of fields) {
        if (!isSecret(field) || field.transient) continue
        ran++
        for (const member of field.sentTo ?? []) assert.ok(fields.find(member), `${where} ${name}: ${member}`)
        if (field.sentTo === undefined && staysHere[`${where} ${name}`] === undefined)
          silent.push(`${where} ${name}`)
      }
    }
  }
  assert.ok(ran > 20)
  assert.deepEqual(silent, [], 'say sentTo in the field, or in this test why it is sent nowhere')
})
