import { Agent, request as send } from 'node:http'
import { bodyOf, type RecordedRequest } from './recorded-request.ts'

/** Why a request got no answer of the application. */
export interface Refusal {
  readonly request: RecordedRequest
  /** Undefined where the connection ended without an answer. */
  readonly status?: number
}

/** Sends requests one after the other, in the order in which they were recorded. @returns those that the application did not answer */
export async function replay(
  requests: readonly RecordedRequest[],
  port: number,
  application: { readonly status: number },
): Promise<Refusal[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const refusals: Refusal[] = []
  for (const request of requests) {
    const status = await statusOf(request, port, agent)
    if (status !== application.status) refusals.push(status === undefined ? { request } : { request, status })
  }
  agent.destroy()
  return refusals
}

function statusOf(request: RecordedRequest, port: number, agent: Agent): Promise<number | undefined> {
  const { method, target } = request
  const body = bodyOf(request)
  const headers = headersWithLength(request.headers, body.length)
  return new Promise((resolve) => {
    const outgoing = send({ host: '127.0.0.1', port, method, path: target, headers, agent, timeout: 20_000 })
    outgoing.on('response', (reply) => {
      reply.resume()
      reply.on('close', () => resolve(reply.statusCode))
    })
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve(undefined))
    outgoing.end(body)
  })
}

/** Recorded lengths are those before the names of hosts were replaced. */
function headersWithLength(headers: readonly string[], length: number): string[] {
  return headers.map((part, index) =>
    index % 2 === 1 && /^content-length$/i.test(headers[index - 1] ?? '') ? String(length) : part,
  )
}
