import type { Log } from '@palisade/log'
import type { ProxySnapshot } from '@palisade/proxy-protocol'
import { describe, ownVersion } from '@palisade/start-up'
import { AddressFiles } from './address-data/address-files.ts'
import type { ProxyConfiguration } from './configuration.ts'
import { candidateRules } from './inspection/candidate-rules.ts'
import { BlocklistDownload } from './management/blocklist-download.ts'
import { ChangedReports } from './management/changed-reports.ts'
import { CountsCollector } from './management/counts-collector.ts'
import { Follower } from './management/follower.ts'
import { LearntCollector } from './management/learnt-collector.ts'
import { LogCollector } from './management/log-collector.ts'
import { ManagementLink } from './management/management-link.ts'
import { Reporting } from './management/reporting.ts'
import { RevocationListDownloads } from './management/revocation-list-downloads.ts'
import { RuleChoiceFile } from './management/rule-choice.ts'
import { SharedMemoryExchange } from './management/shared-memory-exchange.ts'
import { addressFolderOf, revocationFolderOf, StateDirectory } from './management/state-directory.ts'
import { StoredRequestsCollector } from './management/stored-requests-collector.ts'
import { Trials } from './trials/trials.ts'
import { WorkerFleet } from './workers/fleet.ts'
import { openMetrics } from './workers/metrics.ts'
import { sharedChangesOf } from './workers/shared-changes.ts'
import { WorkerRecords } from './workers/worker-records.ts'

/** The last entries, and what was learnt last, have this long to reach the management when the proxy ends. */
const lastFlushMs = 1_500

/**
 * Runs a proxy until the signal is aborted: serves what the last good snapshot says, then follows the management, and goes on
 * without it when it is away. The traffic itself is carried by workers. Those that a primary process before it has left behind, since
 * it was killed, serve until those of this one do.
 */
export async function runProxy(
  configuration: ProxyConfiguration,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  if (configuration.warning !== undefined) log.warn(configuration.warning)
  const state = await StateDirectory.open(configuration.stateDirectory)
  const records = new WorkerRecords(configuration.stateDirectory, log)
  signal.addEventListener('abort', () => void records.endOrphans())
  const link = new ManagementLink(configuration)
  const collector = new LogCollector(link, log)
  const counts = new CountsCollector(state.proxy, link, log)
  const learnt = new LearntCollector(link, log)
  const stored = new StoredRequestsCollector(link, log)
  const shared = new SharedMemoryExchange(link, log)
  const reporting = new Reporting()
  const onNews = () => reporting.wake()
  const fleet = new WorkerFleet({
    size: configuration.workers,
    hasSpare: configuration.spareWorker,
    records,
    log,
    onNews,
    onCollections: (changes) => shared.tell(sharedChangesOf(changes)),
    onCounted: (counted) => counts.take(counted),
    onLearnt: (urls) => learnt.take(urls),
    onStored: (requests) => stored.take(requests),
    onLogs: (access, webFirewall) => collector.take(access, webFirewall),
  })
  const shown = { version: ownVersion(import.meta.url), management: link }
  const metrics = configuration.metrics && (await openMetrics(configuration.metrics, fleet, collector, shown))
  const { choiceFile } = configuration.rules
  const ruleChoice = choiceFile === undefined ? undefined : await RuleChoiceFile.open(choiceFile)
  const addressFolder = addressFolderOf(configuration)
  const addressFiles = await AddressFiles.open(configuration.ipReputation, addressFolder, log)
  const blocklist = new BlocklistDownload(addressFolder, log)
  const revocationLists = new RevocationListDownloads(revocationFolderOf(configuration), log)
  await fleet.start()
  const tellRules = () => {
    const { rules } = fleet
    if (rules === undefined) return
    const { problem, notice, ...origin } = rules
    if (problem !== '') log.warn({ reason: problem }, 'nothing is inspected')
    else log.info(origin, 'requests are judged by these rules')
    if (notice !== '') log.warn({ reason: notice }, 'the rules work otherwise than they read')
  }
  tellRules()
  const onRuleChoice = async () => {
    await fleet.reloadRules()
    tellRules()
  }
  const apply = async (snapshot: ProxySnapshot) => {
    await fleet.apply(snapshot)
    blocklist.follow(snapshot)
    revocationLists.follow(snapshot)
  }
  const follower = new Follower({ state, link, plane: { apply }, log, onNews })
  const closeMetrics = () => {
    metrics?.close()
    metrics?.closeAllConnections()
  }
  try {
    await follower.begin()
  } catch (error) {
    // The workers, and whoever asks for figures, would keep a process that cannot go on.
    closeMetrics()
    await fleet.close()
    await link.close()
    throw error
  }
  // Those of a primary process that was killed have served until now.
  const orphansEnd = records.endOrphans()
  log.info(
    { proxy: state.proxy, version: follower.version, workers: configuration.workers },
    'carrying traffic',
  )
  const ruleSets = () => [...candidateRules(configuration.rules).keys()]
  const currentReport = () => ({
    proxy: state.proxy,
    version: follower.version,
    digest: follower.digest,
    problem: follower.problem,
    rulesProblem: fleet.rules?.problem ?? '',
    ...(fleet.rules === undefined ? {} : { rules: fleet.rules }),
    ruleSets: ruleSets(),
    services: fleet.services,
  })
  const reports = new ChangedReports(link, () => performance.now())
  const report = () => reports.send(currentReport(), signal)
  await Promise.all([
    follower.run(signal),
    ruleChoice?.follow(onRuleChoice, signal),
    addressFiles.follow(() => fleet.reloadAddressData(), signal),
    blocklist.run(() => fleet.reloadAddressData(), signal),
    revocationLists.run(() => fleet.reloadRevocationLists(), signal),
    reporting.run(report, log, signal),
    collector.run(signal),
    counts.run(signal),
    learnt.run(signal),
    stored.run(signal),
    shared.run((changes) => fleet.takeShared(changes), signal),
    new Trials({ link, log, areAsked: () => fleet.storesTraffic, ruleSets }).run(signal),
  ])
  await Promise.all([fleet.close(), orphansEnd])
  closeMetrics()
  const lastFlush = AbortSignal.timeout(lastFlushMs)
  // Where the management is away, it will find out by this one's silence.
  const lastReport = link
    .report({ ...currentReport(), services: [], isLast: true }, lastFlush)
    .catch((error) => log.debug({ reason: describe(error) }, 'the management takes no report'))
  await Promise.all([
    lastReport,
    collector.flush(lastFlush),
    counts.flush(lastFlush),
    learnt.flush(lastFlush),
    stored.flush(lastFlush),
    shared.flush(lastFlush),
  ])
  await link.close()
}
