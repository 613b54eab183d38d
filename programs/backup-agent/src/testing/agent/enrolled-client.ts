import { agentPaths } from '@palisade/agent-protocol/wire'
import { serverAddresses } from '../../server/addresses.ts'
import { ServerClient } from '../../server/exchange.ts'
import type { ProtocolServer } from './protocol-server.ts'

/** A client of its own, as an agent that has enrolled. */
export async function enrolledClient(server: ProtocolServer): Promise<ServerClient> {
  const reply = await fetch(server.url + agentPaths.enrol, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ enrolmentKey: server.enrolmentKey }),
  })
  const { credential } = (await reply.json()) as { credential: string }
  return new ServerClient({
    addresses: serverAddresses([server.url]),
    credential,
    trust: { insecure: false },
  })
}
