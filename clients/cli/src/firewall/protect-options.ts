import { isIP } from 'node:net'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { UsageError } from '../connection.ts'
import type { Listener } from './await-application.ts'
import type { Members } from './members.ts'

/** An application as it is to be protected. */
export interface ProtectedApplication {
  readonly application: URL
  readonly domains: readonly [string, ...string[]]
  readonly name: string
  readonly listener: Listener
  /** Undefined where the command line does not say how clients come. */
  readonly tls: Tls | undefined
  readonly isHttps: boolean
  readonly mode: 'Active' | 'Passive'
  readonly policy: string | undefined
}

/** How the service comes to its certificate. */
export type Tls =
  | { readonly way: 'upload'; readonly certificate: string; readonly key: string }
  | { readonly way: 'self-signed' | 'acme' }

interface ProtectOptions {
  readonly domain: readonly string[]
  readonly name?: string | undefined
  readonly listen?: Listener | undefined
  readonly passive?: true | undefined
  readonly policy?: string | undefined
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  readonly selfSigned?: true | undefined
  readonly acme?: true | undefined
}

/** What the command line says. */
interface ProtectSettings extends Omit<ProtectedApplication, 'listener' | 'isHttps'> {
  readonly listener: Listener | undefined
}

/**
 * Reads the command line of `palisade firewall protect`.
 *
 * @throws UsageError when it contradicts itself
 */
export function readProtectOptions(url: string, options: ProtectOptions): ProtectSettings {
  const application = URL.canParse(url) ? new URL(url) : undefined
  if (application === undefined || !/^https?:$/.test(application.protocol)) {
    throw new UsageError(`${url} must be the address of an application, such as http://10.0.0.5:8080.`)
  }
  if (application.pathname !== '/' || application.search !== '') {
    throw new UsageError('The firewall passes every path on: leave the path of the application out.')
  }
  const [domain = '', ...others] = options.domain.map((name) => name.toLowerCase())
  const tls = tlsOf(options)
  return {
    application,
    domains: [domain, ...others],
    name:
      options.name ??
      (/^[a-z]/.test(domain) ? domain : `app-${domain}`).replaceAll(/[^a-z0-9._-]/g, '-').slice(0, 64),
    listener: options.listen,
    tls,
    mode: options.passive ? 'Passive' : 'Active',
    policy: options.policy,
  }
}

/**
 * Adds what the command line leaves out.
 *
 * @param present the service, if it exists: what is not asked for stays
 */
export function withDefaults(settings: ProtectSettings, present: Members | undefined): ProtectedApplication {
  const isHttps = settings.tls !== undefined || present?.type === 'HTTPS'
  const usual = { ip: '0.0.0.0', port: isHttps ? 443 : 80 }
  const own = present && { ip: String(present['ip-address']), port: Number(present.port) }
  const isLeaving = own?.port === 80 && isHttps
  return { ...settings, isHttps, listener: settings.listener ?? (own && !isLeaving ? own : usual) }
}

function tlsOf({ certificate, key, selfSigned, acme }: ProtectOptions): Tls | undefined {
  if (certificate !== undefined && key !== undefined) return { way: 'upload', certificate, key }
  if (certificate !== undefined || key !== undefined) {
    throw new UsageError('A certificate is of use with its private key: give --certificate and --key.')
  }
  if (selfSigned) return { way: 'self-signed' }
  return acme ? { way: 'acme' } : undefined
}

/** An address and a port, as `--listen` takes them. */
export function listenerIn(text: string): Listener {
  const [, v6, v4, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text) ?? []
  const ip = v6 ?? v4 ?? ''
  if (isIP(ip) && Number(port) >= 1 && Number(port) <= 65_535) return { ip, port: Number(port) }
  throw new InvalidArgumentError(
    'Expected was an address and a port, such as 192.0.2.10:443 or [2001:db8::1]:443.',
  )
}
