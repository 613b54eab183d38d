import { once } from 'node:events'
import { connect } from 'node:net'
import type { SnapshotServer } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { Client } from 'undici'
import { connectorOf, connectTimeoutMs, guardOf, localAddressOf, originOf } from './connecting.ts'

/** An answer to a probe is read up to here. */
const bodyLimitBytes = 256 * 1024

const answerTimeoutMs = 10_000

/**
 * Asks a server how it fares: whether a connection can be opened, or a request is answered as it should be.
 *
 * @returns why it does not fare well: a sentence; undefined when it does
 */
export async function probe(server: SnapshotServer): Promise<string | undefined> {
  try {
    const { request } = server.health.probe ?? {}
    if (request === undefined) await opensConnection(server)
    else return await answers(server, request)
  } catch (error) {
    return `It does not answer: ${describe(error)}.`
  }
  return undefined
}

async function opensConnection(server: SnapshotServer): Promise<void> {
  const { host, port } = server
  const guard = guardOf(server)
  guard.refuse(host, port)
  const socket = connect({ host, port, lookup: guard.lookupFor(port), ...localAddressOf(server) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) })
  } finally {
    socket.destroy()
  }
}

async function answers(
  server: SnapshotServer,
  request: NonNullable<NonNullable<SnapshotServer['health']['probe']>['request']>,
): Promise<string | undefined> {
  const client = new Client(originOf(server), {
    connect: connectorOf(server, { allowH2: false }),
    ...localAddressOf(server),
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
  })
  try {
    const { statusCode, body } = await client.request({
      method: request.method,
      path: request.path,
      headers: [...(request.host === undefined ? [] : ['Host', request.host]), ...request.headers],
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    if (statusCode !== request.status) return `It answers ${statusCode} in place of ${request.status}.`
    if (request.contains === undefined) return undefined
    let text = ''
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.includes(request.contains)) return undefined
      if (text.length > bodyLimitBytes) break
    }
    return 'Its answer does not have the content that it should have.'
  } finally {
    await client.destroy()
  }
}
