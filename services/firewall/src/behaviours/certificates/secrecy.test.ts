import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog, openStore } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { makeSelfSigned } from '../../certificates/index.ts'
import { create, download } from '../../testing/certificates-api.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { administrator, serveFirewall } from '../../testing/firewall.ts'

const password = 'never to be seen'

/** An uploaded certificate and a made one, both of which let their keys go. */
async function withTwoKeys(client: Client): Promise<string> {
  const { certificatePem, privateKeyPem } = await makeSelfSigned({
    commonName: 'www.example.com',
    key: { type: 'ECDSA', curve: 'secp256r1' },
    notBefore: new Date(),
    validityDays: 10,
  })
  await create(client, 'certificates/signed-certificate', {
    name: 'uploaded',
    'signed-certificate': certificatePem,
    'certificate-key': privateKeyPem,
    'certificate-password': password,
    'allow-private-key-export': 'Yes',
  })
  await create(client, 'certificates/self-signed-certificate', {
    name: 'made',
    'common-name': 'www.example.com',
    'country-code': 'DE',
    'key-type': 'ECDSA',
    'allow-private-key-export': 'Yes',
  })
  return privateKeyPem
}

/** A part of the key that shows wherever it is written as it is. */
function traceOf(privateKeyPem: string): string {
  return privateKeyPem.split('\n')[1]?.slice(0, 40) ?? ''
}

onEveryStore('the keys of certificates', (newStore) => {
  test('are in no reply, no list, no audit log and no line of the log, nor are passwords', async () => {
    const lines: string[] = []
    const log = createLog('trace', { write: (line) => lines.push(line) })
    const served = await serveFirewall({ store: await newStore(), log })
    try {
      const client = await logIn(served.baseUrl)
      const trace = traceOf(await withTwoKeys(client))
      await download(client, 'signed-certificate/uploaded', 'pkcs', password)
      await client.get(`certificates/uploaded?download=pem&password=${encodeURIComponent(password)}`)
      await client.call('POST', 'signed-certificate', {
        name: 'x',
        'signed-certificate': 'no',
        'certificate-password': password,
      })
      const texts = [lines.join('')]
      for (const address of [
        'certificates',
        'certificates/uploaded',
        'signed-certificate',
        'signed-certificate/uploaded',
        'self-signed-certificate/made',
        'audit-logs?limit=1000',
      ]) {
        const { status, text } = await client.get(address)
        assert.equal(status, 200, address)
        texts.push(text)
      }
      const exported = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
      assert.match(exported.text, /uploaded/)
      for (const text of [...texts, exported.text]) {
        assert.doesNotMatch(text, /PRIVATE KEY/)
        assert.ok(!text.includes(trace) && !text.includes(password))
      }
      const audit = texts.at(-1) ?? ''
      assert.match(audit, /"variable":"certificate-key","old-value":"","new-value":"\(hidden\)"/)
      assert.equal(audit.match(/the private key was downloaded/g)?.length, 2)
    } finally {
      await served.close()
    }
  })

  test('are sealed in the store, and are there after a restart', async () => {
    const store = await newStore()
    const first = await serveFirewall({ store })
    const trace = await logIn(first.baseUrl)
      .then(withTwoKeys)
      .then(traceOf)
      .finally(() => first.close())
    const rows = await store
      .tables<{ firewall_object: { document: string } }>()
      .selectFrom('firewall_object')
      .selectAll()
      .execute()
    const stored = JSON.stringify(rows)
    assert.match(stored, /uploaded/)
    assert.ok(!stored.includes('PRIVATE KEY') && !stored.includes(trace) && !stored.includes(password))

    const second = await serveFirewall({ store })
    try {
      const client = await logIn(second.baseUrl)
      assert.ok((await download(client, 'signed-certificate/uploaded', 'pem')).text.includes(trace))
      assert.match((await download(client, 'self-signed-certificate/made', 'pem')).text, /BEGIN PRIVATE KEY/)
      assert.match((await download(client, 'signed-certificate/uploaded', 'csr')).text, /CERTIFICATE REQUEST/)
    } finally {
      await second.close()
    }
  })

  test('are for those who may write certificates', async () => {
    const store = await newStore()
    const others = ['certificate-manager', 'service-manager', 'guest', 'audit-manager'].map((role) => ({
      ...administrator,
      username: role,
      role,
    }))
    const served = await serveFirewall({ store, administrators: [administrator, ...others] })
    const as = (username: string) => logIn(served.baseUrl, { ...administrator, username })
    try {
      await withTwoKeys(await logIn(served.baseUrl))
      const manager = await as('certificate-manager')
      assert.equal((await download(manager, 'signed-certificate/uploaded', 'pkcs', password)).status, 200)
      const body = { name: 'own', common_name: 'own.example.com', country_code: 'DE', key_type: 'ecdsa' }
      assert.equal((await manager.call('POST', 'certificates', body)).status, 201)
      assert.equal((await manager.call('DELETE', 'certificates/own')).status, 200)

      for (const username of ['service-manager', 'guest', 'audit-manager']) {
        const client = await as(username)
        const statuses = [
          await download(client, 'signed-certificate/uploaded', 'pem'),
          await download(client, 'certificates/self-signed-certificate/made', 'csr'),
          await client.get('certificates/uploaded?download=csr'),
          await client.call('POST', 'certificates', { ...body, name: username }),
          await client.call('POST', 'certificates?upload=trusted', body),
          await client.call('POST', 'certificates/letsencrypt', {}),
          await client.call('DELETE', 'certificates/uploaded'),
          await client.call('POST', 'signed-certificate', {}),
        ].map(({ status }) => status)
        assert.deepEqual(statuses, Array(8).fill(403), username)
      }
      const list = await (await as('service-manager')).get('certificates')
      assert.deepEqual(
        list.json.data.map(({ name }: { name: string }) => name),
        ['uploaded', 'made'],
      )
      assert.equal((await (await as('audit-manager')).get('certificates')).status, 403)
    } finally {
      await served.close()
    }
  })
})

test('the database file and what lies beside it hold no key', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-test-'))
  const store = openStore('embedded', directory)
  const served = await serveFirewall({ store })
  try {
    const trace = traceOf(await withTwoKeys(await logIn(served.baseUrl)))
    const files = readdirSync(directory)
    const contents = files.map((file) => readFileSync(join(directory, file), 'latin1'))
    assert.ok(contents.some((content) => content.includes('uploaded')))
    for (const content of contents) assert.ok(!content.includes('PRIVATE KEY') && !content.includes(trace))
  } finally {
    await served.close()
    await store.close()
    rmSync(directory, { recursive: true })
  }
})
