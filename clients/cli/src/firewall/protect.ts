import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { ApiError, NotFound } from '@palisade/sdk'
import { examples, wholeNumber } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { say } from '../output.ts'
import { askThrough, type Listener, whileNotAnswering } from './await-application.ts'
import { obtainCertificate, uploadCertificate } from './certificates.ts'
import { addressOf, type Kinds, type NamePath, type PlacedKind, readKinds } from './kinds.ts'
import { type Management, managementCommand, membersOf, objectOf, withManagement } from './management.ts'
import { type Members, textOfFile } from './members.ts'
import { createObject } from './objects.ts'

/*
 * From nothing to a protected application:
 *
 * 1. a certificate, where clients come by HTTPS: uploaded, self-signed, or obtained by ACME; the authority finds the answers that it
 *    asks for at the service of step 2 that leads clients from HTTP to HTTPS
 * 2. a service with its listener, security policy and mode, and at port 443 another one at port 80 that leads clients there
 * 3. the application as the server of the service
 * 4. waiting until the application answers through it
 *
 * Each step does nothing when it is done already, and changes only what the command line says.
 */

interface Wanted {
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

type Tls =
  | { readonly way: 'upload'; readonly certificate: string; readonly key: string }
  | { readonly way: 'self-signed' | 'acme' }

/** The name of the server; those that somebody adds have others. */
const serverName = 'application'

const protectOperations = [
  ...['getService', 'createService', 'updateService', 'deleteService'],
  ...['updateServiceBasicSecurity', 'updateServiceSslSecurity'],
  ...['getServer', 'createServer', 'updateServer', 'updateServerSslPolicy'],
  ...['getSignedCertificate', 'createSignedCertificate', 'obtainCertificate'],
  ...['getSelfSignedCertificate', 'createSelfSignedCertificate', 'removeCertificate'],
]

/** `palisade firewall protect URL`. */
export function protectCommand() {
  return managementCommand('protect', ...protectOperations)
    .description('put the firewall in front of an application, and wait until that answers through it')
    .argument('<url>', 'where the application is, such as http://10.0.0.5:8080')
    .requiredOption('--domain <names...>', 'the hosts by which clients call it, such as shop.example.org')
    .option('--name <name>', 'what the service is called; like the first domain when left out')
    .option(
      '--listen <ip:port>',
      'where clients come; 0.0.0.0:80, or :443 with a certificate, when left out',
      listenerIn,
    )
    .option('--passive', 'log attacks, and refuse none')
    .option('--policy <name>', 'the security policy; "default" for a new service')
    .option('--certificate <file>', 'have clients come by HTTPS, with this certificate in PEM')
    .option('--key <file>', 'the private key of that certificate')
    .addOption(
      new Option('--self-signed', 'have clients come by HTTPS, with a certificate for trials').conflicts([
        'certificate',
        'acme',
      ]),
    )
    .addOption(
      new Option(
        '--acme',
        'have clients come by HTTPS, with a certificate from the authority of the configuration',
      ).conflicts('certificate'),
    )
    .option(
      '--wait <seconds>',
      'how long to wait for the application',
      wholeNumber({ min: 0, max: 9999 }),
      60,
    )
    .option('--remove', 'undo it')
    .addHelpText('after', '\nRun it again to change what it says; what it does not say stays as it is.')
    .addHelpText(
      'after',
      examples(
        'palisade firewall protect http://10.0.0.5:8080 --domain shop.example.org --acme',
        'palisade firewall protect http://127.0.0.1:9000 --domain localhost --listen 127.0.0.1:8081 --passive',
        'palisade firewall protect http://10.0.0.5:8080 --domain shop.example.org --remove',
      ),
    )
    .action(async (url, _options, command) => {
      const options = command.opts()
      const settings = readOptions(url, options)
      const kinds = await readKinds()
      await withManagement(options, async (management) => {
        if (options.remove) {
          const isGone = await unprotect(management, kinds, settings.name)
          say(isGone ? `${settings.name} is removed.` : `There is no service ${settings.name}.`, options)
          return
        }
        const target = wantedOf(
          settings,
          await shownAt(management, addressOf(kinds.named('service'), [settings.name])),
        )
        await protect(management, kinds, target)
        await untilAnswering(management, kinds, target, options.wait)
        say(nextSteps(target), options)
      })
    })
}

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
interface Asked extends Omit<Wanted, 'listener' | 'isHttps'> {
  readonly listener: Listener | undefined
}

/** @throws UsageError when the command line contradicts itself */
function readOptions(url: string, options: ProtectOptions): Asked {
  const application = URL.canParse(url) ? new URL(url) : undefined
  if (application === undefined || !/^https?:$/.test(application.protocol)) {
    throw new UsageError(
      `${url} is no address of an application. Expected was one such as http://10.0.0.5:8080.`,
    )
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

/** @param present the service, if it is there: what is not asked for stays */
function wantedOf(settings: Asked, present: Members | undefined): Wanted {
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

async function protect(management: Management, kinds: Kinds, target: Wanted): Promise<void> {
  const { name, listener, tls, isHttps, mode, policy, application } = target
  const service = kinds.named('service')
  const place = { 'ip-address': listener.ip, 'address-version': isIP(listener.ip) === 6 ? 'IPv6' : 'IPv4' }
  const isAtDefaultPort = tls !== undefined && listener.port === 443
  if (isAtDefaultPort || tls?.way === 'acme') {
    await ensure(management, service, [redirectName(name)], { ...place, port: 80, type: 'Redirect Service' })
  }
  const certificate = tls && (await ensureCertificate(management, kinds, target, tls))
  const sections = {
    'basic-security': { mode, ...(policy === undefined ? {} : { 'web-firewall-policy': policy }) },
  }
  await ensure(
    management,
    service,
    [name],
    { ...place, port: listener.port, type: isHttps ? 'HTTPS' : 'HTTP' },
    certificate === undefined ? sections : { 'ssl-security': { status: 'On', certificate }, ...sections },
  )
  const host = application.hostname.replace(/^\[(.*)\]$/, '$1')
  const ip = isIP(host)
  await ensure(
    management,
    kinds.named('server'),
    [name, serverName],
    {
      ...(ip ? { identifier: 'IP Address', 'ip-address': host } : { identifier: 'Hostname', hostname: host }),
      'address-version': ip === 6 ? 'IPv6' : 'IPv4',
      port: Number(application.port || (application.protocol === 'https:' ? 443 : 80)),
    },
    { 'ssl-policy': { 'enable-https': application.protocol === 'https:' ? 'Yes' : 'No' } },
  )
}

/** Creates an object, or changes what differs of one that is there. */
async function ensure(
  management: Management,
  kind: PlacedKind,
  names: NamePath,
  fields: Members,
  sections: Readonly<Record<string, Members>> = {},
): Promise<void> {
  const address = addressOf(kind, names)
  const present = await shownAt(management, address)
  if (present === undefined) {
    await createObject(management, { kind, names, fields, sections })
    return
  }
  // A section before the object's own fields: a service comes by HTTPS only with a certificate.
  for (const [segment, members] of Object.entries(sections)) {
    const different = differing(members, membersOf(present[kind.sections[segment]?.title ?? '']))
    if (different) await management.call('PUT', `${address}/${segment}`, { body: different })
  }
  const different = differing(fields, present)
  if (different) await management.call('PUT', address, { body: different })
}

function differing(target: Members, present: Members): Members | undefined {
  const different = Object.entries(target).filter(
    ([field, value]) => String(present[field]) !== String(value),
  )
  return different.length > 0 ? Object.fromEntries(different) : undefined
}

async function shownAt(management: Management, address: string): Promise<Members | undefined> {
  try {
    return objectOf(await management.call('GET', address))
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** @returns the name of the certificate. One that is uploaded is called after its serial number too, so that the next one has another name. */
async function ensureCertificate(
  management: Management,
  kinds: Kinds,
  target: Wanted,
  tls: Tls,
): Promise<string> {
  const { name, domains } = target
  if (tls.way === 'upload') {
    const uploaded = `${name}-${serialIn(tls.certificate).slice(0, 16)}`
    if (!(await shownAt(management, addressOf(kinds.named('signed-certificate'), [uploaded])))) {
      await uploadCertificate(management, uploaded, 'signed', tls)
    }
    return uploaded
  }
  const certificate = `${name}-${tls.way}`
  const kind = kinds.named(tls.way === 'acme' ? 'signed-certificate' : 'self-signed-certificate')
  if (await shownAt(management, addressOf(kind, [certificate]))) return certificate
  if (tls.way === 'acme') await obtainCertificate(management, certificate, domains)
  else {
    const names = domains.map((host) => (isIP(host) ? `IP:${host}` : `DNS:${host}`))
    await createObject(management, {
      kind,
      names: [certificate],
      fields: { 'common-name': domains[0].slice(0, 64), 'country-code': 'XX', 'san-certificate': names },
      sections: {},
    })
  }
  return certificate
}

function serialIn(file: string): string {
  try {
    return new X509Certificate(textOfFile(file)).serialNumber.toLowerCase()
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} holds no certificate in PEM.`)
  }
}

/** @returns whether there was anything */
async function unprotect(management: Management, kinds: Kinds, name: string): Promise<boolean> {
  const service = kinds.named('service')
  const present = await shownAt(management, addressOf(service, [name]))
  const shown = membersOf(present?.[service.sections['ssl-security']?.title ?? ''])
  for (const one of [name, redirectName(name)]) {
    if (await shownAt(management, addressOf(service, [one])))
      await management.call('DELETE', addressOf(service, [one]))
  }
  const certificate = String(shown.certificate ?? '')
  // Others may show it too; then it stays.
  if (certificate.startsWith(`${name}-`)) {
    await management.call('DELETE', `certificates/${encodeURIComponent(certificate)}`).catch((error) => {
      if (!(error instanceof ApiError)) throw error
    })
  }
  return present !== undefined
}

function redirectName(name: string): string {
  return `${name.slice(0, 55)}-redirect`
}

async function untilAnswering(
  management: Management,
  kinds: Kinds,
  { name, listener, isHttps, domains }: Wanted,
  seconds: number,
): Promise<void> {
  const health = async (kind: PlacedKind, names: NamePath) => {
    const reply = await management.call('GET', addressOf(kind, names), { query: { category: 'operational' } })
    const { 'operational-status': status, 'status-reason': reason } = objectOf(reply)
    return status === 'Up' && !reason ? undefined : [status, reason].filter((word) => word).join(': ')
  }
  // One that listens everywhere is met where the management is.
  const ip = /^(0\.0\.0\.0|::)$/.test(listener.ip) ? new URL(management.baseUrl).hostname : listener.ip
  const obstacle = await whileNotAnswering(seconds, async () => {
    // Until the proxy has taken the change, the service before it answers.
    const service = await health(kinds.named('service'), [name])
    if (service !== undefined) return `The service ${name} is ${service}`
    const answer = await askThrough({ ip, port: listener.port }, domains[0], isHttps)
    if (answer === undefined) return undefined
    const server = await health(kinds.named('server'), [name, serverName])
    return server === undefined ? answer : `${answer} The application is ${server}`
  })
  if (obstacle === undefined) return
  throw new UsageError(
    `${obstacle.replace(/[^.]$/, '$&.')} The application did not answer through the firewall in ${seconds} s. What was made stays; run this again when it is mended, or with --remove.`,
  )
}

function nextSteps({ name, domains, listener, tls, isHttps, mode, application }: Wanted): string {
  const scheme = isHttps ? 'https' : 'http'
  const isUsualPort = listener.port === (isHttps ? 443 : 80)
  const urls = domains.map((domain) => `${scheme}://${domain}${isUsualPort ? '' : `:${listener.port}`}/`)
  const host = isIP(listener.ip) === 6 ? `[${listener.ip}]` : listener.ip
  return `${application.origin} answers through the firewall, at ${host}:${listener.port}.
Next:
- Have the DNS name lead there, if it does not yet: ${domains.join(', ')}. Clients call ${urls.join(', ')}
- Let nobody but the firewall reach ${application.host}.
- ${
    mode === 'Active'
      ? 'Attacks are refused. "palisade firewall logs web-firewall --follow" shows them.'
      : 'Attacks are logged and pass. When "palisade firewall logs web-firewall" shows nothing but attacks, run this without --passive.'
  }
- "palisade firewall exceptions list ${name}" shows which harmless requests rules take for attacks.${
    tls?.way === 'self-signed'
      ? '\n- Browsers do not trust a self-signed certificate: --acme or --certificate replaces it.'
      : ''
  }`
}

function listenerIn(text: string): Listener {
  const [, v6, v4, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text) ?? []
  const ip = v6 ?? v4 ?? ''
  if (isIP(ip) && Number(port) >= 1 && Number(port) <= 65_535) return { ip, port: Number(port) }
  throw new InvalidArgumentError(
    'Expected was an address and a port, such as 192.0.2.10:443 or [2001:db8::1]:443.',
  )
}
