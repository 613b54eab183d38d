import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReceivedReply, type ServedService, send } from '@palisade/platform/testing'
import { credentialFileName } from '../publishing/credential.ts'

/**
 * Makes a call as proxies do, by the credential in the data directory.
 *
 * @param path one of `proxyAddresses`
 * @param body sent with POST; without one it is a GET
 */
export function callAsProxy(
  { baseUrl }: ServedService,
  dataDirectory: string,
  path: string,
  body?: unknown,
): Promise<ReceivedReply> {
  const credential = readFileSync(join(dataDirectory, credentialFileName), 'utf8')
  return send(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${credential}` },
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
}
