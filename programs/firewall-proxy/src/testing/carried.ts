import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { TestContext } from 'node:test'
import { createLog } from '@palisade/log'
import type { LearntUrl, SnapshotPolicy, SnapshotServer, SnapshotService } from '@palisade/proxy-protocol'
import { freePort } from '@palisade/start-up/testing'
import type { Exchange } from '../exchange/exchange.ts'
import type { RuleSets } from '../inspection/rule-sets.ts'
import { Masking } from '../logs/masking.ts'
import type { InspectionResult, RefusedConnection } from '../logs/violation-entries.ts'
import { BodyRoom, type BodyRoomLimits } from '../rate-control/body-room.ts'
import { answersBytesMax, MemoryRoom } from '../rate-control/memory-room.ts'
import { ServerPools } from '../servers/server-pool.ts'
import { DataPlane } from '../serving/data-plane.ts'

/** A data plane in this process, on loopback, with what it told about its traffic. */
export interface Carried {
  readonly plane: DataPlane
  readonly port: number
  readonly service: SnapshotService
  readonly bodyRoom: BodyRoom
  readonly exchanges: Exchange[]
  /** What masks them in logs. */
  readonly masking: Masking
  readonly refused: RefusedConnection[]
  /** What was found in messages over WebSockets. */
  readonly found: InspectionResult[]
}

/** What a test says of the service that it needs; the rest is chosen for it. */
export interface GivenService {
  readonly application: RequestListener
  readonly rules?: RuleSets
  readonly service?: Partial<SnapshotService>
  /** Told what is learnt. */
  readonly onLearnt?: (learnt: LearntUrl) => void
  /** Ample by default. */
  readonly bodies?: BodyRoomLimits
  /** How much may wait for clients, in bytes. Ample by default. */
  readonly answersBytesMax?: number
  /** Without one, everything that is found is refused with a page of our own. */
  readonly policy?: SnapshotPolicy
  /** Of content rules, by digest. */
  readonly otherPolicies?: Readonly<Record<string, SnapshotPolicy>>
}

/** Carries one service until the test has ended. */
export async function carried(t: TestContext, options: GivenService): Promise<Carried> {
  const application = createServer(options.application)
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  const exchanges: Exchange[] = []
  const refused: RefusedConnection[] = []
  const found: InspectionResult[] = []
  const bodyRoom = new BodyRoom(options.bodies ?? { bytesMax: 128 * 1024 * 1024, waitMaxMs: 30_000 })
  const plane = new DataPlane({
    pools: new ServerPools(Date.now, () => undefined),
    rules: options.rules ?? { problem: 'The test has no rules.' },
    bodyRoom,
    answerRoom: new MemoryRoom(options.answersBytesMax ?? answersBytesMax),
    log: createLog('silent'),
    sharesAddresses: false,
    now: Date.now,
    onNews: () => undefined,
    onExchange: (exchange) => exchanges.push(exchange),
    onMessage: (_, __, one) => found.push(one),
    onLearnt: options.onLearnt ?? (() => undefined),
    onRefusedConnection: (connection) => refused.push(connection),
  })
  t.after(async () => {
    application.closeAllConnections()
    application.close()
    await plane.close()
  })
  const port = await freePort()
  const service: SnapshotService = {
    name: 'shop',
    address: '127.0.0.1',
    port,
    does: 'forward',
    inspection: { mode: 'passive' },
    idleTimeoutSeconds: 60,
    requestsPerConnectionMax: 0,
    servers: [serverAt((application.address() as AddressInfo).port, { responseTimeoutMs: 1_000 })],
    balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
    contentRules: [],
    allowsWebSockets: false,
    maskedParameters: [],
    logsAccess: true,
    ...(options.policy ? { policy: 'own' } : {}),
    ...options.service,
  }
  const policies = { ...(options.policy ? { own: options.policy } : {}), ...options.otherPolicies }
  await plane.apply({ services: [service], policies })
  const masking = new Masking(service.maskedParameters)
  return { plane, port, service, bodyRoom, exchanges, masking, refused, found }
}

/** A server on loopback as snapshots have it. */
export function serverAt(port: number, settings: Partial<SnapshotServer> = {}): SnapshotServer {
  return {
    name: 'one',
    host: '127.0.0.1',
    port,
    state: 'in-service',
    isBackup: false,
    weight: 1,
    offersHttp2: false,
    connectionsMax: 0,
    requestsPerConnectionMax: 0,
    keepAliveMs: 10_000,
    responseTimeoutMs: 5_000,
    health: { refusedMax: 0, timeoutsMax: 0, httpErrorsMax: 0, otherFailuresMax: 0 },
    ...settings,
  }
}

/**
 * Sends bytes and gives what came back until the connection ended, or nothing more came for a moment: a long one where the end was asked
 * for.
 */
export function exchangeBytes(
  port: number,
  bytes: string,
  quietMs = bytes.includes('Connection: close') ? 2_000 : 50,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let reply = ''
    let quiet = setTimeout(() => socket.destroy(), 2_000)
    socket.setEncoding('latin1').on('data', (text) => {
      reply += text
      clearTimeout(quiet)
      quiet = setTimeout(() => socket.destroy(), quietMs)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(quiet)
      resolve(reply)
    })
    socket.write(bytes, 'latin1')
  })
}
