import { type Problem, problemAt, readServerCertificate } from '@palisade/platform'
import { FileFailure } from '@palisade/start-up'
import type { Configuration } from './schema.ts'

/** Why the files of a listener's certificate cannot be presented, where it has such. */
export function problemsOfCertificate(
  listener: 'firewall' | 'services',
  { certificate }: Pick<Configuration['services'], 'certificate'>,
): Problem[] {
  if (certificate === undefined) return []
  const named = `${listener}.certificate`
  try {
    readServerCertificate({ ...certificate, named })
    return []
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error
    const member = error.message.startsWith(`${named}.keyFile`) ? 'keyFile' : 'certificateFile'
    return [{ path: [listener, 'certificate', member], message: error.message }]
  }
}

/** Why certificates of listeners cannot be obtained by ACME, where that is asked for. */
export function problemsOfObtainedCertificates(
  configuration: Pick<Configuration, 'firewall' | 'services'>,
): Problem[] {
  const { acme } = configuration.firewall
  return (['firewall', 'services'] as const).flatMap((listener) => {
    const { certificate, tls } = configuration[listener]
    if (tls === undefined) return []
    const path = [listener, 'tls', 'acme']
    if (certificate !== undefined) {
      return [problemAt(path, `says the same as ${listener}.certificate: expected was one of the two`)]
    }
    if (acme === undefined) {
      return [problemAt(path, 'needs an authority: name its directory in firewall.acme.directory')]
    }
    const isByDns = acme.dnsHook !== undefined && acme.challenges.includes('dns-01')
    return tls.acme.domains.flatMap((domain, index) =>
      domain.startsWith('*.') && !isByDns
        ? [
            problemAt(
              [...path, 'domains', index],
              'stands for many hosts, which is proven by DNS alone: name a program in firewall.acme.dnsHook, and dns-01 in firewall.acme.challenges',
            ),
          ]
        : [],
    )
  })
}

/** The listeners whose certificates are obtained by ACME. */
export function certifiedListeners({ firewall, services }: Pick<Configuration, 'firewall' | 'services'>) {
  return Object.entries({ firewall, services }).flatMap(([listener, { tls }]) =>
    tls === undefined
      ? []
      : [
          {
            member: acmeMember(listener),
            domains: tls.acme.domains.map((domain) => domain.toLowerCase()),
          },
        ],
  )
}

/** The member that has the certificate of a listener obtained by ACME, such as "services.tls.acme". */
export function acmeMember(listener: string): string {
  return `${listener}.tls.acme`
}
