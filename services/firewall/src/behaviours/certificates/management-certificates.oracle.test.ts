import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { HttpService } from '@palisade/platform'
import { onEveryStore, type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import { certificateFamily } from '../../certificates/testing/certificate-family.ts'
import { openssl } from '../../certificates/testing/openssl.ts'
import { refusedFor } from '../../testing/certificates-api.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { firewallService } from '../../testing/firewall.ts'

onEveryStore('certificates of the management', (newStore) => {
  let service: HttpService
  let served: ServedService
  let client: Client
  before(async () => {
    service = await firewallService({ store: await newStore(), clock: settableClock(Date.now()) })
    served = await serveOnLoopback(service)
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  const change = (section: string, body: object) => client.call('PUT', `system/${section}`, body)
  const selfSigned = (body: object) => change('self-signed-management-certificate', body)
  const trusted = (body: object) => change('trusted-management-certificate', body)
  const selection = () => {
    const pem = service.certificate?.()?.cert
    return pem === undefined ? undefined : new X509Certificate(pem)
  }

  test('are made anew when they are to say something else', async () => {
    assert.equal(selection(), undefined)
    refusedFor('common-name', await selfSigned({ city: 'Vienna' }), /missing/)
    assert.equal((await selfSigned({ 'common-name': 'waf.example.com', country: 'at' })).status, 200)
    const first = selection()
    assert.match(first?.subject ?? '', /C=AT\n.*CN=waf\.example\.com/s)
    assert.equal((await selfSigned({ 'common-name': 'waf.example.com' })).status, 200)
    assert.equal(selection()?.serialNumber, first?.serialNumber)
    assert.equal((await selfSigned({ 'certificate-expiration': '10' })).status, 200)
    assert.notEqual(selection()?.serialNumber, first?.serialNumber)
    const days = ((selection()?.validToDate.getTime() ?? 0) - Date.now()) / 86_400_000
    assert.ok(days > 8 && days < 10)
  })

  test('have keys that TLS takes', async () => {
    for (const size of ['512', '1024']) {
      refusedFor('key-size', await selfSigned({ 'key-size': size }), /at least 2048 bits/)
    }
    assert.ok(selection())
  })

  test('are uploaded whole, and checked', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    certificateFamily(judge)
    const text = (file: string) => judge.read(file).toString('utf8')
    const certificate = { 'signed-certificate': text('leaf.pem') }
    refusedFor('private-key', await trusted(certificate), /missing/)
    refusedFor(
      'private-key',
      await trusted({ ...certificate, 'private-key': text('two.key') }),
      /not that of/,
    )
    refusedFor('signed-certificate', await trusted({ 'private-key': text('leaf.key') }), /missing/)
    const stranger = {
      ...certificate,
      'private-key': text('leaf.key'),
      'certificate-chain-bundle': text('stranger.pem'),
    }
    refusedFor('certificate-chain-bundle', await trusted(stranger), /CN=Stranger/)
    const whole = {
      ...certificate,
      'private-key': text('leaf.key'),
      'certificate-chain-bundle': text('chain.pem'),
    }
    assert.equal((await trusted(whole)).status, 200)
    await change('secure-administration', { 'certificate-type': 'Trusted (Signed by a trusted CA)' })
    assert.equal(service.certificate?.()?.cert.match(/BEGIN/g)?.length, 4)
    assert.match(selection()?.subject ?? '', /leaf\.example\.com/)

    judge.run(
      ...['pkcs12', '-export', '-in', 'leaf.pem', '-inkey', 'leaf.key', '-out', 'leaf.p12'],
      ...['-passout', 'pass:a password'],
    )
    const file = {
      'signed-certificate': judge.read('leaf.p12').toString('base64'),
      'certificate-type': 'pkcs',
    }
    refusedFor(
      'signed-certificate',
      await trusted({ ...file, 'certificate-password': 'another' }),
      /password/,
    )
    assert.equal((await trusted({ ...file, 'certificate-password': 'a password' })).status, 200)
    assert.equal(service.certificate?.()?.cert.match(/BEGIN/g)?.length, 1)
    assert.doesNotMatch((await client.get('system')).text, /PRIVATE KEY/)
  })
})
