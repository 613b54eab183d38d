import { nearestName } from '@palisade/start-up'
import { ruleFileMembers } from './inspection/rule-files.ts'

/** Every member of a configuration, with those of the objects in it. */
export const configurationMembers = {
  server: [],
  key: [],
  keyFile: [],
  caFile: [],
  insecure: [],
  stateDirectory: [],
  rules: [...ruleFileMembers, 'choiceFile', 'libraryFolder', 'withoutRules', 'candidates', 'releasesFolder'],
  ipReputation: ['geoipDatabase', 'listsFolder'],
  stolenPasswordsFile: [],
  logLevel: [],
  logFormat: [],
  workers: [],
  spareWorker: [],
  bodies: ['memoryMiB', 'waitSeconds'],
  metrics: ['host', 'port'],
  tracing: ['endpoint', 'sampleRatio', 'headersFile'],
} as const

/** The configuration cannot be used; the message names the member at fault. */
export class ConfigurationError extends Error {}

/** @param where what stands before the names of the members, such as "rules." */
export function refuseUnknownMembers(all: readonly string[], object: object, where: string): void {
  const name = Object.keys(object).find((member) => !all.includes(member))
  if (name === undefined) return
  const nearest = nearestName(name, all)
  throw fault(
    `there is no member ${where}${name}; ${nearest === undefined ? `expected: ${all.join(', ')}` : `did you mean ${where}${nearest}?`}`,
  )
}

/** @returns undefined where the member is left out; its own members are those of {@link configurationMembers} */
export function objectIn(
  document: Record<string, unknown>,
  name: 'rules' | 'ipReputation' | 'bodies' | 'metrics' | 'tracing',
): Record<string, unknown> | undefined {
  const value = document[name]
  if (value === undefined) return undefined
  const inner = configurationMembers[name]
  if (!isObject(value)) {
    throw fault(`${name} must be an object with some of the members ${inner.join(', ')}`)
  }
  refuseUnknownMembers(inner, value, `${name}.`)
  return value
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param where what stands before the name of the member, such as "rules." */
export function text(document: object, name: string, where = ''): string | undefined {
  const value = (document as Record<string, unknown>)[name]
  if (value === undefined || typeof value === 'string') return value
  throw fault(`${where}${name} must be text`)
}

/** @param sentence which member is at fault, and what it must be; without a full stop */
export function fault(sentence: string): ConfigurationError {
  return new ConfigurationError(`The configuration is not valid: ${sentence.replace(/(?<!\?)$/, '.')}`)
}
