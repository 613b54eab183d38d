import { AddressGuard, type ForbiddenAddresses } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { Unusable } from '../address-data/address-copies.ts'
import { ProviderUnavailable, providerFetch } from '../filters/authentication/provider-fetch.ts'

const timeoutMs = 60_000

/** Where a file is downloaded from, and how its server proves itself. */
export interface FileSource {
  readonly url: string
  /** The member of the configuration that has the URL. */
  readonly member: string
  readonly forbidden: ForbiddenAddresses | undefined
  /** False where any certificate will do. */
  readonly validatesCertificate?: boolean
  /** PEM; those of Node where there are none. */
  readonly authorities?: readonly string[]
  readonly accept: string
  readonly bytesMax: number
}

/** What a server says to tell one version of a file from others. */
export interface FileVersion {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/**
 * Downloads a file over HTTP or HTTPS, in a minute at most.
 *
 * @param before what is there
 * @returns undefined when what is there is the newest version
 * @throws Unusable, ProviderUnavailable, or an Error of the system
 */
export async function downloadedFile(
  { url, member, forbidden, validatesCertificate, authorities = [], accept, bytesMax }: FileSource,
  before: FileVersion,
  signal: AbortSignal,
): Promise<(FileVersion & { readonly bytes: Buffer }) | undefined> {
  if (!URL.canParse(url)) throw new Unusable(`${member} is no URL`)
  const fetch = providerFetch(
    new AddressGuard(forbidden),
    {
      rejectUnauthorized: validatesCertificate !== false,
      ...(authorities.length === 0 ? {} : { ca: [...authorities], allowPartialTrustChain: true }),
    },
    bytesMax,
  )
  const response = await fetch(url, {
    method: 'GET',
    headers: {
      accept,
      'accept-encoding': 'identity',
      ...(before.etag === undefined ? {} : { 'if-none-match': before.etag }),
      ...(before.lastModified === undefined ? {} : { 'if-modified-since': before.lastModified }),
    },
    body: undefined,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const { status, headers } = response
  if (status === 304) return undefined
  if (status >= 300 && status < 400) {
    throw new Unusable('its server redirects to another address, which is not followed: give that one')
  }
  if (status !== 200) throw new Unusable(`its server answers with the status ${status}`)
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    etag: headers.get('etag') ?? undefined,
    lastModified: headers.get('last-modified') ?? undefined,
  }
}

/** Why a download failed: a sentence. */
export function downloadProblem(error: unknown): string {
  return error instanceof ProviderUnavailable ? error.message : `${describe(error)}.`
}
