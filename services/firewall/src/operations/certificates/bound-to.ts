import { sslSecurity } from '../../features/tls/fields.ts'
import { items } from '../../kinds/conversions.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { valuesOf } from '../../objects/content.ts'
import { type PreparedChange, prepareUpdate } from '../../rest/prepared-change.ts'
import type { WriteDependencies } from '../../rest/write.ts'

const segment = 'ssl-security'

/**
 * Has a service show a certificate: as its own where it has none, and else to clients that ask for one of its hosts; what it shows to
 * others stays.
 *
 * @param hosts that the certificate is for
 */
export function boundTo(
  deps: Pick<WriteDependencies, 'behaviours' | 'unknownMembers' | 'configuration'>,
  service: ConfigurationObject,
  certificate: string,
  hosts: readonly string[],
): Promise<PreparedChange> {
  const section = service.kind.sections.find((one) => one.segment === segment)
  if (section === undefined) throw new Error(`services have no section ${sslSecurity.title}`)
  const values = valuesOf(service.content, segment)
  const members =
    values.certificate === undefined || values.certificate === certificate
      ? { certificate }
      : forHosts(certificate, hosts, {
          domains: items(values.domain),
          rsa: items(values['sni-certificate']),
          ecdsa: items(values['sni-ecdsa-certificate']),
        })
  const target = { type: 'section', kind: service.kind, path: service.path, section } as const
  return prepareUpdate(deps, deps.configuration.snapshot, target, members)
}

/** Lists of one service, of which those with certificates may be shorter than that with domains. */
interface Lists {
  readonly domains: readonly string[]
  readonly rsa: readonly string[]
  readonly ecdsa: readonly string[]
}

/** New domains come first, since only there every list reaches. */
function forHosts(certificate: string, hosts: readonly string[], { domains, rsa, ecdsa }: Lists) {
  const lower = domains.map((domain) => domain.toLowerCase())
  const added = hosts.filter((host) => !lower.includes(host))
  const replaced = (list: readonly string[]) => [
    ...added.map(() => certificate),
    ...list.map((one, index) => (hosts.includes(lower[index] ?? '') ? certificate : one)),
  ]
  return {
    'enable-sni': 'Yes',
    domain: [...added, ...domains],
    'sni-certificate': replaced(rsa),
    ...(ecdsa.length === 0 ? {} : { 'sni-ecdsa-certificate': replaced(ecdsa) }),
  }
}
