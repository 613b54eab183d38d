import { request } from 'node:http'

/**
 * Sends a GET to a port of this machine, with whatever host its headers name.
 *
 * @returns the status of the answer
 */
export function statusOf(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = { accept: '*/*', 'user-agent': 'a test', ...headers }
    const sent = request({ host: '127.0.0.1', port, path, headers: all }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}
