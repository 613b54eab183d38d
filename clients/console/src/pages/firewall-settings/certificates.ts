import { type Management, type Members, membersOf } from './management.ts'

/** A certificate of any kind, with the services that show it. */
export interface Certificate {
  readonly name: string
  readonly host: string
  /** The kind of its object: "signed-certificate". */
  readonly type: string
  /** As the service tells it. */
  readonly expiry: string
  /** Whole days from now on; negative when it has ended. */
  readonly daysLeft: number
  readonly services: readonly string[]
  /** The address of its object, after the version. */
  readonly address: string
  /** The same as the console's addresses have it. */
  readonly path: string
}

/** The kinds of certificates, by what the list of all of them calls each. */
const kinds: Readonly<Record<string, string>> = {
  uploaded_certificate: 'signed-certificate',
  created_certificate: 'self-signed-certificate',
  trusted_certificate: 'trusted-ca-certificate',
  trusted_server_certificate: 'trusted-server-certificate',
}

const dayMs = 86_400_000

/** All certificates, the one that ends first before the others. @throws ApiError */
export async function readCertificates(management: Management): Promise<readonly Certificate[]> {
  const [data, services] = await Promise.all([
    management.get('certificates'),
    management.list('services', { groups: 'Service,SSL Security' }),
  ])
  const users = services.map(([service, members]) => ({ service, names: certificatesOf(members) }))
  return (Array.isArray(data) ? data : [])
    .map((one): Certificate => {
      const { name, common_name: host, type, expiry } = membersOf(one)
      const kind = kinds[String(type)] ?? 'signed-certificate'
      const address = `certificates/${kind}/${encodeURIComponent(String(name))}`
      return {
        name: String(name),
        host: String(host ?? ''),
        type: kind,
        expiry: String(expiry ?? ''),
        daysLeft: Math.floor((Date.parse(String(expiry)) - Date.now()) / dayMs),
        services: users.filter(({ names }) => names.has(String(name))).map(({ service }) => service),
        address,
        path: `certificates/${kind}/${String(name).replace(/[%/]/g, encodeURIComponent)}`,
      }
    })
    .toSorted((one, other) => one.daysLeft - other.daysLeft)
}

/** The names of the certificates that a service shows, for any of its hosts. */
function certificatesOf(members: Members): ReadonlySet<string> {
  const security = membersOf(members['SSL Security'])
  return new Set(
    [
      members.certificate,
      members['ecdsa-certificate'],
      security.certificate,
      security['ecdsa-certificate'],
      security['sni-certificate'],
      security['sni-ecdsa-certificate'],
    ]
      .flat()
      .map(String),
  )
}
