import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type LogFormat, type LogLevel, logFormats, logLevels } from '@palisade/log'
import { mayBeReadByOthers, readUnforgedFile } from '@palisade/private-files'
import { FileFailure, placeInJson, readCertificates, readNamedFile, whyUnreadable } from '@palisade/start-up'
import {
  type TracingSettings,
  TracingSettingsError,
  tracingFromEnvironment,
  tracingIn,
} from '@palisade/tracing'
import type { AddressFileChoice } from './address-data/address-files.ts'
import {
  ConfigurationError,
  configurationMembers,
  fault,
  isObject,
  objectIn,
  refuseUnknownMembers,
  text,
} from './configuration-members.ts'
import type { RuleChoice } from './inspection/rule-files.ts'
import type { BodyRoomLimits } from './rate-control/body-room.ts'
import { rulesIn } from './rule-configuration.ts'

/** What a proxy is told on its own machine; everything else comes with snapshots. */
export interface ProxyConfiguration {
  /** Where the firewall's management is: http only on the same machine. */
  readonly server: URL
  /** The proxies' credential. */
  readonly credential: string
  /** Certificates to trust instead of the system's, PEM. */
  readonly certificateAuthorities?: string
  /** Takes any certificate of the management. */
  readonly insecure: boolean
  /** Where the last good snapshot and the proxy's name are kept. */
  readonly stateDirectory: string
  readonly rules: RuleChoice
  /** What was brought about addresses. */
  readonly ipReputation: AddressFileChoice
  /** A sorted list of digests of stolen passwords; undefined for none. */
  readonly stolenPasswordsFile?: string
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  /** How many processes carry the traffic. */
  readonly workers: number
  /** Whether one more process is kept ready to take the place of one that ends. */
  readonly spareWorker: boolean
  /** How much of bodies each worker holds at once, and how long requests wait for that. */
  readonly bodies: BodyRoomLimits
  /** What the operator should mend, a sentence; absent when there is nothing. */
  readonly warning?: string
  /** Where figures are shown to Prometheus; absent when they are not. */
  readonly metrics?: { readonly host: string; readonly port: number }
  /** Where traces are sent; undefined when none are recorded. */
  readonly tracing?: TracingSettings | undefined
}

/** More would only be in each other's way. */
const workersMax = 256

/**
 * Reads a configuration file, JSON. Files that it names are found from its own folder.
 *
 * @throws ConfigurationError
 */
export function loadConfiguration(file: string): ProxyConfiguration {
  try {
    return configurationIn(readDocument(file), file)
  } catch (error) {
    throw error instanceof FileFailure || error instanceof TracingSettingsError ? fault(error.message) : error
  }
}

function configurationIn(document: Record<string, unknown>, file: string): ProxyConfiguration {
  refuseUnknownMembers(Object.keys(configurationMembers), document, '')
  const at = (path: string) => resolve(dirname(file), path)
  const caFile = text(document, 'caFile')
  const stolenPasswordsFile = text(document, 'stolenPasswordsFile')
  const { insecure = false, spareWorker = true } = document
  if (typeof insecure !== 'boolean') throw fault('insecure must be true or false')
  if (typeof spareWorker !== 'boolean') throw fault('spareWorker must be true or false')
  return {
    server: serverIn(document),
    credential: credentialIn(document, at),
    ...(caFile === undefined ? {} : { certificateAuthorities: readCertificates(at(caFile), 'caFile') }),
    insecure,
    stateDirectory: at(text(document, 'stateDirectory') ?? './proxy-state'),
    rules: rulesIn(document, at),
    ipReputation: addressFilesIn(document, at),
    ...(stolenPasswordsFile === undefined ? {} : { stolenPasswordsFile: at(stolenPasswordsFile) }),
    logLevel: nameIn(document, 'logLevel', logLevels) ?? 'info',
    logFormat: nameIn(document, 'logFormat', logFormats) ?? 'auto',
    workers: workersIn(document),
    spareWorker,
    bodies: bodiesIn(document),
    ...metricsIn(document),
    tracing: tracingOf(document, at) ?? tracingFromEnvironment(process.env),
    ...warningOf(file, document),
  }
}

function warningOf(file: string, { key }: Record<string, unknown>): Pick<ProxyConfiguration, 'warning'> {
  if (key === undefined || !mayBeReadByOthers(file)) return {}
  return {
    warning: `every user of this machine may read ${file}, and the key in it opens the private keys of all services; use chmod o-r ${file}`,
  }
}

/** A number, or one for each core. */
function workersIn({ workers = 'cores' }: Record<string, unknown>): number {
  if (workers === 'cores') return availableParallelism()
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= 1 && workers <= workersMax) {
    return workers
  }
  throw fault(`workers must be "cores" or a whole number from 1 to ${workersMax}`)
}

function addressFilesIn(document: Record<string, unknown>, at: (path: string) => string): AddressFileChoice {
  const files = objectIn(document, 'ipReputation') ?? {}
  const pathsByName = configurationMembers.ipReputation.flatMap((name) => {
    const path = text(files, name, 'ipReputation.')
    return path === undefined ? [] : [[name, at(path)] as const]
  })
  return Object.fromEntries(pathsByName)
}

/** What is left out is 64 MiB, five of the largest bodies that rules read, and half a minute. */
function bodiesIn(document: Record<string, unknown>): BodyRoomLimits {
  const { memoryMiB = 64, waitSeconds = 30 } = objectIn(document, 'bodies') ?? {}
  return {
    bytesMax: wholeNumber(memoryMiB, 'bodies.memoryMiB', 1, 65_536) * 1024 * 1024,
    waitMaxMs: wholeNumber(waitSeconds, 'bodies.waitSeconds', 1, 3_600) * 1000,
  }
}

function wholeNumber(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw fault(`${name} must be a whole number from ${min} to ${max}`)
}

function metricsIn(document: Record<string, unknown>): Pick<ProxyConfiguration, 'metrics'> {
  const metrics = objectIn(document, 'metrics')
  if (metrics === undefined) return {}
  const host = text(metrics, 'host', 'metrics.') ?? '127.0.0.1'
  const { port } = metrics
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw fault('metrics.port must be a port, from 1 to 65535')
  }
  return { metrics: { host, port } }
}

/** A tenth of all requests is recorded where the file does not say how many. */
function tracingOf(
  document: Record<string, unknown>,
  at: (path: string) => string,
): TracingSettings | undefined {
  const tracing = objectIn(document, 'tracing')
  if (tracing === undefined) return undefined
  const { sampleRatio = 0.1 } = tracing
  if (typeof sampleRatio !== 'number' || !(sampleRatio >= 0 && sampleRatio <= 1))
    throw fault('tracing.sampleRatio must be a number from 0 to 1')
  const [endpoint = '', headersFile] = [
    text(tracing, 'endpoint', 'tracing.'),
    text(tracing, 'headersFile', 'tracing.'),
  ]
  return tracingIn(
    { endpoint, sampleRatio, ...(headersFile === undefined ? {} : { headersFile: at(headersFile) }) },
    (path, named) => readNamedFile(path, named, 'group-reads'),
  )
}

function serverIn(document: object): URL {
  const server = text(document, 'server') ?? 'http://127.0.0.1:8000'
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw fault('server must be the address of the management, such as https://firewall.example.org:8443')
  }
  return new URL(server)
}

function credentialIn(document: object, at: (path: string) => string): string {
  const [key, keyFile] = [text(document, 'key'), text(document, 'keyFile')]
  if (key !== undefined && keyFile !== undefined)
    throw fault('key and keyFile say the same; expected was one')
  const credential = keyFile === undefined ? key : readNamedFile(at(keyFile), 'keyFile', 'group-reads').trim()
  if (credential === undefined || credential === '') {
    throw fault("keyFile must name the management's firewall-proxy.key, or key must hold what is in it")
  }
  return credential
}

function nameIn<Name extends string>(
  document: object,
  member: string,
  names: readonly Name[],
): Name | undefined {
  const value = text(document, member)
  if (value === undefined) return undefined
  const name = names.find((one) => one === value)
  if (name !== undefined) return name
  throw fault(`${member} must be one of ${names.join(', ')}`)
}

function readDocument(file: string): Record<string, unknown> {
  let document: unknown
  try {
    document = JSON.parse(readUnforgedFile(file).toString())
  } catch (error) {
    throw new ConfigurationError(`The configuration ${file} cannot be read: ${reasonOf(error)}`)
  }
  if (!isObject(document)) throw new ConfigurationError(`The configuration ${file} must hold an object.`)
  return document
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SyntaxError)) return whyUnreadable(error)
  return `it is not valid JSON${placeInJson(error)}`
}
