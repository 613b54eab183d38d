import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describe } from './failure.ts'

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
  readonly rules: RuleFiles
  readonly logLevel: string
}

/** Where the rules are read from. What is not there is left out, but the folder. */
export interface RuleFiles {
  /** ModSecurity's recommended settings. */
  readonly settings: string
  /** The Core Rule Set's own settings. */
  readonly setup: string
  /** Its rules, `*.conf`. */
  readonly folder: string
}

/** Where Debian's packages put them. */
const debianRules: RuleFiles = {
  settings: '/etc/modsecurity/modsecurity.conf-recommended',
  setup: '/etc/modsecurity/crs/crs-setup.conf',
  folder: '/usr/share/modsecurity-crs/rules',
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

const members = ['server', 'key', 'keyFile', 'caFile', 'insecure', 'stateDirectory', 'rules', 'logLevel']

/** The configuration cannot be used; the message names the member at fault. */
export class ConfigurationError extends Error {}

/**
 * Reads a configuration file, JSON. Files that it names are found from its own folder.
 *
 * @throws ConfigurationError
 */
export function loadConfiguration(file: string): ProxyConfiguration {
  const document = readDocument(file)
  const known = (all: readonly string[], given: object, where: string) => {
    const unknown = Object.keys(given).filter((name) => !all.includes(name))
    if (unknown.length > 0) throw fault(`${where}${unknown[0]} is unknown; expected: ${all.join(', ')}`)
  }
  known(members, document, '')
  const at = (path: string) => resolve(dirname(file), path)
  const caFile = text(document, 'caFile')
  const logLevel = text(document, 'logLevel') ?? 'info'
  if (!logLevels.includes(logLevel)) throw fault(`logLevel must be one of ${logLevels.join(', ')}`)
  const { insecure = false, rules = {} } = document
  if (typeof insecure !== 'boolean') throw fault('insecure must be true or false')
  if (typeof rules !== 'object' || rules === null) throw fault('rules must be an object')
  known(Object.keys(debianRules), rules, 'rules.')
  const ruleFile = (name: keyof RuleFiles) => at(text(rules, name, 'rules.') ?? debianRules[name])
  return {
    server: serverIn(document),
    credential: credentialIn(document, at),
    ...(caFile === undefined ? {} : { certificateAuthorities: contentOf(at(caFile), 'caFile') }),
    insecure,
    stateDirectory: at(text(document, 'stateDirectory') ?? './proxy-state'),
    rules: { settings: ruleFile('settings'), setup: ruleFile('setup'), folder: ruleFile('folder') },
    logLevel,
  }
}

function serverIn(document: object): URL {
  const given = text(document, 'server') ?? 'http://127.0.0.1:8000'
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw fault('server must be the address of the management, such as https://firewall.example.org:8443')
  }
  return new URL(given)
}

function credentialIn(document: object, at: (path: string) => string): string {
  const [key, keyFile] = [text(document, 'key'), text(document, 'keyFile')]
  if (key !== undefined && keyFile !== undefined)
    throw fault('key and keyFile say the same; expected was one')
  const credential = keyFile === undefined ? key : contentOf(at(keyFile), 'keyFile').trim()
  if (credential === undefined || credential === '') {
    throw fault("keyFile must name the management's firewall-proxy.key, or key must hold what is in it")
  }
  return credential
}

function text(document: object, name: string, where = ''): string | undefined {
  const value = (document as Record<string, unknown>)[name]
  if (value === undefined || typeof value === 'string') return value
  throw fault(`${where}${name} must be text`)
}

function readDocument(file: string): Record<string, unknown> {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigurationError(`The configuration ${file} cannot be read: ${describe(error)}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ConfigurationError(`The configuration ${file} must hold an object.`)
  }
  return document as Record<string, unknown>
}

function contentOf(file: string, member: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw fault(`${member} cannot be read: ${describe(error)}`)
  }
}

function fault(sentence: string): ConfigurationError {
  return new ConfigurationError(`The configuration is not valid: ${sentence}.`)
}
