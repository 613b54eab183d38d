import { createServer, type Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { Challenges } from '@palisade/acme-challenges'
import { createLog } from '@palisade/log'
import {
  type SnapshotService,
  type StoredRequest,
  storedTrafficMax,
  type TriedVerdict,
} from '@palisade/proxy-protocol'
import type { CollectionStorage } from '@palisade/seclang'
import { Exchange } from '../exchange/exchange.ts'
import type { RuleSets } from '../inspection/rule-sets.ts'
import { violationEntries } from '../logs/violation-entries.ts'
import type { Policies } from '../policy/policies.ts'
import { ServiceMemory } from '../policy/traffic-memory.ts'
import { BodyRoom } from '../rate-control/body-room.ts'
import { answersBytesMax, MemoryRoom, messagesBytesMax } from '../rate-control/memory-room.ts'
import { ServerPools } from '../servers/server-pool.ts'
import { carryRequest } from '../traffic/carry-request.ts'
import { ServiceRuntime } from '../traffic/service-runtime.ts'

/** A request that takes longer to be judged is not counted. */
const requestMaxMs = 5_000

/** What is answered with the end of the connection is told a moment later. */
const endMs = 100

const headersSizeMax = 64 * 1024

/** What frames a message, and is written anew; and what a connection of its own has no use for. */
const leftOut = /^(?:content-length|transfer-encoding|content-encoding|expect|connection|upgrade)$/i

/** What the requests of a trial are judged with. */
export interface TrialSurroundings {
  readonly rules: RuleSets
  readonly policies: Policies
  readonly storage: CollectionStorage
}

/** A service that judges stored requests, one after the other, as a proxy carries them: its server answers everything. */
export class TrialRun {
  readonly #runtime: ServiceRuntime
  readonly #http: Server
  #onJudged: (verdict: TriedVerdict) => void = () => undefined

  constructor(service: SnapshotService, { rules, policies, storage }: TrialSurroundings) {
    const nothing = () => undefined
    this.#runtime = new ServiceRuntime(
      service,
      {
        pools: new ServerPools(Date.now, nothing),
        rules,
        bodyRoom: new BodyRoom({ bytesMax: 64 * 1024 * 1024, waitMaxMs: requestMaxMs }),
        answerRoom: new MemoryRoom(answersBytesMax),
        log: createLog('silent'),
        now: Date.now,
        onNews: nothing,
        onExchange: nothing,
        onRefusedConnection: nothing,
      },
      {
        policyOf: (digest) => policies.of(digest),
        memory: new ServiceMemory(service.name, {
          clients: storage,
          logIns: storage,
          bindings: storage,
          logouts: storage,
          services: storage,
        }),
        requestPool: undefined,
        challenges: new Challenges(),
        messageRoom: new MemoryRoom(messagesBytesMax),
      },
    )
    this.#http = createServer(
      { maxHeaderSize: headersSizeMax, requireHostHeader: false },
      (request, response) => {
        const exchange = new Exchange(request, response, this.#runtime, this.#runtime.judges.own)
        response.once('close', () => {
          exchange.leave()
          this.#onJudged(this.#verdictOf(exchange))
        })
        void carryRequest(exchange, this.#runtime)
      },
    )
  }

  /** @returns undefined for a request that cannot be sent again, or takes too long */
  async judge(request: StoredRequest): Promise<TriedVerdict | undefined> {
    const [client, server] = duplexPair()
    const verdict = new Promise<TriedVerdict | undefined>((resolve) => {
      this.#onJudged = resolve
      const timer = setTimeout(() => resolve(undefined), requestMaxMs)
      // What is no request at all is answered by the parser, which then ends the connection.
      client
        .on('end', () => setTimeout(() => resolve(undefined), endMs))
        .on('error', () => resolve(undefined))
      client.resume()
      server.once('close', () => clearTimeout(timer))
    })
    this.#http.emit('connection', asClient(server, request, this.#runtime.service))
    client.write(bytesOf(request), 'latin1')
    const judged = await verdict
    client.destroy()
    server.destroy()
    return judged
  }

  #verdictOf(exchange: Exchange): TriedVerdict {
    const passes = exchange.sentAt !== undefined
    const entries = violationEntries(exchange, this.#runtime.masking)
    const telling = entries.filter(({ attack }) => attack !== 'second-opinion' || passes)
    return {
      passes,
      findings: telling.slice(0, storedTrafficMax.findings).map((entry) => ({
        rule: String(entry.rule ?? ''),
        target: String(entry['rule-target'] ?? ''),
        attack: String(entry.attack ?? '').slice(0, 300),
        detail: String(entry['attack-detail'] ?? '').slice(0, 500),
      })),
    }
  }
}

/** Gives a stream what a client's socket says of the two ends. */
function asClient(stream: Duplex, request: StoredRequest, { address, port }: SnapshotService): Duplex {
  return Object.assign(stream, {
    remoteAddress: request.clientAddress,
    remotePort: 1_024,
    localAddress: address,
    localPort: port,
    ...(request.isSecure ? { encrypted: true } : {}),
  })
}

/** The request as it would come over a connection of HTTP/1. */
function bytesOf({ method, target, httpVersion, headers, body }: StoredRequest): string {
  const lines = [`${method} ${target} HTTP/${httpVersion === '1.0' ? '1.0' : '1.1'}`]
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!leftOut.test(name)) lines.push(`${name}: ${headers[index + 1]}`)
  }
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
