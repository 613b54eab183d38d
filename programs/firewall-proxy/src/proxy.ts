import type { ProxyConfiguration } from './configuration.ts'
import { loadRuleSets } from './inspection/rule-sets.ts'
import type { Log } from './log.ts'
import { accessEntry } from './logs/access-entry.ts'
import { LogCollector } from './logs/log-collector.ts'
import { refusedConnectionEntry, violationEntries } from './logs/violation-entries.ts'
import { Follower } from './management/follower.ts'
import { ManagementLink } from './management/management-link.ts'
import { Reporting } from './management/reporting.ts'
import { StateDirectory } from './management/state-directory.ts'
import { DataPlane } from './serving/data-plane.ts'
import type { RuntimeDependencies } from './serving/service-runtime.ts'
import { ServerPools } from './servers/server-pool.ts'

/** The last entries have this long to reach the management when the proxy ends. */
const lastFlushMs = 1_500

/**
 * Runs a proxy until the signal is aborted: serves what the last good snapshot says, then follows the management, and goes on
 * without it when it is away.
 */
export async function runProxy(
  configuration: ProxyConfiguration,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const state = await StateDirectory.open(configuration.stateDirectory)
  const link = new ManagementLink(configuration)
  const collector = new LogCollector(link, log)
  const rules = loadRuleSets(configuration.rules)
  if ('problem' in rules) log.warn({ reason: rules.problem }, 'nothing is inspected')
  const reporting = new Reporting()
  const plane = new DataPlane(runtimeDependencies({ collector, rules, log, onNews: () => reporting.wake() }))
  const follower = new Follower({ state, link, plane, log, onNews: () => reporting.wake() })
  await follower.begin()
  log.info({ proxy: state.proxy, version: follower.version }, 'carrying traffic')
  const report = () =>
    link.report(
      {
        proxy: state.proxy,
        version: follower.version,
        digest: follower.digest,
        problem: follower.problem,
        rulesProblem: 'problem' in rules ? rules.problem : '',
        services: plane.services,
      },
      signal,
    )
  await Promise.all([follower.run(signal), reporting.run(report, log, signal), collector.run(signal)])
  await plane.close()
  await collector.flush(AbortSignal.timeout(lastFlushMs))
  await link.close()
}

function runtimeDependencies({
  collector,
  rules,
  log,
  onNews,
}: Pick<RuntimeDependencies, 'rules' | 'log' | 'onNews'> & {
  readonly collector: LogCollector
}): RuntimeDependencies {
  const now = Date.now
  return {
    pools: new ServerPools(now, onNews),
    rules,
    log,
    now,
    onNews,
    onExchange: (exchange) => {
      const { logsAccess } = exchange.route ?? exchange.runtime.service
      if (logsAccess) collector.access(accessEntry(exchange, now()))
      collector.webFirewall(violationEntries(exchange))
    },
    onRefusedConnection: (refused) => collector.webFirewall([refusedConnectionEntry(refused, now())]),
  }
}
