import assert from 'node:assert/strict'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { makeSelfSigned } from '../../certificates/index.ts'
import { certificateFamily } from '../../certificates/testing/certificate-family.ts'
import { type Openssl, openssl } from '../../certificates/testing/openssl.ts'
import { create, download, membersOf, refusedFor } from '../../testing/certificates-api.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'

const path = 'certificates/signed-certificate'
const name = 'leaf.example.com'
const item = `${path}/${name}`

onEveryStore('signed certificates', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), clock: settableClock(Date.now()) })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())
  afterEach(async () => {
    for (const address of [item, `self-signed-certificate/csr`]) await client.call('DELETE', address)
  })

  /** Root, two intermediates and a leaf, made by openssl. */
  function family(t: TestContext): { judge: Openssl; text: (file: string) => string } | undefined {
    const judge = openssl(t)
    if (!judge) return undefined
    certificateFamily(judge)
    return { judge, text: (file) => judge.read(file).toString('utf8') }
  }

  const upload = (body: object) => client.call('POST', path, { name, ...body })

  test('show what the certificate says, and give it back with those above it in their order', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { judge, text } = certificates
    await create(client, path, {
      name,
      'signed-certificate': text('leaf.pem'),
      'certificate-key': text('leaf.key'),
      'intermediary-certificates': [text('root.pem'), text('two.pem'), text('one.pem')],
    })
    const facts = await membersOf(client, path, name)
    const judgement = judge.run(
      'x509',
      '-in',
      'leaf.pem',
      '-noout',
      '-enddate',
      '-serial',
      '-dateopt',
      'iso_8601',
    )
    assert.equal(judgement, `notAfter=${facts.expiry?.replace(' GMT', 'Z')}\nserial=${facts.serial}\n`)
    assert.deepEqual([facts['common-name'], facts['key-type']], ['leaf.example.com', 'ECDSA'])
    const { text: file } = await download(client, item, 'pem')
    const clean = (pem: string) => judge.run('x509', '-in', judge.write('one-block.pem', pem))
    assert.deepEqual(
      file.split(/(?<=-----END CERTIFICATE-----\n)/).map(clean),
      ['leaf', 'two', 'one', 'root'].map((one) => judge.run('x509', '-in', `${one}.pem`)),
    )
  })

  test('are read from a chain in one text, also with the key in it', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { text } = certificates
    const chain = ['leaf.key', 'leaf.pem', 'one.pem', 'two.pem'].map(text).join('')
    await create(client, path, { name, 'signed-certificate': chain, 'allow-private-key-export': 'Yes' })
    const { text: file } = await download(client, item, 'pem')
    assert.equal(file.match(/BEGIN CERTIFICATE/g)?.length, 3)
    assert.match(file, /BEGIN PRIVATE KEY/)
  })

  test('are taken with an encrypted key, and refused with another password', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { judge, text } = certificates
    judge.run('pkcs8', '-topk8', '-in', 'leaf.key', '-out', 'locked.key', '-passout', 'pass:a password')
    const body = { 'signed-certificate': text('leaf.pem'), 'certificate-key': text('locked.key') }
    refusedFor('certificate-key', await upload({ ...body, 'certificate-password': 'another' }), /password/)
    refusedFor('certificate-key', await upload(body), /no password was given/)
    await create(client, path, { name, ...body, 'certificate-password': 'a password' })
  })

  for (const [sort, options] of [
    ['of today', []],
    ['of older programs', ['-legacy', '-descert']],
  ] as const) {
    test(`are taken from PKCS #12 files ${sort}`, async (t) => {
      const certificates = family(t)
      if (!certificates) return
      const { judge } = certificates
      judge.run(
        ...['pkcs12', '-export', '-in', 'leaf.pem', '-inkey', 'leaf.key', '-certfile', 'chain.pem'],
        ...['-out', 'leaf.p12', '-passout', 'pass:päss', ...options],
      )
      const file = judge.read('leaf.p12').toString('base64')
      refusedFor('signed-certificate', await upload({ 'signed-certificate': file }), /password/)
      const body = { 'signed-certificate': file, 'certificate-password': 'päss' }
      const damaged = `${file.slice(0, 200)}AAAA${file.slice(204)}`
      refusedFor('signed-certificate', await upload({ ...body, 'signed-certificate': damaged }))
      await create(client, path, { name, ...body, 'certificate-type': 'PKCS12 Token' })
      assert.equal((await membersOf(client, path, name))['key-type'], 'ECDSA')
      assert.equal((await download(client, item, 'pem')).text.match(/BEGIN CERTIFICATE/g)?.length, 4)
    })
  }

  test('take their key from the certificate here whose request was signed', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { judge } = certificates
    const subject = { 'common-name': name, 'country-code': 'US', 'key-type': 'ECDSA' }
    await create(client, 'self-signed-certificate', { name: 'csr', ...subject })
    const request = judge.write(
      'request.csr',
      (await download(client, 'self-signed-certificate/csr', 'csr')).text,
    )
    judge.run(
      ...['x509', '-req', '-in', request, '-CA', 'two.pem', '-CAkey', 'two.key', '-out', 'signed.pem'],
      ...['-days', '9', '-copy_extensions', 'copy'],
    )
    const text = judge.read('signed.pem').toString('base64')
    // Base64 of PEM with blanks among it is what one of the clients sends.
    const body = { 'signed-certificate': text.replace(/(.{70})/g, '$1 ') }
    const exported = { ...body, 'assign-associated-key': 'Yes', 'allow-private-key-export': 'Yes' }
    refusedFor('allow-private-key-export', await upload(exported), /self-signed-certificate "csr"/)
    await create(client, path, { name, ...body })
    assert.equal((await membersOf(client, path, name))['assign-associated-key'], 'Yes')
    const again = judge.write('again.csr', (await download(client, item, 'csr')).text)
    assert.equal(
      judge.run('req', '-in', again, '-noout', '-pubkey', '-verify').replace(/Certif.*\n/, ''),
      judge.run('x509', '-in', 'signed.pem', '-noout', '-pubkey'),
    )
  })

  test('are refused without a key, and with that of another', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { text } = certificates
    const certificate = { 'signed-certificate': text('leaf.pem') }
    refusedFor('certificate-key', await upload(certificate), /no certificate here has the key/)
    refusedFor(
      'certificate-key',
      await upload({ ...certificate, 'assign-associated-key': 'Yes' }),
      /has the key/,
    )
    const foreign = { ...certificate, 'certificate-key': text('stranger.key') }
    refusedFor('certificate-key', await upload(foreign), /not that of the certificate/)
    refusedFor('certificate-key', await upload({ ...certificate, 'certificate-key': text('leaf.pem') }))
    refusedFor('signed-certificate', await upload({ 'certificate-key': text('leaf.key') }), /required/)
    refusedFor(
      'signed-certificate',
      await upload({ 'signed-certificate': text('leaf.key') }),
      /no certificate/,
    )
    refusedFor('signed-certificate', await upload({ 'signed-certificate': 'certainly none' }))
  })

  test('are refused with certificates that are not above them', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { text } = certificates
    const body = { 'signed-certificate': text('leaf.pem'), 'certificate-key': text('leaf.key') }
    const foreign = { ...body, 'intermediary-certificates': [text('two.pem'), text('stranger.pem')] }
    refusedFor('intermediary-certificates', await upload(foreign), /CN=Stranger/)
    const chain = { ...body, 'signed-certificate': text('leaf.pem') + text('stranger.pem') }
    refusedFor('signed-certificate', await upload(chain), /CN=Stranger/)
  })

  test('are taken when they have expired, and show when', async () => {
    const old = await makeSelfSigned({
      commonName: 'old.example.com',
      key: { type: 'RSA', bits: 2048 },
      notBefore: new Date('2020-01-01T00:00:00Z'),
      validityDays: 31,
    })
    await create(client, path, {
      name,
      'signed-certificate': old.certificatePem,
      'certificate-key': old.privateKeyPem,
    })
    const { expiry, 'key-type': keyType } = await membersOf(client, path, name)
    assert.deepEqual([expiry, keyType], ['2020-02-01 00:00:00 GMT', 'RSA'])
  })

  test('have a name that no other certificate has', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { text } = certificates
    const body = { 'signed-certificate': text('leaf.pem'), 'certificate-key': text('leaf.key') }
    await create(client, path, { name, ...body })
    await create(client, 'trusted-ca-certificate', { name: 'root', certificate: text('root.pem') })
    const attempts = [
      await upload(body),
      await client.call('POST', 'trusted-ca-certificate', { name, certificate: text('root.pem') }),
      await client.call('POST', 'self-signed-certificate', {
        name,
        'common-name': name,
        'country-code': 'DE',
      }),
      await client.call('PUT', item, { name: 'root' }),
    ]
    for (const { status, json } of attempts) {
      assert.equal(status, 400)
      assert.match(json.msg, /^Duplicate certificate name is not allowed\. .*duplicate value not allowed/)
      assert.equal(json.error.type, 'duplicate-certificate')
    }
    assert.equal((await client.call('PUT', item, { name: 'renamed' })).status, 200)
    assert.equal((await client.call('DELETE', `${path}/renamed`)).status, 200)
    assert.equal((await client.call('DELETE', 'trusted-ca-certificate/root')).status, 200)
  })

  test('say who issued them, or who answers for them', async (t) => {
    const certificates = family(t)
    if (!certificates) return
    const { text } = certificates
    await create(client, path, {
      name,
      'signed-certificate': text('leaf.pem'),
      'certificate-key': text('leaf.key'),
      'intermediary-certificates': text('chain.pem'),
    })
    const stapling = `${item}/certificates/ocsp-stapling`
    const issuer = async () =>
      (await client.get(stapling)).json.data[name]['OCSP Stapling']['issuer-certificate']
    assert.equal(await issuer(), 'Intermediate Two')
    const stranger = { 'ocsp-issuer-certificate': text('stranger.pem') }
    refusedFor('ocsp-issuer-certificate', await client.call('PUT', stapling, stranger), /CN=Stranger/)
    const own = { 'ocsp-issuer-certificate': text('two.pem'), 'ocsp-stapling': 'Yes' }
    assert.equal((await client.call('PUT', stapling, own)).status, 200)
    assert.equal(await issuer(), 'Intermediate Two')
  })
})
