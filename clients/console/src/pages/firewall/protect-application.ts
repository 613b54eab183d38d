import { answer, type FirewallClient, NotFound } from '@palisade/sdk'

/** Where the firewall stands in front of an application, as somebody has filled it in. */
export interface Application {
  readonly url: URL
  /** By which clients call it; the first one names the service. */
  readonly domains: readonly [string, ...string[]]
  /** Where clients come; the usual port of every address when undefined. */
  readonly listener: Listener | undefined
  readonly tls: Tls
  /** Whether the firewall learns what ordinary requests look like. */
  readonly learns: boolean
}

/** Where clients come. */
export interface Listener {
  readonly ip: string
  readonly port: number
}

/** How clients come: by HTTP, or by HTTPS with a certificate. */
export type Tls =
  | { readonly way: 'none' | 'self-signed' | 'acme' }
  | { readonly way: 'upload'; readonly certificate: string; readonly key: string }

/** What the server of the service is called; those that somebody adds have others. */
const serverName = 'application'

/** Takes something back that was made. */
type Undo = () => Promise<unknown>

/**
 * Makes a service in Passive mode with the application as its server; with its certificate, and the service that leads clients from HTTP
 * to HTTPS, where clients come by HTTPS. When one of these is refused, those before it are removed again.
 *
 * @returns the name of the service
 * @throws ApiError with the words of the firewall
 */
export async function protectApplication(
  firewall: FirewallClient,
  application: Application,
): Promise<string> {
  const made: Undo[] = []
  try {
    return await make(firewall, application, made)
  } catch (error) {
    for (const undo of made.toReversed()) {
      await undo().catch((failure: unknown) => {
        if (!(failure instanceof NotFound)) throw failure
      })
    }
    throw error
  }
}

async function make(firewall: FirewallClient, application: Application, made: Undo[]): Promise<string> {
  const { domains, tls, listener, learns } = application
  const name = serviceNameOf(domains[0])
  const isHttps = tls.way !== 'none'
  const { ip, port } = listener ?? { ip: '0.0.0.0', port: isHttps ? 443 : 80 }
  const place = { 'ip-address': ip, 'address-version': ip.includes(':') ? 'IPv6' : 'IPv4' } as const
  if (tls.way === 'acme' || (isHttps && port === 443)) {
    await makeService(firewall, made, {
      ...place,
      name: `${name.slice(0, 55)}-redirect`,
      port: 80,
      type: 'Redirect Service',
    })
  }
  const certificate = await makeCertificate(firewall, made, name, application)
  await makeService(firewall, made, {
    ...place,
    name,
    port,
    ...(certificate === undefined ? { type: 'HTTP' } : { type: 'HTTPS', certificate }),
  })
  await makeServer(firewall, name, application.url)
  if (learns) {
    await answer(
      firewall.PUT('/restapi/v3.2/services/{service_id}/adaptive-profiling', {
        params: { path: { service_id: name } },
        body: { status: 'On' },
      }),
    )
  }
  return name
}

/** The members of a service that this makes. */
interface ServiceBody {
  readonly name: string
  readonly type: 'HTTP' | 'HTTPS' | 'Redirect Service'
  readonly 'ip-address': string
  readonly 'address-version': 'IPv4' | 'IPv6'
  readonly port: number
  readonly certificate?: string
}

async function makeService(firewall: FirewallClient, made: Undo[], body: ServiceBody): Promise<void> {
  await answer(firewall.POST('/restapi/v3.2/services', { body }))
  made.push(() =>
    answer(
      firewall.DELETE('/restapi/v3.2/services/{service_id}', { params: { path: { service_id: body.name } } }),
    ),
  )
}

/** @returns its name; undefined where clients come by HTTP */
async function makeCertificate(
  firewall: FirewallClient,
  made: Undo[],
  service: string,
  { domains, tls }: Application,
): Promise<string | undefined> {
  if (tls.way === 'none') return undefined
  const name = `${service}-${tls.way === 'upload' ? 'uploaded' : tls.way}`
  const [commonName, ...others] = domains
  if (tls.way === 'upload') {
    const body = { name, 'signed-certificate': tls.certificate, 'certificate-key': tls.key }
    await answer(firewall.POST('/restapi/v3.2/certificates/signed-certificate', { body }))
  } else if (tls.way === 'acme') {
    const body = {
      name,
      'common-name': commonName,
      ...(others.length > 0 ? { 'san-cert': others.map((host) => `DNS:${host}`) } : {}),
      'auto-renew-cert': 'Yes',
    } as const
    await answer(firewall.POST('/restapi/v3.2/certificates/letsencrypt', { body }))
  } else {
    const body = {
      name,
      'common-name': commonName.slice(0, 64),
      'country-code': 'XX',
      'san-certificate': domains.map((host) => (isIp(host) ? `IP:${host}` : `DNS:${host}`)),
    }
    await answer(firewall.POST('/restapi/v3.2/certificates/self-signed-certificate', { body }))
  }
  made.push(() =>
    answer(firewall.DELETE('/restapi/v3.2/certificates/{name}', { params: { path: { name } } })),
  )
  return name
}

async function makeServer(firewall: FirewallClient, service: string, url: URL): Promise<void> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = url.protocol === 'https:'
  await answer(
    firewall.POST('/restapi/v3.2/services/{service_id}/servers', {
      params: { path: { service_id: service } },
      body: {
        name: serverName,
        ...(isIp(host)
          ? { identifier: 'IP Address', 'ip-address': host }
          : { identifier: 'Hostname', hostname: host }),
        'address-version': host.includes(':') ? 'IPv6' : 'IPv4',
        port: Number(url.port || (isTls ? 443 : 80)),
      },
    }),
  )
  if (isTls) {
    await answer(
      firewall.PUT('/restapi/v3.2/services/{service_id}/servers/{server_id}/ssl-policy', {
        params: { path: { service_id: service, server_id: serverName } },
        body: { 'enable-https': 'Yes' },
      }),
    )
  }
}

function serviceNameOf(domain: string): string {
  const begun = /^[a-z]/.test(domain) ? domain : `app-${domain}`
  return begun.replaceAll(/[^a-z0-9._-]/g, '-').slice(0, 64)
}

function isIp(host: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) || host.includes(':')
}
