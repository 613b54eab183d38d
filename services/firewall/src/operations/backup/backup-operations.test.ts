import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'

onEveryStore('backups of the configuration', (newStore) => {
  let served: ServedService
  let client: Client
  let dataDirectory: string
  const clock = settableClock()
  const secret = 'a bind secret'
  beforeEach(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-backups-'))
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    await client.call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1', port: 80 })
    await client.call('POST', 'ldap-services', { name: 'staff' })
    const server = {
      'ip-address': '192.0.2.20',
      'bind-dn': 'cn=waf',
      'base-dn': 'dc=x',
      'bind-password': secret,
    }
    await client.call('POST', 'ldap-services/staff/ldap-servers', server)
  })
  afterEach(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const folder = () => join(dataDirectory, 'firewall-backups')
  const backUp = (body: object = {}) =>
    client.call('PUT', 'backup/manual-backup', { destination: 'Local', ...body })
  const restore = (body: object) => client.call('POST', 'backup/restore-backup', { source: 'Local', ...body })

  test('a plain backup is a compressed document that only its owner can read, and comes back', async () => {
    const { status, json, text } = await backUp()
    assert.equal(status, 200, text)
    const file = join(folder(), json.filename)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(folder()).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(folder()), [json.filename])
    const document = gunzipSync(readFileSync(file)).toString()
    assert.equal(JSON.parse(document).format, 'palisade-firewall-configuration')
    assert.ok(!document.includes(secret))

    await client.call('DELETE', 'services/shop')
    const trial = await restore({ filename: json.filename, 'dry-run': 'Yes' })
    assert.equal(trial.json.data['added count'], 1)
    assert.equal((await client.get('services/shop')).status, 404)
    const restored = await restore({ filename: json.filename })
    assert.equal(restored.status, 200, restored.text)
    assert.equal((await client.get('services/shop')).status, 200)
    const content = readFileSync(file).toString('base64')
    assert.equal(
      (await restore({ filename: 'x', 'file-content': content })).json.msg,
      'Nothing had to be changed.',
    )
  })

  test('an encrypted backup is restored on another installation, with its secrets, by who has the key', async () => {
    const { json: generated } = await client.get('backup/generate-encryptionkey')
    const key = generated.data.Backups['backup-encryption-key']
    assert.match(key, /^[\w-]{43}$/)
    assert.notEqual(
      (await client.get('backup/generate-encryptionkey')).json.data.Backups['backup-encryption-key'],
      key,
    )
    const { json } = await backUp({ 'encrypt-backup': 'Yes', 'backup-encryption-key': key })
    const bytes = readFileSync(join(folder(), json.filename))
    assert.ok(bytes.subarray(0, 26).equals(Buffer.from('PALISADE-FIREWALL-BACKUP-1')))
    assert.ok(!bytes.includes('shop') && !bytes.includes(secret))

    await served.close()
    served = await serveFirewall({ store: await newStore(), key: Buffer.alloc(32, 8), dataDirectory })
    client = await logIn(served.baseUrl)
    const content = { 'file-content': bytes.toString('base64') }
    assert.match((await restore(content)).json.msg, /encrypted: give its key/)
    const wrong = await restore({ ...content, 'backup-encryption-key': 'another' })
    assert.match(wrong.json.msg, /another key, or it is damaged/)
    bytes[60] = (bytes[60] ?? 0) ^ 1
    const damaged = { 'file-content': bytes.toString('base64'), 'backup-encryption-key': key }
    assert.equal((await restore(damaged)).status, 406)
    const restored = await restore({ ...content, 'backup-encryption-key': key })
    assert.equal(restored.status, 200, restored.text)
    assert.equal(restored.json.data['left out'], undefined)
    assert.equal((await client.get('services/shop')).status, 200)
  })

  test('the settings say whether backups are encrypted, by which key, and how many are kept', async () => {
    await client.call('PUT', 'backup', { 'encrypt-backup': 'Yes' })
    const refused = await backUp()
    assert.deepEqual([refused.status, /no key to encrypt/.test(refused.json.msg)], [400, true])
    await client.call('PUT', 'backup', { 'backup-encryption-key': 'in the safe', 'backups-to-keep': 2 })
    const names: string[] = []
    for (let count = 0; count < 3; count++) {
      clock.advance(1000)
      names.unshift((await backUp()).json.filename)
    }
    assert.ok(names.every((name) => name.endsWith('-encrypted.backup')))
    const { json } = await client.get('backup/get-remote-backup')
    assert.deepEqual(Object.keys(json.data), names.slice(0, 2))
    assert.equal((await restore({ filename: names[0] })).status, 200)
    assert.equal((await restore({ filename: names[2] })).status, 404)
  })

  test('the management interface stays as it is when the settings say so', async () => {
    const wan = async () =>
      (await client.get('system/wan-configuration')).json.data.System['WAN Configuration']['ip-address']
    await client.call('PUT', 'system/wan-configuration', { 'ip-address': '192.0.2.50' })
    const { json } = await backUp()
    await client.call('PUT', 'system/wan-configuration', { 'ip-address': '192.0.2.60' })
    await client.call('PUT', 'backup', { 'exclude-management-interface-configurations': 'Yes' })
    assert.equal((await restore({ filename: json.filename })).status, 200)
    assert.equal(await wan(), '192.0.2.60')
    await restore({ filename: json.filename })
    assert.equal(await wan(), '192.0.2.50')
  })

  test('no file outside the folder is read, whatever it is called', async () => {
    const { json } = await backUp()
    writeFileSync(join(dataDirectory, 'configuration-x.backup'), readFileSync(join(folder(), json.filename)))
    symlinkSync(join(dataDirectory, 'configuration-x.backup'), join(folder(), 'configuration-link.backup'))
    for (const filename of [
      '../configuration-x.backup',
      join(dataDirectory, 'configuration-x.backup'),
      'configuration-link.backup',
      `./${json.filename}`,
      'configuration-..%2f.backup',
      '.',
    ]) {
      assert.equal((await restore({ filename })).status, 404, filename)
    }
    assert.deepEqual(Object.keys((await client.get('backup/get-remote-backup')).json.data), [json.filename])
    for (const content of ['AAAA', 'H4sIAAAA', '{"a":', 'no base64!']) {
      assert.equal((await restore({ 'file-content': content })).status, 406, content)
    }
    assert.equal((await restore({})).status, 406)
  })

  test('other places than this machine are refused and not pretended', async () => {
    for (const place of ['FTP', 'ftps', 'SMB', 'Cloud', 'Amazon S3', 'Azure Blob']) {
      const reply = await backUp({ destination: place })
      assert.equal(reply.status, 400)
      assert.match(reply.json.msg, /keeps backups itself/)
      assert.equal((await restore({ source: place, filename: 'x' })).status, 400)
      const listed = await client.get(`backup/get-remote-backup?server-type=${encodeURIComponent(place)}`)
      assert.equal(listed.status, 400)
    }
    assert.equal((await backUp({ destination: 'Moon' })).status, 406)
    assert.equal((await client.get('backup/get-remote-backup?server-type=local')).status, 200)
  })

  test('a connection to the system itself or to link-local addresses is not tried', async () => {
    const test = (body: object) => client.call('PUT', 'backup/test-connection', body)
    for (const host of [
      '127.0.0.1',
      'localhost',
      '169.254.169.254',
      '0.0.0.0',
      '::1',
      '::ffff:127.0.0.1',
      'fe80::1',
    ]) {
      const { status, json } = await test({ source: 'FTP', 'ftp-address': host, 'ftp-port': 22 })
      assert.equal(status, 400, host)
      assert.match(json.msg, /that is not tried/, host)
    }
    assert.match((await test({ source: 'Cloud' })).json.msg, /no cloud service/)
    const missing = await test({ source: 'SMB' })
    assert.deepEqual([missing.status, /smb-address is required/.test(missing.json.msg)], [406, true])
    assert.equal((await test({ source: 'Amazon S3', 'amazon-s3-bucket-name': 'a/b' })).status, 406)
    assert.equal((await test({ source: 'Azure Blob', 'azure-storage-account-name': 'x.evil' })).status, 406)
  })

  test('only who may make backups makes them, and only who may restore restores', async () => {
    const role = { name: 'keeper', 'api-privilege': 'Yes', operations: ['backup'] }
    await client.call('POST', 'administrator-roles', role)
    for (const [name, roleName] of [
      ['keeper', 'keeper'],
      ['visitor', 'guest'],
    ] as const) {
      const user = { name, 'email-address': 'k@example.com', role: roleName, password: 'a long password 1' }
      const { status, text } = await client.call('POST', 'users', user)
      assert.equal(status, 201, text)
    }
    const keeper = await logIn(served.baseUrl, { username: 'keeper', password: 'a long password 1' })
    const visitor = await logIn(served.baseUrl, { username: 'visitor', password: 'a long password 1' })
    const verbs = [
      ['PUT', 'backup/manual-backup', { destination: 'Local' }, 200],
      ['POST', 'backup/restore-backup', { source: 'Local', filename: 'x' }, 403],
      ['GET', 'backup/get-remote-backup', undefined, 200],
      ['GET', 'backup/generate-encryptionkey', undefined, 200],
      ['PUT', 'backup/test-connection', { source: 'Cloud' }, 400],
      ['POST', 'energize-updates/check-for-update', { type: 'secdef' }, 403],
    ] as const
    for (const [method, path, body, status] of verbs) {
      assert.equal((await keeper.call(method, path, body)).status, status, path)
      assert.equal((await visitor.call(method, path, body)).status, 403, path)
    }
  })
})
