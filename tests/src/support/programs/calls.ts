import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Server } from './server.ts'

/** The HTTP Basic form of a firewall token: the token as the user, with an empty password. */
export function basic(token: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
}

/** The token of the firewall's provisioned administrator. */
export async function firewallToken(server: Pick<Server, 'firewall'>): Promise<string> {
  const reply = await fetch(`${server.firewall}/restapi/v3.2/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'correct horse' }),
  })
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { token: string }).token
}

/** The Authorization header for the backup or the email service. */
export async function bearer(
  server: Pick<Server, 'services'>,
  service: 'backup' | 'email',
): Promise<Record<string, string>> {
  const reply = await fetch(`${server.services}/${service}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'automation',
      client_secret: `${service} secret`,
    }),
  })
  assert.equal(reply.status, 200)
  const { access_token } = (await reply.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

/** The access token of the provisioned user of the awareness service. */
export async function awarenessToken(server: Server): Promise<string> {
  const reply = await fetch(`${server.services}/awareness/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      bof_ticket_user: 'api@example.org',
      bof_ticket_pw: 'battery staple',
      api_key: 'KEY-1',
    }),
  })
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { data: { access_token: string } }).data.access_token
}

/** Waits until `look` gives something, asking again every 20 ms. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await look()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`${what} did not happen in ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until a program takes connections at a port of loopback. */
export async function untilListening(program: string, port: number): Promise<void> {
  await eventually(`${program} listening`, async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => undefined,
    )
    socket.destroy()
    return isOpen
  })
}
