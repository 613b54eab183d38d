import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type {
  SnapshotAction,
  SnapshotInspection,
  SnapshotPolicy,
  SnapshotServer,
  SnapshotService,
} from '@palisade/proxy-protocol'
import type { Interruption, RuleExclusions, Transaction } from '@palisade/seclang'
import type { Answer, RequestBody } from './answer.ts'
import { type ClientRequest, type ClientResponse, headersOf } from './client-message.ts'
import type { FormEvidence } from './form-evidence.ts'
import type { RequestTrace } from './request-trace.ts'

/** What was wrong with a request or its answer, besides what rules found. */
export interface Violation {
  /** As policies name it, such as `url-length-exceeded`. */
  readonly attack: string
  /** As the web firewall log groups attacks; as the policy says by default. */
  readonly category?: string
  /** A sentence, without anything that the client sent and no log may show. */
  readonly detail: string
  /** What was done about it; the request was denied by default. */
  readonly action?: 'DENY' | 'LOG' | 'REDIRECT' | 'CLOAK'
  /** 0 is the gravest, 7 the least grave, as syslog numbers them; 1 where the request was denied and 4 otherwise by default. */
  readonly severity?: number
  /** What becomes of the client's further requests, in words. */
  readonly followUp?: string
  /** The rule that was broken, where it has a name of its own. */
  readonly rule?: string
}

/** A client's connection that may become something else than HTTP. */
export interface Upgrade {
  readonly socket: Duplex
  /** What came behind the request's headers. */
  readonly head: Buffer
}

/** The client that a load balancer names in its PROXY header. */
export interface ProxiedClient {
  readonly address: string
  readonly port: number
  /** Whether the client counts as the one who has connected; otherwise the address counts as that of a forwarded header. */
  readonly isTrusted: boolean
}

/** The service that a request is for, as far as its exchange is asked about that. */
export interface ExchangeRuntime {
  readonly service: SnapshotService
  readonly memory: ClientMemory
  /** The country of an address, by its code; undefined where that is not known. */
  countryOf?(address: string): string | undefined
  /** In milliseconds since 1970. */
  now(): number
}

/** What is remembered of the clients of a service from one request to the next. */
export interface ClientMemory {
  /** Remembers a text until then; milliseconds since 1970. */
  remember(key: string, expiresAt: number, text?: string): void
  /** What is remembered; undefined for nothing. @param now in milliseconds since 1970 */
  recall(key: string, now: number): string | undefined
}

/** What a request is judged by, as far as its exchange is asked about that. */
export interface ExchangeJudge {
  /** That of the content rule; empty for the service itself. */
  readonly name: string
  readonly mode: SnapshotInspection['mode']
  readonly policy: ExchangePolicy
}

/** What follows attacks. */
export interface ExchangePolicy {
  /** Undefined where everything that is found is refused with a page of our own. */
  readonly snapshot: SnapshotPolicy | undefined
  /** Whether the policy knows the attack by this name. */
  knows(attack: string): boolean
  actionFor(attack: string): SnapshotAction
  /** How a client is answered whose request is refused for the attack. */
  answerTo(attack: string, exchange: Exchange): Answer
}

/** Somebody who has logged in. */
export interface User {
  readonly name: string
  readonly groups: readonly string[]
}

/** Reads a request's body from its beginning, up to a limit in bytes. To be called once. */
export type BodyReader = (limitBytes: number) => Promise<RequestBody>

/** Ends what a server is doing for a request. */
export interface AbortHandle {
  abort(reason: Error): void
}

/** One request with its response on their way, and what becomes known of them until both are logged. */
export class Exchange {
  readonly id = randomUUID()
  readonly request: ClientRequest
  readonly response: ClientResponse
  /** Present when the client asks for a WebSocket, and may have one. */
  readonly upgrade: Upgrade | undefined
  /** Whether its connection has become a WebSocket. */
  isTunnel = false
  readonly runtime: ExchangeRuntime
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** Filters may know it better, from what a proxy before us tells. */
  clientAddress: string
  /** The address of whoever is connected to us: the client, or a proxy before us. */
  readonly peerAddress: string
  readonly clientPort: number
  readonly localAddress: string
  readonly localPort: number
  readonly isSecure: boolean
  /** Who judges it: the service, or the content rule that takes it. May be another one while its address is made plain. */
  judge: ExchangeJudge
  /** What the rules leave out. */
  exclusions: RuleExclusions | undefined
  /** What they leave out besides, whatever policies and profiles say. */
  exceptions: RuleExclusions | undefined
  /** Present while the request is inspected. */
  transaction: Transaction | undefined
  /** What ended it, where rules did. */
  interruption: Interruption | undefined
  readonly violations: Violation[] = []
  /** Path and query as rules and server see it; filters may change it. */
  target: string
  /** Names and values in turn, as rules and server see them; filters may put others in their place. */
  headers: readonly string[]
  /** What the client's encrypted address stands for, path and query; undefined where it sent a plain one. */
  decryptedTarget: string | undefined
  /** What shows from which page it comes; undefined where forms are not sealed. */
  formEvidence: FormEvidence | undefined
  /** The parameter that links got here, which no log shows; undefined where they get none. */
  ownParameter: string | undefined
  /** Whether its answer is for this client alone, whatever it says. */
  isAnswerPersonal = false
  /** Who has logged in; undefined for nobody, and where nobody has to. */
  user: User | undefined
  /** Present where filters have to wait for something: what the client gets then, and undefined where its request goes on. */
  waiting: ((read: BodyReader) => Promise<Answer | undefined>) | undefined
  /** Whether its answer was compressed on the way to the client. */
  isCompressed = false
  /** Whether it was answered with a kept answer, which another client had got before. */
  isFromCache = false
  /** Whether it goes into the access log: as the service says, or the content rule whose servers get it. */
  logsAccess: boolean
  /** The server that got it last; undefined when none did. */
  server: SnapshotServer | undefined
  /** When the request was handed to a server, and when its answer began; milliseconds since 1970. */
  sentAt: number | undefined
  answeredAt: number | undefined
  bytesReceived = 0
  /** The body as it was judged, without its content coding; present where requests are kept, and this one may be. */
  judgedBody: Buffer | undefined
  /** Bytes of the request's body that were read. */
  bytesTaken = 0
  bytesSent = 0
  /** Ends its waiting, or gives back the turn that it got. */
  leaveTurn: (() => void) | undefined
  /** Gives its part of the room for bodies back, where it has asked for one. */
  leaveBodyRoom: (() => void) | undefined
  /** Present while a server may be doing something for it. */
  serverAbort: AbortHandle | undefined
  /** Present where the request is recorded. */
  trace: RequestTrace | undefined
  #modeMax: SnapshotInspection['mode'] = 'active'
  #isGone = false
  #waitsForBody: boolean

  /**
   * @param judge who judges it until another one is chosen
   * @param proxiedClient where a load balancer has named the client in a PROXY header
   */
  constructor(
    request: ClientRequest,
    response: ClientResponse,
    runtime: ExchangeRuntime,
    judge: ExchangeJudge,
    upgrade?: Upgrade,
    proxiedClient?: ProxiedClient,
  ) {
    const { socket } = request
    this.request = request
    this.response = response
    this.upgrade = upgrade
    this.runtime = runtime
    this.judge = judge
    this.startedAt = runtime.now()
    this.logsAccess = runtime.service.logsAccess
    this.target = request.url ?? '/'
    this.headers = headersOf(request)
    const peer = proxiedClient?.isTrusted ? proxiedClient : undefined
    this.peerAddress = peer?.address ?? plainAddress(socket.remoteAddress)
    this.clientAddress = proxiedClient?.address ?? this.peerAddress
    this.clientPort = peer?.port ?? socket.remotePort ?? 0
    this.localAddress = plainAddress(socket.localAddress)
    this.localPort = socket.localPort ?? 0
    this.#waitsForBody = request.headers.expect?.toLowerCase() === '100-continue' && knowsProvisional(request)
    this.isSecure = 'encrypted' in socket
  }

  /** How strictly this request is met: as its judge says, or more mildly where a filter decides so. */
  get mode(): SnapshotInspection['mode'] {
    return milder(this.judge.mode, this.#modeMax)
  }

  /** Is met no more strictly than this from now on, whoever judges it. */
  set mode(mode: SnapshotInspection['mode']) {
    this.#modeMax = milder(mode, this.#modeMax)
  }

  /** With which the client was answered; undefined while nothing was sent. */
  get status(): number | undefined {
    if (this.isTunnel) return 101
    return this.response.headersSent ? this.response.statusCode : undefined
  }

  /** Whether nobody waits for the response any more. To be asked after every wait. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** Whether it is met more mildly than its judge says, as those of trusted clients are. */
  get isMetMildly(): boolean {
    return this.#modeMax !== 'active'
  }

  /** Lets a client send its body that waits to be asked for it. */
  askForBody(): void {
    if (!this.#waitsForBody) return
    this.#waitsForBody = false
    this.response.writeContinue()
  }

  /** Called once, when the response was sent or the client has gone away. */
  leave(): void {
    this.#isGone = true
    this.leaveTurn?.()
    this.leaveBodyRoom?.()
    this.serverAbort?.abort(new Error('the client has gone away'))
    this.trace?.end({ status: this.status, violations: this.violations.length })
  }
}

/** HTTP/1.0 has no provisional answers (RFC 9110, section 15.2): such a client would take one for the answer. */
function knowsProvisional({ httpVersion }: ClientRequest): boolean {
  return httpVersion !== '1.0'
}

function milder(
  one: SnapshotInspection['mode'],
  other: SnapshotInspection['mode'],
): SnapshotInspection['mode'] {
  if (one === 'off' || other === 'off') return 'off'
  return one === 'active' ? other : one
}

/** IPv4 clients of a socket for both versions look like IPv6 ones. */
export function plainAddress(address = ''): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
