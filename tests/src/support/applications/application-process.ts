import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from '../programs/calls.ts'

/** How a program of others is started that answers HTTP. */
export interface ApplicationProgram {
  readonly command: string
  readonly argv: readonly string[]
  /** Variables beside PATH. */
  readonly environment: Readonly<Record<string, string>>
  /** Where it answers once it is ready. */
  readonly address: string
  /** Says whether it is, of a program that does not speak HTTP. */
  readonly ready?: () => Promise<true | undefined>
  /** Where it looks for files, and leaves some. */
  readonly folder?: string
}

const running = new Set<ChildProcess>()

/** Whoever has not ended by then is killed. */
const endTimeoutMs = 10_000

/** Starts an application and waits until it answers; `cleanUpProcesses` ends it. */
export async function startApplication(program: ApplicationProgram): Promise<void> {
  const { command, argv, environment, address, ready, folder } = program
  const child = spawn(command, argv, {
    // A group of its own, since some start others that answer.
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', ...environment },
    ...(folder === undefined ? {} : { cwd: folder }),
  })
  running.add(child)
  await eventually(`${command} at ${address}`, ready ?? (() => answers(address)))
}

function answers(address: string): Promise<true | undefined> {
  return fetch(address).then(
    async (reply) => {
      await reply.arrayBuffer()
      return true as const
    },
    () => undefined,
  )
}

/** Ends the applications; their folders go with `cleanUp`. */
export async function cleanUpProcesses(): Promise<void> {
  await Promise.all([...running].map(end))
  running.clear()
}

/** Lets a program end what it has started in groups of their own. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const group = -child.pid
  const ended = once(child, 'exit')
  const killing = setTimeout(() => process.kill(group, 'SIGKILL'), endTimeoutMs)
  process.kill(group, 'SIGTERM')
  await ended
  clearTimeout(killing)
}
