import { randomUUID } from 'node:crypto'
import type { RequestOptions } from 'node:https'
import {
  instanceHeader,
  protocolHeader,
  protocolVersions,
  writeProtocolVersions,
} from '@palisade/agent-protocol/wire'
import type { ServerAddresses } from './addresses.ts'

/** How to reach the server and who to be there. Plain data, so that worker threads can be given it. */
export interface ServerConnection {
  readonly addresses: ServerAddresses
  readonly credential: string
  readonly trust: Trust
  /** That of the request which requests to the server are made for; threads have no other way to know it. */
  readonly requestId?: string | undefined
}

/** Says to the server which versions of the protocol this agent speaks. */
export const versionHeader = { [protocolHeader]: writeProtocolVersions(protocolVersions) }

/** By what a server tells two agents of one computer apart: sent by the thread that enrols and keeps the link. */
export const processHeader = { [instanceHeader]: randomUUID() }

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

/** More servers than anybody has for the backups of one installation. */
const serversMax = 16

/**
 * The base URLs of servers of one installation, in their order.
 *
 * @throws Error when there are too many, one comes twice or is none, or only some are of https: whoever blocks those would have the
 *   agent talk readably
 */
export function parseServerUrls([first, ...others]: readonly [string, ...string[]]): [string, ...string[]] {
  if (others.length >= serversMax) throw new Error(`--server may be given ${serversMax} times`)
  const urls: [string, ...string[]] = [parseServerUrl(first), ...others.map(parseServerUrl)]
  const twice = urls.find((url, index) => urls.indexOf(url) < index)
  if (twice !== undefined) throw new Error(`--server names ${twice} twice`)
  if (new Set(urls.map((url) => new URL(url).protocol)).size > 1)
    throw new Error('--server must be https for all servers, or for none')
  return urls
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
