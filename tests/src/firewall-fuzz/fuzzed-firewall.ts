import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { ExistingName, type GeneratedBody } from './bodies.ts'
import { type DescribedOperation, describedOperations, type OpenApiDocument } from './described-operations.ts'
import { DocumentedReplies } from './documented-replies.ts'
import { KnownNames } from './known-names.ts'
import { type Credentials, type GeneratedRequest, requestsFor, validRequestsFor } from './requests.ts'

/** Something that should not have happened, with what led to it. */
export interface Finding {
  readonly seed: number
  /** Which request of the seed it was; below zero for those that come before, which create what is needed. */
  readonly index: number
  readonly operation: string
  readonly request: string
  readonly reply: string
  readonly faults: readonly string[]
}

/** What a run of requests came to. */
export interface Outcome {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  /** The operations that were answered with 2xx at least once. */
  readonly succeeded: ReadonlySet<string>
  readonly findings: readonly Finding[]
  /** The slowest requests, slowest first. */
  readonly slowest: readonly { readonly request: string; readonly ms: number }[]
}

/** More objects than these are taken away again, oldest first, so that a long run does not only get slower. */
const createdMax = 600

/** How often it is tried to create the first object of a kind. */
const attemptsMax = 6

/** Operations that make the server speak to other machines, which are none of ours. */
const reachesOut = /test-connection/

const slowestKept = 5

/** How much of a request or a reply a finding shows. */
const shownLengthMax = 600

interface Reply {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly json: Readonly<Record<string, unknown>> | undefined
}

/** An address in which names stand, and which of them are thought to be there. */
interface FilledPath {
  readonly path: string
  readonly existing: readonly { readonly collection: string; readonly name: string }[]
}

/**
 * One served firewall to which generated requests are sent, one after the other, so that what they change
 * accumulates. It learns from replies what is there.
 */
export class FuzzedFirewall {
  readonly #baseUrl: string
  readonly #login: { readonly username: string; readonly password: string }
  readonly #operations: readonly DescribedOperation[]
  readonly #requestsToSend: fc.Arbitrary<GeneratedRequest>
  readonly #replies: DocumentedReplies
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  readonly #names = new KnownNames()
  #token = ''
  #newestToken = ''
  readonly #statuses: Record<string, number> = {}
  readonly #succeeded = new Set<string>()
  readonly #findings: Finding[] = []
  #slowest: { readonly request: string; readonly ms: number }[] = []
  #requests = 0

  /**
   * @param options where the firewall is, its own description of its API, and an administrator who may do everything;
   *   requests that would take his account from him are left out
   */
  constructor(options: {
    readonly baseUrl: string
    readonly document: OpenApiDocument
    readonly login: { readonly username: string; readonly password: string }
  }) {
    this.#baseUrl = options.baseUrl
    this.#login = options.login
    this.#operations = describedOperations(options.document).filter(({ path }) => !reachesOut.test(path))
    this.#requestsToSend = requestsFor(this.#operations)
    this.#replies = new DocumentedReplies(options.document)
  }

  get operations(): readonly DescribedOperation[] {
    return this.#operations
  }

  get outcome(): Outcome {
    return {
      requests: this.#requests,
      statuses: this.#statuses,
      succeeded: this.#succeeded,
      findings: this.#findings,
      slowest: this.#slowest,
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Sends the requests of a seed. The same seed on a fresh server sends the same ones. */
  async run(seed: number, requests: number): Promise<void> {
    await this.#logIn()
    await this.#learn()
    await this.#populate(seed)
    const generated = fc.sample(this.#requestsToSend, { seed, numRuns: requests })
    for (const [index, request] of generated.entries()) {
      await this.#send(request, { seed, index })
      if (this.#names.createdCount > createdMax) await this.#takeAway()
    }
  }

  async #logIn(): Promise<void> {
    const body = Buffer.from(JSON.stringify(this.#login))
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const { json, text } = await this.#exchange('POST', '/restapi/v3.2/login', headers, body)
    if (typeof json?.token !== 'string') throw new Error(`the login was refused: ${text}`)
    this.#token = json.token
    this.#newestToken = json.token
  }

  /** Reads every list that lies in nothing else. */
  async #learn(): Promise<void> {
    const lists = this.#operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    for (const { path } of lists) {
      const reply = await this.#exchange('GET', path, this.#authorization('token'))
      this.#remember(path, path, 'GET', reply)
    }
  }

  /** Sees to it that there is an object of each kind, as far as documented requests are taken. */
  async #populate(seed: number): Promise<void> {
    const creations = this.#operations.filter(
      ({ method, path }) => method === 'POST' && this.#kindIn(path) !== undefined,
    )
    for (const operation of creations.sort((a, b) => a.path.split('/').length - b.path.split('/').length)) {
      const attempts = fc.sample(validRequestsFor(operation), { seed, numRuns: attemptsMax })
      for (const [index, attempt] of attempts.entries()) {
        const { path } = this.#pathOf(attempt)
        if (this.#names.namesIn(path).length > 0) break
        await this.#send(attempt, { seed, index: -1 - index })
      }
    }
  }

  async #takeAway(): Promise<void> {
    const address = this.#names.takeOldest()
    if (address !== undefined) await this.#exchange('DELETE', address, this.#authorization('token'))
  }

  async #send(request: GeneratedRequest, at: { seed: number; index: number }): Promise<void> {
    const { operation, query, credentials } = request
    const { path, existing } = this.#pathOf(request)
    if (this.#takesAccountAway(operation, path)) return
    const target = query === '' ? path : `${path}?${query}`
    const { bytes, contentType } = this.#bytesOf(request.body)
    const headers = {
      ...this.#authorization(credentials),
      ...(bytes ? { 'content-type': contentType, 'content-length': String(bytes.length) } : {}),
    }
    const startedAt = performance.now()
    const reply = await this.#exchange(operation.method, target, headers, bytes)
    const ms = performance.now() - startedAt
    const line = `${operation.method} ${target.slice(0, shownLengthMax)} ${(bytes ?? '').toString().slice(0, shownLengthMax)}`
    this.#count(operation, reply, ms, line)
    const faults = this.#faultsOf(request, path, reply)
    if (faults.length > 0) {
      const answer = `${reply.status} ${reply.text.slice(0, shownLengthMax)}`
      this.#findings.push({ ...at, operation: operation.id, request: line, reply: answer, faults })
    }
    if (reply.status === 404) this.#forget(existing, String(reply.json?.msg))
    this.#remember(operation.path, path, operation.method, reply)
    if (reply.status === 401 && credentials === 'token') await this.#logIn()
  }

  #count({ id }: DescribedOperation, { status }: Reply, ms: number, request: string): void {
    this.#requests++
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    if (status < 300) this.#succeeded.add(id)
    this.#slowest = [...this.#slowest, { request, ms }].sort((a, b) => b.ms - a.ms).slice(0, slowestKept)
  }

  #faultsOf({ operation, credentials }: GeneratedRequest, path: string, reply: Reply): string[] {
    const { status, json } = reply
    const isDecodable = decodedOrNot(path) !== undefined
    const isSession = /\/(login|logout)$/.test(operation.path)
    const isKnown = credentials === 'token' || credentials === 'newest token'
    // What cannot be decoded is refused before anything is known about the request.
    if (!isDecodable) return status === 400 ? [] : ['an address that cannot be decoded is no bad request']
    return [
      ...(status >= 500 ? ['the server failed'] : []),
      ...(json === undefined && reply.contentType.startsWith('application/json')
        ? ['the reply is no JSON']
        : []),
      ...(isKnown && !isSession && status !== 401 && json && typeof json.token !== 'string'
        ? ['no token']
        : []),
      ...(!isKnown && !operation.path.endsWith('/login') && ![401, 400].includes(status)
        ? [`answered without a token`]
        : []),
      ...this.#replies.faultsOf(operation, status, reply.contentType, reply.text),
    ]
  }

  /** The address, with the names that are there where existing ones are asked for. */
  #pathOf({ operation, names, version, isUnderscored }: GeneratedRequest): FilledPath {
    const existing: { collection: string; name: string }[] = []
    let path = ''
    let nameIndex = 0
    for (const segment of operation.path.split('/').slice(1)) {
      if (!segment.startsWith('{')) {
        path += `/${isUnderscored ? segment.replaceAll('-', '_') : segment}`
        continue
      }
      const fieldName = names[nameIndex++]
      const collection = canonical(path)
      const collectionNames = this.#names.namesIn(collection)
      const name =
        fieldName?.type === 'existing'
          ? collectionNames[fieldName.index % Math.max(1, collectionNames.length)]
          : undefined
      if (name !== undefined) existing.push({ collection, name })
      path += `/${fieldName?.type === 'given' ? fieldName.segment : encodeURIComponent(name ?? 'default')}`
    }
    return { path: path.replace('/v3.2/', `/${version}/`), existing }
  }

  #bytesOf(body: GeneratedBody | undefined): { bytes: Buffer | undefined; contentType: string } {
    if (body === undefined) return { bytes: undefined, contentType: '' }
    if (body.type === 'raw') return body
    const text = JSON.stringify(body.value, (_member, value) =>
      value instanceof ExistingName ? this.#nameFor(value) : value,
    )
    return { bytes: Buffer.from(text), contentType: 'application/json' }
  }

  #nameFor({ kinds, index }: ExistingName): string {
    const names = this.#names.namesOf(kinds)
    return names[index % Math.max(1, names.length)] ?? 'default'
  }

  #authorization(credentials: Credentials): Record<string, string> {
    if (credentials === 'none') return {}
    const token = credentials === 'newest token' ? this.#newestToken : this.#token
    const sent = credentials === 'damaged' ? `${token.slice(0, 40)}A${token.slice(41)}x` : token
    return { authorization: `Basic ${Buffer.from(`${sent}:`).toString('base64')}` }
  }

  #takesAccountAway({ method }: DescribedOperation, path: string): boolean {
    const name = decodedOrNot(path.split('/')[4] ?? '')?.trim()
    return method !== 'GET' && /\/users\//.test(path) && name === this.#login.username
  }

  /** Learns which objects are there from a list, a creation or a deletion. */
  #remember(template: string, sentPath: string, method: string, { status, json }: Reply): void {
    if (status >= 300 || json === undefined) return
    const path = canonical(sentPath)
    if (typeof json.token === 'string') this.#newestToken = json.token
    const kind = this.#kindIn(template)
    if (method === 'GET' && kind !== undefined) this.#names.add(path, kind, Object.keys(Object(json.data)))
    if (method === 'POST' && kind !== undefined && typeof json.id === 'string') {
      this.#names.addCreated(path, kind, json.id)
    }
    const [, collection = '', name = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? []
    if (method === 'DELETE') this.#names.remove(collection, decodedOrNot(name) ?? name)
  }

  /** A reply that says what is not there names it in quotes. */
  #forget(existing: FilledPath['existing'], message: string): void {
    for (const { collection, name } of existing) {
      if (message.includes(JSON.stringify(name))) this.#names.remove(collection, name)
    }
  }

  /** The kind whose objects lie at the address; undefined when it is no collection. */
  #kindIn(template: string): string | undefined {
    const item = this.#operations.find(
      ({ path }) => path.startsWith(`${template}/{`) && path.indexOf('/', template.length + 1) === -1,
    )
    return item?.path
      .slice(template.length + 2, -1)
      .replace(/_id$/, '')
      .replaceAll('_', '-')
  }

  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: Buffer,
  ): Promise<Reply> {
    const request = http.request(`${this.#baseUrl}`, { method, path, headers, agent: this.#agent })
    request.end(body)
    const [response]: http.IncomingMessage[] = await once(request, 'response')
    if (response === undefined) throw new Error('no response came')
    const reply = await text(response)
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'] ?? '',
      text: reply,
      json: membersOf(reply),
    }
  }
}

/** The address as the document spells it, whatever the version and the spelling. */
function canonical(path: string): string {
  return path.replace(/\/v3(\.1)?\//, '/v3.2/').replaceAll('_', '-')
}

function membersOf(reply: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(reply)
    return typeof value === 'object' && value !== null ? Object(value) : undefined
  } catch {
    return undefined
  }
}

function decodedOrNot(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
