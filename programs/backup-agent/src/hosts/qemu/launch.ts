/**
 * A QEMU in the background. It may start no process, so it cannot put itself there (`-daemonize`): it is started in a session of its own,
 * and watched until it answers. It goes on when the agent ends.
 */

import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { systemCode } from '@palisade/private-files'
import { HostFailure } from '../failure.ts'
import { searchPath } from '../run-bounded.ts'
import type { MachineUser } from './machine-user.ts'
import { type QmpPlace, qmp } from './qmp.ts'

/** Where, with which open files and as whom a QEMU is started. */
export interface Launch {
  readonly place: QmpPlace
  /** Where it is started; paths of its parameters are relative to this. */
  readonly directory: string
  /** What it gets open, as its descriptors from 3 on. */
  readonly descriptors: readonly number[]
  /** The agent's own user when left out. */
  readonly user: MachineUser | undefined
}

/** How a QEMU ended that was to stay. */
export interface QemuExit {
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

const startTimeoutMs = 30_000
const lookEveryMs = 50
const answerTimeoutMs = 2_000
/** Of what it says before it ends. */
const stderrLengthMax = 64 * 1024

/**
 * Starts a QEMU, and waits until it has opened everything.
 *
 * @param onStarted is told the id of its process at once
 * @returns how it ended, when it did instead
 * @throws HostFailure `host-unreachable` when there is no such program, `timed-out` when it did neither; the signal's reason
 */
export async function launch(
  program: string,
  parameters: readonly string[],
  { place, directory, descriptors, user }: Launch,
  onStarted: (pid: number) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<QemuExit | undefined> {
  signal?.throwIfAborted()
  const child = spawn(program, parameters, {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', ...descriptors],
    env: { ...process.env, PATH: searchPath(), LC_ALL: 'C' },
    ...user,
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    if (stderr.length < stderrLengthMax) stderr += piece
  })
  const ended = new Promise<QemuExit>((resolve, reject) => {
    child.on('error', (cause) => reject(notStarted(program, user, cause)))
    child.on('close', (_status, killedBy) => resolve({ signal: killedBy, stderr }))
  })
  const looking = new AbortController()
  try {
    const answering = answers(place, looking.signal, signal)
    answering.catch(() => undefined)
    ended.catch(() => undefined)
    if (child.pid !== undefined) await onStarted(child.pid)
    const outcome = await Promise.race([ended, answering])
    if (outcome !== 'answers') return outcome
    return undefined
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    looking.abort()
    // What it says from now on nobody hears; QEMU does not mind.
    child.stderr?.destroy()
    child.unref()
  }
}

function notStarted(program: string, user: MachineUser | undefined, cause: Error): HostFailure {
  if (systemCode(cause) === 'ENOENT' || user === undefined) {
    return new HostFailure({ code: 'host-unreachable' }, `${program} cannot be run`, { cause })
  }
  const message = `${program} cannot be run as user ${user.uid} and group ${user.gid}; name another with --machine-user`
  return new HostFailure({ code: 'host-error' }, message, { cause })
}

/** Waits until QEMU answers, which it does when it has opened everything. */
async function answers(
  place: QmpPlace,
  looking: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<'answers'> {
  const deadline = Date.now() + startTimeoutMs
  while (!looking.aborted) {
    signal?.throwIfAborted()
    if (Date.now() > deadline) {
      throw new HostFailure({ code: 'timed-out', afterMs: startTimeoutMs }, 'QEMU took too long to start')
    }
    const status = await qmp(place, { execute: 'query-status' }, answerTimeoutMs).catch(() => undefined)
    if (status !== undefined) return 'answers'
    await delay(lookEveryMs, undefined, { signal: looking })
  }
  throw looking.reason
}
