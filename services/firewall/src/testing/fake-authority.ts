import 'reflect-metadata'
import { createHash, randomBytes, type webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@palisade/platform'
import * as x509 from '@peculiar/x509'
import { makeSelfSigned } from '../certificates/index.ts'

const dayMs = 86_400_000

/** A proof that is not there by then is not found, in milliseconds: servers may start meanwhile. */
const proofMaxMs = 120_000

const signing = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** What became of one order. */
export interface FakeOrder {
  readonly names: readonly string[]
  readonly replaces: string | undefined
  /** Of the clock. */
  readonly at: number
  state: 'open' | 'signed' | 'invalid'
  /** How often it was told that the proof is there. */
  answers: number
}

/** Why an order is not taken, as RFC 8555 has it. */
export interface FakeRefusal {
  readonly type: string
  readonly detail: string
  readonly retryAfterSeconds?: number
}

interface Open {
  readonly order: FakeOrder
  readonly token: string
  keyAuthorization: string
  status: 'pending' | 'ready' | 'valid' | 'invalid'
  certificate: string
}

/**
 * An authority in this process that takes orders without looking at signatures, for tests with its own ways and of many certificates;
 * `tests/src/firewall-acme.oracle.test.ts` has a strict one. Its certificates live for 90 days of the clock.
 */
export class FakeAuthority {
  readonly orders: FakeOrder[] = []
  /** Refuses the orders that come while it is there. */
  refusal: FakeRefusal | undefined
  /** How many orders it has refused. */
  refusedCount = 0
  /** Orders that come while it is there are taken, and answered when it has settled. */
  answersAfter: Promise<void> | undefined
  /** What it suggests for every certificate; nothing while undefined. */
  suggested: { readonly from: number; readonly to: number } | undefined
  /** How often it was asked for a suggestion. */
  askedForSuggestions = 0
  /** Whether everybody who is asked has the proof. */
  isProven: (token: string, keyAuthorization: string) => boolean = () => true
  directory = ''
  caFile = ''
  readonly #clock: Clock
  readonly #open: Open[] = []
  #thumbprint = ''
  #issuer: { readonly keys: webcrypto.CryptoKeyPair; readonly certificate: x509.X509Certificate } | undefined

  private constructor(clock: Clock) {
    this.#clock = clock
  }

  /** It ends with the test. */
  static async start(t: TestContext, clock: Clock): Promise<FakeAuthority> {
    const authority = new FakeAuthority(clock)
    const own = await makeSelfSigned({
      commonName: 'localhost',
      key: { type: 'ECDSA', curve: 'secp256r1' },
      notBefore: new Date(Date.now() - dayMs),
      validityDays: 9,
    })
    const folder = mkdtempSync(join(tmpdir(), 'palisade-authority-'))
    authority.caFile = join(folder, 'ca.pem')
    writeFileSync(authority.caFile, own.certificatePem)
    const server = createServer({ cert: own.certificatePem, key: own.privateKeyPem }, (request, response) => {
      void authority.#answer(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    authority.directory = `https://localhost:${(server.address() as AddressInfo).port}/`
    authority.#issuer = await newIssuer(clock.now())
    t.after(() => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    })
    return authority
  }

  /** Finds no proof for an order that it looks at. */
  reject(order: FakeOrder): void {
    const open = this.#open.find((one) => one.order === order)
    if (open?.status !== 'pending') throw new Error('that order is not being looked at')
    open.status = 'invalid'
    order.state = 'invalid'
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, what = '', number = ''] = (request.url ?? '').split('/')
    const text = Buffer.concat(await request.toArray()).toString()
    const { jwk, payload } = text === '' ? { jwk: undefined, payload: {} } : readJws(text)
    response.setHeader('replay-nonce', randomBytes(16).toString('base64url'))
    const send = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const refuse = ({ type, detail, retryAfterSeconds }: FakeRefusal) => {
      const problem = { type: `urn:ietf:params:acme:error:${type}`, detail }
      send(403, problem, {
        'content-type': 'application/problem+json',
        ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      })
    }
    const open = this.#open[Number(number)]
    switch (what) {
      case '':
        return void send(200, this.#directory())
      case 'nonce':
        return void response.end()
      case 'account':
        if (jwk) this.#thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
        return void send(200, { status: 'valid' }, { location: `${this.directory}accounts/1` })
      case 'suggestion':
        this.askedForSuggestions++
        return void send(200, {
          suggestedWindow: {
            start: new Date(this.suggested?.from ?? 0).toISOString(),
            end: new Date(this.suggested?.to ?? 0).toISOString(),
          },
        })
      case 'new-order': {
        if (this.refusal) {
          this.refusedCount++
          return refuse(this.refusal)
        }
        const taken = this.#take(payload)
        const location = `${this.directory}order/${this.#open.length - 1}`
        await this.answersAfter
        return void send(201, this.#shown(taken), { location })
      }
    }
    if (open === undefined) return refuse({ type: 'malformed', detail: 'there is no such order' })
    if (what === 'order') return void send(200, this.#shown(open))
    if (what === 'authorization') return void send(200, this.#authorization(open))
    if (what === 'challenge') {
      open.keyAuthorization = `${open.token}.${this.#thumbprint}`
      open.order.answers++
      void this.#look(open)
      return void send(200, {})
    }
    if (what === 'finalize') {
      open.certificate = await this.#signed(String(payload.csr))
      open.status = 'valid'
      open.order.state = 'signed'
      return void send(200, this.#shown(open))
    }
    response.writeHead(200, { 'content-type': 'application/pem-certificate-chain' }).end(open.certificate)
  }

  /** A loaded machine takes its time to bring a proof everywhere. */
  async #look(open: Open): Promise<void> {
    const until = performance.now() + proofMaxMs
    while (open.status === 'pending' && performance.now() < until) {
      if (this.isProven(open.token, open.keyAuthorization)) open.status = 'ready'
      else await pause(20)
    }
    if (open.status === 'pending') this.reject(open.order)
  }

  #directory() {
    const at = (path: string) => `${this.directory}${path}`
    return {
      newNonce: at('nonce'),
      newAccount: at('account'),
      newOrder: at('new-order'),
      ...(this.suggested === undefined ? {} : { renewalInfo: at('suggestion') }),
    }
  }

  #take(payload: Record<string, unknown>): Open {
    const identifiers = payload.identifiers as readonly { readonly value: string }[]
    const replaces = payload.replaces === undefined ? undefined : String(payload.replaces)
    const order: FakeOrder = {
      names: identifiers.map(({ value }) => value),
      replaces,
      at: this.#clock.now(),
      state: 'open',
      answers: 0,
    }
    this.orders.push(order)
    const open: Open = {
      order,
      token: randomBytes(16).toString('base64url'),
      keyAuthorization: '',
      status: 'pending',
      certificate: '',
    }
    this.#open.push(open)
    return open
  }

  #shown(open: Open) {
    const number = this.#open.indexOf(open)
    return {
      status: open.status,
      authorizations: [`${this.directory}authorization/${number}`],
      finalize: `${this.directory}finalize/${number}`,
      ...(open.status === 'valid' ? { certificate: `${this.directory}certificate/${number}` } : {}),
    }
  }

  #authorization({ status, token, order }: Open) {
    const number = this.#open.findIndex((one) => one.token === token)
    const error = { type: 'urn:ietf:params:acme:error:unauthorized', detail: 'not every proxy has the proof' }
    return {
      status: status === 'pending' || status === 'invalid' ? status : 'valid',
      identifier: { type: 'dns', value: order.names[0] },
      challenges: [
        {
          type: 'http-01',
          url: `${this.directory}challenge/${number}`,
          token,
          ...(status === 'invalid' ? { error } : {}),
        },
      ],
    }
  }

  async #signed(csr: string): Promise<string> {
    if (this.#issuer === undefined) throw new Error('the authority has not started')
    const { keys, certificate } = this.#issuer
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'))
    const names = request.getExtension('2.5.29.17')
    const now = this.#clock.now()
    const leaf = await x509.X509CertificateGenerator.create({
      serialNumber: randomBytes(16).toString('hex'),
      issuer: certificate.subjectName,
      notBefore: new Date(now),
      notAfter: new Date(now + 90 * dayMs),
      signingAlgorithm: signing,
      publicKey: await request.publicKey.export(),
      signingKey: keys.privateKey,
      extensions: [
        ...(names ? [names] : []),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return `${leaf.toString('pem')}\n${certificate.toString('pem')}\n`
  }
}

async function newIssuer(now: number) {
  const keys = await crypto.subtle.generateKey(signing, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Fake Authority',
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + 3650 * dayMs),
    signingAlgorithm: signing,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { keys, certificate }
}

function readJws(text: string): {
  readonly jwk: object | undefined
  readonly payload: Record<string, unknown>
} {
  const { protected: header, payload } = JSON.parse(text)
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  return { jwk: decoded(header).jwk, payload: decoded(payload) }
}
