import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Where clients reach a service. */
export interface Listener {
  readonly ip: string
  readonly port: number
}

const everyMs = 500
const requestTimeoutMs = 5000

/**
 * Looks again and again for what keeps an application from answering.
 *
 * @param look finds the obstacle, as a sentence; undefined when there is none
 * @returns the last obstacle; undefined as soon as there is none
 */
export async function whileNotAnswering(
  seconds: number,
  look: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const obstacle = await look()
    if (obstacle === undefined || Date.now() >= end) return obstacle
    await setTimeout(everyMs)
  }
}

/**
 * Sends a request as clients do. Nothing secret is in it, so that any certificate will do.
 *
 * @returns why there is no answer of the application, as a sentence; undefined when there is one
 */
export function askThrough(
  { ip, port }: Listener,
  domain: string,
  isTls: boolean,
): Promise<string | undefined> {
  const options = {
    host: ip.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: '/',
    headers: { host: domain, 'user-agent': 'palisade', accept: '*/*' },
    timeout: requestTimeoutMs,
    ...(isTls ? { rejectUnauthorized: false, ...(isIP(domain) ? {} : { servername: domain }) } : {}),
  }
  return new Promise((resolve) => {
    const request = (isTls ? requestHttps : requestHttp)(options, (reply) => {
      reply.resume()
      const status = reply.statusCode ?? 0
      resolve(status < 500 ? undefined : `A request through the firewall was answered with ${status}.`)
    })
    request.on('timeout', () => request.destroy(new Error('no answer came in time')))
    request.on('error', ({ message }) => resolve(`The listener cannot be reached from here: ${message}.`))
    request.end()
  })
}
