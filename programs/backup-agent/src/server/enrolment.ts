import type { EnrolmentRequest } from '@palisade/agent-protocol'
import { agentPaths } from '@palisade/agent-protocol/wire'
import type { Identity } from '../identity.ts'
import { isRecord } from '../json.ts'
import type { ServerConnection } from './connection.ts'
import { ServerClient, shortReplyMaxBytes } from './exchange.ts'
import { ReplyBroken } from './request-failure.ts'
import { silenceBoundsOf } from './silence.ts'

/** Which computer of which account is enrolled, and the key that lets it. */
export type Applicant = Pick<EnrolmentRequest, 'account' | 'computer' | 'enrolmentKey'>

/**
 * Enrols this computer, with the server at the address in use. The server ends the credential of an earlier enrolment of the same computer.
 *
 * @returns the credential, and what the server calls the computer
 * @throws RequestRefused when the server does not know the computer or does not accept the key
 */
export async function enrol(
  applicant: Applicant,
  identity: Identity,
  server: Omit<ServerConnection, 'credential'>,
  signal: AbortSignal,
): Promise<{ credential: string; computerName: string }> {
  const client = new ServerClient({ ...server, credential: '' })
  const request: EnrolmentRequest = { ...applicant, ...identity }
  try {
    const reply = await client.exchangeJson({
      method: 'POST',
      path: agentPaths.enrol,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(request)),
      replyMaxBytes: shortReplyMaxBytes,
      silenceMaxMs: silenceBoundsOf(server.addresses).enrolmentMaxMs,
      signal,
    })
    if (isRecord(reply) && typeof reply.credential === 'string' && typeof reply.computerName === 'string') {
      return { credential: reply.credential, computerName: reply.computerName }
    }
    throw new ReplyBroken('the server answered the enrolment with something else than a credential')
  } finally {
    client.close()
  }
}
