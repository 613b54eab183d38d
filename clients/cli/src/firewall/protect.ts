import { isIP } from 'node:net'
import { Option } from '@commander-js/extra-typings'
import { ApiError } from '@palisade/sdk'
import { examples, wholeNumber } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { say } from '../output.ts'
import { askThrough, whileNotAnswering } from './await-application.ts'
import { ensureCertificate } from './ensure-certificate.ts'
import { ensureObject, objectAt } from './ensure-object.ts'
import { addressOf, type Kinds, type NamePath, type PlacedKind, readKinds } from './kinds.ts'
import { type Management, managementCommand, membersOf, objectOf, withManagement } from './management.ts'
import { listenerIn, type ProtectedApplication, readProtectOptions, withDefaults } from './protect-options.ts'

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
      const settings = readProtectOptions(url, options)
      const kinds = await readKinds()
      await withManagement(options, async (management) => {
        if (options.remove) {
          const isGone = await unprotect(management, kinds, settings.name)
          say(isGone ? `${settings.name} is removed.` : `There is no service ${settings.name}.`, options)
          return
        }
        const target = withDefaults(
          settings,
          await objectAt(management, addressOf(kinds.named('service'), [settings.name])),
        )
        await protect(management, kinds, target)
        await untilAnswering(management, kinds, target, options.wait)
        say(nextSteps(target), options)
      })
    })
}

async function protect(management: Management, kinds: Kinds, target: ProtectedApplication): Promise<void> {
  const { name, listener, tls, isHttps, mode, policy, application } = target
  const service = kinds.named('service')
  const place = { 'ip-address': listener.ip, 'address-version': isIP(listener.ip) === 6 ? 'IPv6' : 'IPv4' }
  const isAtDefaultPort = tls !== undefined && listener.port === 443
  if (isAtDefaultPort || tls?.way === 'acme') {
    await ensureObject(management, service, [redirectName(name)], {
      ...place,
      port: 80,
      type: 'Redirect Service',
    })
  }
  const certificate = tls && (await ensureCertificate(management, kinds, target, tls))
  const sections = {
    'basic-security': { mode, ...(policy === undefined ? {} : { 'web-firewall-policy': policy }) },
  }
  await ensureObject(
    management,
    service,
    [name],
    { ...place, port: listener.port, type: isHttps ? 'HTTPS' : 'HTTP' },
    certificate === undefined ? sections : { 'ssl-security': { status: 'On', certificate }, ...sections },
  )
  const host = application.hostname.replace(/^\[(.*)\]$/, '$1')
  const ip = isIP(host)
  await ensureObject(
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

/** @returns whether there was anything */
async function unprotect(management: Management, kinds: Kinds, name: string): Promise<boolean> {
  const service = kinds.named('service')
  const present = await objectAt(management, addressOf(service, [name]))
  const shown = membersOf(present?.[service.sections['ssl-security']?.title ?? ''])
  for (const one of [name, redirectName(name)]) {
    if (await objectAt(management, addressOf(service, [one])))
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
  { name, listener, isHttps, domains }: ProtectedApplication,
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

function nextSteps({
  name,
  domains,
  listener,
  tls,
  isHttps,
  mode,
  application,
}: ProtectedApplication): string {
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
