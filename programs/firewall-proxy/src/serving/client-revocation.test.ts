import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import type { SnapshotClientCertificates } from '@palisade/proxy-protocol'
import { carried } from '../testing/carried.ts'
import { CertificateAuthority, type IssuedCertificate } from '../testing/certificate-authority.ts'
import { http2Tls } from '../testing/http2-tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'palisade-status-'))
let authority: CertificateAuthority
let stranger: CertificateAuthority
let ann: IssuedCertificate
let bob: IssuedCertificate

/** What the responder does; its answers are OpenSSL's. */
let answerTo: (question: Buffer) => Buffer | undefined
let askedCount = 0
const responder = createServer(async (request, response) => {
  askedCount++
  const answer = answerTo(Buffer.concat(await request.toArray()))
  response
    .writeHead(answer === undefined ? 503 : 200, { 'content-type': 'application/ocsp-response' })
    .end(answer)
})
let url: string
before(async () => {
  authority = CertificateAuthority.create(folder, 'root')
  stranger = CertificateAuthority.create(folder, 'stranger')
  ann = authority.issue('ann')
  bob = authority.issue('bob')
  authority.revoke(bob)
  responder.listen(0, '127.0.0.1')
  await once(responder, 'listening')
  url = `http://127.0.0.1:${(responder.address() as AddressInfo).port}/`
})
after(() => {
  responder.close()
  responder.closeAllConnections()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  askedCount = 0
  answerTo = (question) => authority.statusAnswer(question)
})

async function asking(t: TestContext, more: Partial<SnapshotClientCertificates> = {}) {
  const clients = {
    areRequired: true,
    authorities: [authority.own.certificate],
    statusResponder: { url, signers: [] },
    ...more,
  }
  const one = await carried(t, {
    application: (_, response) => response.end('Hello'),
    service: { tls: { ...http2Tls(), clients } },
  })
  const reasons = () => one.refused.map(({ violation }) => violation.detail ?? '')
  return { port: one.port, reasons }
}

async function isServed(port: number, shown?: IssuedCertificate): Promise<boolean> {
  const own = shown && { cert: shown.certificate, key: shown.key }
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...own })
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  await once(socket, 'close').catch(() => undefined)
  return text.startsWith('HTTP/1.1 200')
}

test('whoever shows a certificate that its authority has revoked is refused', async (t) => {
  const { port, reasons } = await asking(t)
  assert.equal(await isServed(port, bob), false)
  assert.match(reasons()[0] ?? '', /^The certificate CN=bob with the serial number [0-9A-F]+ was revoked\.$/)
  assert.equal(await isServed(port, ann), true)
  assert.equal(await isServed(port), false)
  assert.equal(askedCount, 2)
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    cert: ann.certificate,
    key: ann.key,
  })
  const stream = session.request({ ':path': '/' })
  const [headers] = await once(stream, 'response')
  assert.equal(headers[':status'], 200)
  session.destroy()
})

test('an answer is remembered while the responder is away, and without one nobody is let in', async (t) => {
  const { port, reasons } = await asking(t)
  assert.equal(await isServed(port, ann), true)
  answerTo = () => undefined
  assert.equal(await isServed(port, ann), true)
  assert.equal(askedCount, 1)
  assert.equal(await isServed(port, authority.issue('carl')), false)
  assert.match(reasons()[0] ?? '', /CN=carl .* is not taken, since nobody says whether it was revoked: .*503/)
})

test('an answer counts that the issuer has signed, or somebody for it, or the signer who is named', async (t) => {
  const delegate = authority.issue('delegate', 'responder')
  const colleague = authority.issue('colleague')
  let ran = 0
  for (const [signer, signers, served, reason] of [
    [delegate, [], true, undefined],
    [colleague, [], false, /signed by nobody who may sign it/],
    [stranger.own, [], false, /signed by nobody who may sign it/],
    [stranger.own, [stranger.own.certificate], true, undefined],
  ] as const) {
    const { port, reasons } = await asking(t, { statusResponder: { url, signers } })
    answerTo = (question) => authority.statusAnswer(question, signer)
    assert.equal(await isServed(port, ann), served, `${ran}`)
    if (reason) assert.match(reasons()[0] ?? '', reason)
    ran++
  }
  assert.equal(ran, 4)
})

test('an answer that is about another certificate, changed, cut or none lets nobody in', async (t) => {
  const { port, reasons } = await asking(t)
  let ofAnn: Buffer = Buffer.alloc(0)
  answerTo = (question) => {
    ofAnn = authority.statusAnswer(question)
    return ofAnn
  }
  assert.equal(await isServed(port, ann), true)
  let ran = 0
  for (const [answer, reason] of [
    [() => ofAnn, /about another certificate/],
    [(question: Buffer) => withLastByteChanged(authority.statusAnswer(question)), /signed by nobody/],
    [(question: Buffer) => authority.statusAnswer(question).subarray(0, 90), /breaks off/],
    [() => Buffer.from('<html>'), /no DER|breaks off/],
    [() => Buffer.from('30030a0106', 'hex'), /gives no answer/],
  ] as const) {
    answerTo = answer
    assert.equal(await isServed(port, bob), false)
    assert.match(reasons().at(-1) ?? '', reason)
    ran++
  }
  assert.equal(ran, 5)
})

/** Without the certificate of its signer, which stands at its end, the last byte is one of the signature. */
function withLastByteChanged(answer: Buffer): Buffer {
  const changed = Buffer.from(answer)
  const at = changed.indexOf(Buffer.from('2b0601050507300101', 'hex')) + 40
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

test('nobody asks where the operator has forbidden it, and not about clients without a certificate', async (t) => {
  const forbidden = { networks: ['127.0.0.0/8'], endpoints: [] }
  const { port, reasons } = await asking(t, {
    areRequired: false,
    statusResponder: { url, signers: [], forbidden },
  })
  assert.equal(await isServed(port), true)
  assert.equal(await isServed(port, ann), false)
  assert.match(reasons()[0] ?? '', /forbidden/)
  assert.equal(askedCount, 0)
})
