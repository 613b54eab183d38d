import type { RequestOptions } from 'node:https'
import { protocolHeader, protocolVersions, writeProtocolVersions } from '@palisade/agent-protocol/wire'

/** How to reach the server and who to be there. Plain data, so that worker threads can be given it. */
export interface ServerConnection {
  /** The backup service's base URL, without a slash at its end. */
  readonly baseUrl: string
  readonly credential: string
  readonly trust: Trust
  /** That of the request which requests to the server are made for; threads have no other way to know it. */
  readonly requestId?: string | undefined
}

/** Says to the server which versions of the protocol this agent speaks. */
export const versionHeader = { [protocolHeader]: writeProtocolVersions(protocolVersions) }

/** Which certificates are accepted over HTTPS. */
export interface Trust {
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string
  /** Accept whatever the server shows. */
  readonly insecure: boolean
}

/** The backup service lies here when the address given is only that of the server. */
const defaultBasePath = '/backup'

/**
 * The base URL of the backup service: `http://127.0.0.1:8080` becomes `http://127.0.0.1:8080/backup`, an
 * address with a path stays as it is.
 *
 * @throws Error when it is not an http or https address, or carries a user, a query or a fragment
 */
export function parseServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('--server must be an address such as https://backup.example.org:8444/backup')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('--server must be an address without a user, a query and a fragment')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' ? defaultBasePath : path)
}

/** Whether what is sent to this address could be read on the way: plain HTTP to another machine. */
export function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** The TLS options of a connection that trusts as told. */
export function tlsOptions(trust: Trust): Pick<RequestOptions, 'ca' | 'rejectUnauthorized'> {
  return { rejectUnauthorized: !trust.insecure, ...(trust.ca === undefined ? {} : { ca: trust.ca }) }
}
