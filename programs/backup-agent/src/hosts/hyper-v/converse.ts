import { isRecord } from '../../json.ts'
import { HostFailure, type HostProblem } from '../failure.ts'
import type { CommandResult } from '../run-bounded.ts'
import { hyperVScript } from './script.ts'
import type { Shell } from './shell.ts'

/** What the script can be asked for. */
export type HyperVCommand =
  | 'describe-host'
  | 'list-switches'
  | 'list-machines'
  | 'define'
  | 'start'
  | 'shut-down'
  | 'turn-off'
  | 'remove'
  | 'missing-disks'

/** Another machine than the one that the agent runs on. */
export interface RemoteHost {
  readonly computerName: string
  /** The agent's own account unless given. */
  readonly credentials?: { readonly userName: string; readonly password: string }
}

/** What the script reads from its standard input, as JSON. It may hold a password, so it belongs in no log. */
export interface HyperVRequest extends Partial<RemoteHost> {
  readonly command: HyperVCommand
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Has the script do something, and gives the value of its reply.
 *
 * @throws HostFailure with what PowerShell said; credentials are in no message
 */
export async function converse(shell: Shell, request: HyperVRequest, signal?: AbortSignal): Promise<unknown> {
  const result = await shell.run(hyperVScript, asciiJson(request), signal)
  const reply = parseReply(result)
  if (reply.ok === true) return reply.value
  const { id, category, message } = reply
  throw asFailure({ id: String(id), category: String(category), message: String(message) })
}

/** JSON in which every character beyond ASCII is escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function parseReply({ status, stdout, stderr }: CommandResult): Record<string, unknown> {
  try {
    const reply: unknown = JSON.parse(Buffer.from(stdout.trim(), 'base64').toString('utf8'))
    if (isRecord(reply)) return reply
  } catch {
    // What came instead is in the failure below.
  }
  const errorLine = stderr.trim().split('\n', 1)[0] ?? ''
  throw new HostFailure(
    { code: 'host-error' },
    `PowerShell ended with status ${status} and no reply: ${errorLine}`,
  )
}

interface Complaint {
  readonly id: string
  readonly category: string
  readonly message: string
}

/** PowerShell's categories and ids do not depend on the language of Windows; its messages do. */
const meanings: readonly (readonly [
  (complaint: Complaint) => boolean,
  HostProblem['code'] & ('access-denied' | 'host-unreachable'),
])[] = [
  [({ category, id }) => category === 'PermissionDenied' || id.startsWith('AccessDenied'), 'access-denied'],
  [({ category }) => category === 'ConnectionError' || category === 'OpenTimeout', 'host-unreachable'],
  [
    ({ id }) => /^(Modules_ModuleNotFound|CouldNotAutoLoadModule|CommandNotFoundException)/.test(id),
    'host-unreachable',
  ],
]

function asFailure(complaint: Complaint): HostFailure {
  const code = meanings.find(([applies]) => applies(complaint))?.[1] ?? 'host-error'
  return new HostFailure({ code }, `Hyper-V: ${complaint.message} (${complaint.id})`)
}
