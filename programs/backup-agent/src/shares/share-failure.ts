import { taskFailures } from '@palisade/agent-protocol/wire'
import { destinationFailures, type FailureCode, TaskFailure } from '../failure.ts'

/** What Samba's client said went wrong: its line, and the code of the SMB protocol in it, without `NT_STATUS_`. */
export interface SmbError {
  readonly line: string
  readonly status: string
}

/** What of the output of Samba's client is a complaint. */
export function complaintsIn(output: string): readonly SmbError[] {
  return output.split('\n').flatMap((line) => {
    const [, status] = /\bNT_STATUS_([A-Z0-9_]+)/.exec(line) ?? []
    return status === undefined || status === 'OK' ? [] : [{ line: line.trim(), status }]
  })
}

/** The server, or the way to it, is gone. Servers that are shutting down say some of these. */
const unreachable = new Set([
  ...['CONNECTION_REFUSED', 'CONNECTION_RESET', 'CONNECTION_DISCONNECTED', 'CONNECTION_ABORTED'],
  ...['CONNECTION_INVALID', 'LOCAL_DISCONNECT', 'REMOTE_DISCONNECT', 'PIPE_BROKEN', 'VIRTUAL_CIRCUIT_CLOSED'],
  ...[
    'HOST_UNREACHABLE',
    'NETWORK_UNREACHABLE',
    'PORT_UNREACHABLE',
    'BAD_NETWORK_PATH',
    'UNEXPECTED_NETWORK_ERROR',
  ],
  ...[
    'IO_TIMEOUT',
    'NETWORK_NAME_DELETED',
    'NETWORK_SESSION_EXPIRED',
    'USER_SESSION_DELETED',
    'NO_LOGON_SERVERS',
  ],
  ...['REQUEST_NOT_ACCEPTED', 'INVALID_NETWORK_RESPONSE', 'END_OF_FILE', 'BAD_NETWORK_NAME_DELETED'],
])
const missing = new Set([
  ...[
    'BAD_NETWORK_NAME',
    'OBJECT_PATH_NOT_FOUND',
    'OBJECT_NAME_NOT_FOUND',
    'NO_SUCH_FILE',
    'NOT_A_DIRECTORY',
  ],
  ...['OBJECT_NAME_INVALID', 'OBJECT_PATH_INVALID', 'OBJECT_PATH_SYNTAX_BAD', 'BAD_DEVICE_TYPE'],
  ...['OBJECT_NAME_COLLISION', 'PATH_NOT_COVERED'],
])
const forbidden = new Set([
  ...['ACCESS_DENIED', 'NETWORK_ACCESS_DENIED', 'MEDIA_WRITE_PROTECTED', 'PRIVILEGE_NOT_HELD'],
])
const full = new Set(['DISK_FULL', 'QUOTA_EXCEEDED', 'FILE_TOO_LARGE'])

/**
 * The complaint that says why: the first that says something. When the connection breaks the client may complain of a
 * wrong parameter first; when a disk is full, of a broken connection last.
 */
export function decisiveOf(complaints: readonly SmbError[]): SmbError | undefined {
  return complaints.find(({ status }) => status !== 'INVALID_PARAMETER') ?? complaints[0]
}

/**
 * A complaint as a failure of the restore, in the codes of the specification's destination table.
 *
 * @param unc the share or file that it is about
 * @param hasCredentials whether a user was to be logged on
 */
export function shareFailure({ line, status }: SmbError, unc: string, hasCredentials: boolean): TaskFailure {
  return new TaskFailure(
    codeOf(line, status, hasCredentials),
    `${unc}: ${reasonOf(line, status)} (${status})`,
  )
}

/** Whether trying again may help: the server was not reached. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TaskFailure && error.code === destinationFailures.networkShareInaccessible
}

function codeOf(line: string, status: string, hasCredentials: boolean): FailureCode {
  const phase = phaseOf(line)
  if (phase === 'connecting' || unreachable.has(status)) return destinationFailures.networkShareInaccessible
  if (phase === 'logging on') return destinationFailures.networkShareInvalidAuth
  if (missing.has(status)) return destinationFailures.networkPathNotFound
  if (phase === 'entering' && !hasCredentials) return destinationFailures.networkShareInvalidAuth
  if (forbidden.has(status)) return destinationFailures.networkShareNoWritePermissions
  if (full.has(status)) return taskFailures.notEnoughSpace
  return destinationFailures.createFolderFailed
}

function reasonOf(line: string, status: string): string {
  const phase = phaseOf(line)
  if (phase === 'connecting' || unreachable.has(status)) return 'the server cannot be reached'
  if (phase === 'logging on') return 'the server does not accept the credentials'
  if (phase === 'entering') return 'the server does not let the agent use the share'
  if (missing.has(status)) return 'the folder is not there and cannot be made'
  if (forbidden.has(status)) return 'the agent may not write there'
  if (full.has(status)) return 'there is not enough space'
  return 'the server refused'
}

/** How far the client came, by the words that it begins its complaint with. */
function phaseOf(line: string): 'connecting' | 'logging on' | 'entering' | 'using' {
  if (/^(?:do_connect|protocol negotiation failed)/.test(line)) return 'connecting'
  if (line.startsWith('session setup failed')) return 'logging on'
  return line.startsWith('tree connect failed') ? 'entering' : 'using'
}
