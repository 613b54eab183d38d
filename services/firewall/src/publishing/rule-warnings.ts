import type { ServiceWarning } from '@palisade/platform'
import type { ProxyReport } from '@palisade/proxy-protocol'
import { inspectionMode } from '../features/services/inspection.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** What is wrong or odd about the rules by which proxies judge; each sentence once. */
export function ruleWarnings(reports: readonly ProxyReport[]): ServiceWarning[] {
  const warnings = reports.flatMap(({ rulesProblem, rules }) => [
    { condition: 'no-rules', message: rulesProblem },
    { condition: 'rules-notice', message: rules?.notice ?? '' },
  ])
  const byMessage = new Map(warnings.map((warning) => [warning.message, warning]))
  byMessage.delete('')
  return [...byMessage.values()]
}

/**
 * What whoever changed an object is told of the rules.
 *
 * @returns why the service that it is, or belongs to, is shut, and what to do; undefined where it is not
 */
export function warningOfChange(
  { kind, path }: ConfigurationObject,
  snapshot: Snapshot,
  reports: readonly ProxyReport[],
): string | undefined {
  const problem = reports.find(({ rulesProblem }) => rulesProblem !== '')?.rulesProblem
  const [root] = kind.lineage
  if (problem === undefined || root?.name !== 'service') return undefined
  const service = snapshot.object(root, path.slice(0, 1))
  if (service?.content.values.status !== 'On' || inspectionMode(service) !== 'active') return undefined
  return `The service ${service.name} refuses every request. ${problem}`
}
