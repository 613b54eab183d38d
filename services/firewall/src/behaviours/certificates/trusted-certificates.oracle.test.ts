import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { certificateFamily } from '../../certificates/testing/certificate-family.ts'
import { openssl } from '../../certificates/testing/openssl.ts'
import { create, download, membersOf, refusedFor } from '../../testing/certificates-api.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'

const kinds = ['trusted-ca-certificate', 'trusted-server-certificate']

onEveryStore('certificates and keys of others', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  test('are taken in every form of text, shown, and given back', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    certificateFamily(judge)
    const pem = judge.read('root.pem').toString('utf8')
    judge.run('x509', '-in', 'root.pem', '-outform', 'DER', '-out', 'root.der')
    const texts = [
      pem,
      pem.replaceAll('\n', '\\n'),
      Buffer.from(pem).toString('base64'),
      judge.read('root.der').toString('base64'),
    ]
    for (const kind of kinds) {
      for (const [index, certificate] of texts.entries()) {
        const name = `${kind}-${index}`
        await create(client, kind, { name, certificate })
        const { 'common-name': commonName, expiry = '', serial } = await membersOf(client, kind, name)
        const judgement = judge.run(
          'x509',
          '-in',
          'root.pem',
          '-noout',
          '-enddate',
          '-serial',
          '-dateopt',
          'iso_8601',
        )
        assert.equal(judgement, `notAfter=${expiry.replace(' GMT', 'Z')}\nserial=${serial}\n`)
        assert.equal(commonName, 'Root')
        const { text } = await download(client, `certificates/${kind}/${name}`, 'pem')
        assert.equal(
          judge.run('x509', '-in', judge.write('back.pem', text)),
          judge.run('x509', '-in', 'root.pem'),
        )
        refusedFor('download-type', await download(client, `${kind}/${name}`, 'csr'), /no private key/)
      }
    }
  })

  test('are refused when they are several, or none, and never kept with a key', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    certificateFamily(judge)
    const text = (file: string) => judge.read(file).toString('utf8')
    for (const kind of kinds) {
      const post = (certificate: string) => client.call('POST', kind, { name: 'wrong', certificate })
      refusedFor('certificate', await post(text('chain.pem')), /3 certificates/)
      refusedFor('certificate', await post(text('root.key')), /no certificate/)
      refusedFor(
        'certificate',
        await post('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
        /damaged/,
      )
      refusedFor('certificate', await client.call('POST', kind, { name: 'wrong' }), /required/)
    }
  })

  test('that check JSON Web Tokens may be of a set, but not private', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    certificateFamily(judge)
    const post = (name: string, contents: string) =>
      client.call('POST', 'jwt-public-keys', { 'public-keys-name': name, 'key-contents': contents })
    const certificate = judge.read('leaf.pem').toString('utf8')
    const bare = judge.run('x509', '-in', 'leaf.pem', '-noout', '-pubkey')
    assert.equal((await post('certified', certificate)).status, 201)
    assert.equal((await post('bare', bare)).status, 201)
    const { 'common-name': commonName, expiry } = await membersOf(client, 'jwt-public-keys', 'certified')
    assert.equal(commonName, 'leaf.example.com')
    assert.match(expiry ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT$/)
    assert.equal((await membersOf(client, 'jwt-public-keys', 'bare')).expiry, '')
    refusedFor(
      'key-contents',
      await post('private', judge.read('leaf.key').toString('utf8')),
      /should be replaced/,
    )
    refusedFor('key-contents', await post('none', '{"keys":[]}'), /no public key/)
  })
})
