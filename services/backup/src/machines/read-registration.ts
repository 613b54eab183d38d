import { RequestInvalid } from '../envelope.ts'
import { isHostName } from '../hosts/hosts.ts'
import { asCredentials, asObject, oneOf } from '../restore/read-fields.ts'
import type { ShareCredentials } from '../tasks/task.ts'
import { readSessionId } from './fields.ts'

/** A host of another machine that is to be registered. */
export interface RemoteRegistration {
  readonly sessionId: string
  readonly hostName: string
  /** Who is to be logged on; undefined for the user that the agent runs as. */
  readonly logon: ShareCredentials | undefined
}

const messages = {
  hostName: '[hostname] is missing or invalid',
  authenticationMode: '[authenticationmode] is missing or invalid; allowed values are sspi, credentials',
  credentials: '[credentials][username] and [credentials][password] must be set to a string',
} as const

/**
 * Reads the body of a registration of a remote host (reference, section 2.4).
 *
 * @throws RequestInvalid naming everything that is wrong
 */
export function readRemoteRegistration(body: unknown): RemoteRegistration {
  const fields = asObject(body) ?? {}
  const errors: string[] = []
  const sessionId = readSessionId(fields.sessionId, errors)
  const { hostName } = fields
  const isNamed = typeof hostName === 'string' && isHostName(hostName)
  if (!isNamed) errors.push(messages.hostName)
  const mode = oneOf<'sspi' | 'credentials'>(fields.authenticationMode, {
    sspi: 'sspi',
    credentials: 'credentials',
  })
  if (mode === undefined) errors.push(messages.authenticationMode)
  const logon = mode === 'credentials' ? asCredentials(fields.credentials) : undefined
  if (mode === 'credentials' && logon === undefined) errors.push(messages.credentials)
  if (errors.length > 0 || sessionId === undefined || !isNamed) throw new RequestInvalid(errors)
  return { sessionId, hostName, logon }
}
