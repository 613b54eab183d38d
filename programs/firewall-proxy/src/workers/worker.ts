import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import {
  type ProxySnapshot,
  type ReportedService,
  type SnapshotDifference,
  type StoredRequest,
  wholeSnapshot,
} from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { AddressData } from '../address-data/address-data.ts'
import type { ProxyConfiguration } from '../configuration.ts'
import { CredentialKnowledge } from '../credentials/credential-knowledge.ts'
import { loadRuleSets, type RuleSets, reportOf } from '../inspection/rule-sets.ts'
import { LearntTraffic } from '../management/learnt-traffic.ts'
import { serviceChanges } from '../management/service-changes.ts'
import { addressFolderOf, revocationFolderOf } from '../management/state-directory.ts'
import { BodyRoom } from '../rate-control/body-room.ts'
import { answersBytesMax, MemoryRoom } from '../rate-control/memory-room.ts'
import { RevocationLists } from '../revocation/revocation-lists.ts'
import { ServerPools } from '../servers/server-pool.ts'
import { DataPlane } from '../serving/data-plane.ts'
import type { ListeningSocket } from '../serving/listening-sockets.ts'
import { limitStop } from '../stop-deadline.ts'
import { TrafficSample } from '../stored-traffic/traffic-sample.ts'
import { Batch } from './batch.ts'
import { Counting } from './counting.ts'
import { HandedSockets } from './handed-sockets.ts'
import type { FromWorker, StoredChanges, ToWorker } from './messages.ts'
import { SharedCollections } from './shared-collections.ts'
import { TrafficCounting } from './traffic-counting.ts'
import { TrafficLog } from './traffic-log.ts'
import { WrittenWorkMark } from './work-mark.ts'

/** How often a worker looks whether its primary process is there. */
const lookMs = 200

/** Log entries and changes of collections wait so long for others, so that a message carries many. */
const batchMs = 50

/** Elsewhere the primary process accepts connections and hands them out. */
const isLinux = process.platform === 'linux'

/** How often figures are told, and what was learnt. */
const figuresMs = 1_000

/** When a worker ends, connections may bring one more request for so long: it was on its way, perhaps. */
const idleMs = 1_000

/** A worker whose primary process is gone serves for so long, unless the next primary process ends it before. */
const orphanMaxMs = 30_000

/**
 * Carries traffic as the primary process says, until it says `stop` or the signal is aborted. Ends when the last request has ended and
 * everything was told, and in any case soon.
 *
 * When the primary process is gone, a worker that serves goes on with the snapshot that it has until the workers of the next one serve,
 * which ends it, or for half a minute. What it would tell meanwhile is lost: log entries, figures, what was learnt and what rules store.
 * One that does not serve ends at once, and so does every one where it is the primary process that accepts connections.
 */
export async function runWorker(
  configuration: ProxyConfiguration,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const changes = new Batch<StoredChanges>(batchMs, (all) => tell({ type: 'collections', changes: all }))
  const collections = new SharedCollections((change) => changes.add(change))
  let rules = loadRuleSets(configuration.rules, collections)
  const addressData = new AddressData(addressFolderOf(configuration))
  const revocationLists = new RevocationLists(revocationFolderOf(configuration))
  const credentialKnowledge = new CredentialKnowledge(
    configuration.stolenPasswordsFile,
    configuration.credential,
  )
  let problemOfPasswords = credentialKnowledge.problem
  const statistics = new TrafficCounting()
  const trafficLog = new TrafficLog(batchMs, tell, (service, entries) => statistics.attacks(service, entries))
  const counting = new Counting()
  const stored = new Batch<StoredRequest>(batchMs, (requests) => tell({ type: 'stored', requests }))
  const sample = new TrafficSample((request) => stored.add(request))
  const mark = WrittenWorkMark.ofThisProcess()
  /** Whether its listeners are open, and to stay so. */
  let isServing = false
  const learnt = new LearntTraffic()
  const now = Date.now
  /** How services fare, as was told last: most snapshots change little of it, and there may be thousands of services. */
  let toldServices: readonly ReportedService[] = []
  const onNews = () => {
    const { services } = plane
    const changes = serviceChanges(toldServices, services)
    if (changes.services.length === 0 && changes.gone.length === 0) return
    toldServices = services
    tell({ type: 'services', ...changes })
  }
  const sockets = new HandedSockets(tell)
  const plane = new DataPlane(
    {
      pools: new ServerPools(now, onNews),
      rules,
      memory: {
        clients: collections.of('clients'),
        logIns: collections.of('logIns'),
        bindings: collections.of('bindings'),
        logouts: collections.of('logouts'),
        services: collections.of('services'),
      },
      addressData,
      revocationLists,
      credentialKnowledge,
      bodyRoom: new BodyRoom(configuration.bodies),
      answerRoom: new MemoryRoom(answersBytesMax),
      sharesAddresses: isLinux,
      sockets: isLinux ? sockets : undefined,
      log,
      now,
      onNews,
      onBegin: (service) => counting.begin(service),
      onWork: ({ id, runtime }) => mark?.write(id, runtime.service.name),
      onExchange: (exchange, masking) => {
        counting.end(exchange, now())
        statistics.ended(exchange, now())
        trafficLog.ended(exchange, masking, now())
        sample.ended(exchange, now())
      },
      onTunnel: (exchange, masking) => {
        statistics.add(exchange.runtime.service.name, 'websocket-upgrades')
        trafficLog.tunnelled(exchange, masking)
      },
      onMessage: (exchange, masking, found) => trafficLog.message(exchange, masking, found),
      onCount: (service, counter) => statistics.add(service, counter),
      onLearnt: (one) => learnt.take(one),
      onRefusedConnection: (refused) => trafficLog.refused(refused, now()),
    },
    { opensListeners: false },
  )
  // Its own way of seeing that the primary process is gone would end this one at once.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
    void primaryGone().then(() => {
      if (!isServing || !isLinux) return resolve()
      log.warn('the primary process is gone; this worker serves until the next one does')
      setTimeout(resolve, orphanMaxMs)
    })
    process.on('message', (message: ToWorker, socket?: ListeningSocket) => {
      if (message.type === 'stop') resolve()
      else if (message.type === 'load-rules') void loadRules()
      else if (message.type === 'load-address-data') loadAddressData()
      else if (message.type === 'load-revocation-lists') void loadRevocationLists()
      else if (message.type === 'collections') collections.take(message.changes)
      else if (message.type === 'socket') socket && sockets.receive(message.place, socket)
      else void serve(message)
    })
  })
  let last: ProxySnapshot | undefined
  const whole = (sent: ProxySnapshot | SnapshotDifference): ProxySnapshot => {
    last = wholeSnapshot(sent, last)
    if (last === undefined) throw new Error('it has not the snapshot that was changed')
    return last
  }
  const serve = async (message: Extract<ToWorker, { type: 'snapshot' | 'serve' }>) => {
    const { number } = message
    const isSpare = message.type === 'snapshot' && message.isSpare
    try {
      const applied = message.type === 'snapshot' ? plane.apply(whole(message.snapshot)) : undefined
      const opened = isSpare ? undefined : plane.openListeners()
      await applied
      await opened
      if (!isSpare) {
        // Nobody has listened to a spare.
        if (!isServing) toldServices = []
        isServing = true
        sockets.dropRest()
      }
      onNews()
      tell({ type: 'taken', number })
    } catch (error) {
      tell({ type: 'refused', number, reason: describe(error) })
    }
  }
  const loadRules = async () => {
    rules = replaced(rules, loadRuleSets(configuration.rules, collections))
    await plane.useRules(rules)
    onNews()
    tell({ type: 'rules', rules: reportOf(rules) })
  }
  const loadAddressData = () => {
    addressData.load()
    onNews()
  }
  const loadRevocationLists = async () => {
    revocationLists.load()
    await plane.useRevocationLists()
    onNews()
  }
  /** Services that need the list say in their status what is wrong with it. */
  const watchPasswords = () => {
    const { problem } = credentialKnowledge
    if (problem === problemOfPasswords) return
    problemOfPasswords = problem
    onNews()
  }
  const tellLearnt = () => {
    const urls = learnt.give()
    if (urls.length > 0) tell({ type: 'learnt', urls })
  }
  const tellCounted = () => {
    const counted = statistics.take(now())
    if (counted.length > 0) tell({ type: 'counted', counted })
  }
  const telling = setInterval(() => {
    tell({ type: 'figures', figures: counting.figures(plane.connections) })
    tellCounted()
    tellLearnt()
    watchPasswords()
  }, figuresMs).unref()
  tell({ type: 'ready', rules: reportOf(rules) })
  if (!signal.aborted) await stopped
  isServing = false
  limitStop()
  clearInterval(telling)
  // Whoever has connected by now is accepted before nobody is any more.
  await setImmediate()
  await plane.close({ idleMs })
  changes.flush()
  trafficLog.flush()
  stored.flush()
  tellCounted()
  tellLearnt()
  await leave()
}

/** Rules that cannot be loaded do not take the place of those that run. */
function replaced(before: RuleSets, after: RuleSets): RuleSets {
  if (!('problem' in after) || 'problem' in before) return after
  return { ...before, notice: `${after.problem} The rules of before go on.` }
}

/** Tells the primary process; what is told to one that is gone is lost, as is everything else then. */
function tell(message: FromWorker, socket?: Socket): void {
  if (process.connected) process.send?.(message, socket, undefined, () => undefined)
}

/** Ends the connection to the primary process when everything has been sent over it. */
async function leave(): Promise<void> {
  const { worker } = cluster
  if (worker === undefined || !worker.isConnected()) return
  const disconnected = once(worker, 'disconnect')
  worker.disconnect()
  await Promise.race([disconnected, primaryGone()])
}

/**
 * Ends when the primary process of this worker has gone, within a fifth of a second of it. Node's own `disconnect` is not enough: it does
 * not come while a socket that was sent to the primary process has not been acknowledged.
 */
async function primaryGone(): Promise<void> {
  while (process.connected) await pause(lookMs)
}
