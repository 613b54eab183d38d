import { spawn } from 'node:child_process'
import { systemCode } from '@palisade/private-files'
import { HostFailure } from './failure.ts'

/** More than any reply that a driver reads; what goes beyond is cut off. */
const outputBytesMaximum = 8 * 1024 * 1024
/** A daemon that inherited the pipes can hold them open long after the program has ended. */
const outputPatienceMs = 1_000

/** How a command ended. */
export interface CommandResult {
  /** -1 when a signal ended it. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** How long a command may run and how much it may print. */
export interface CommandOptions {
  readonly timeoutMs: number
  /** Given on standard input, which is closed after it. */
  readonly input?: string
  readonly directory?: string
  /** Whom the program runs as; this process's own user unless given. */
  readonly user?: { readonly uid: number; readonly gid: number }
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs a program without a shell and gives its exit status and what it printed. It is killed when its time is over or
 * the signal is aborted; nothing of it runs any more when this settles, except what it put into the background.
 *
 * @throws HostFailure `host-unreachable` when there is no such program, `timed-out` when it took too long
 * @throws the signal's reason
 */
export async function runBounded(
  program: string,
  parameters: readonly string[],
  { timeoutMs, input = '', directory, user, signal }: CommandOptions,
): Promise<CommandResult> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const killing = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const child = spawn(program, parameters, {
    cwd: directory,
    env: { ...process.env, PATH: searchPath(), LC_ALL: 'C' },
    signal: killing,
    killSignal: 'SIGKILL',
    windowsHide: true,
    ...user,
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  let notStarted: Error | undefined
  child.on('error', (error) => {
    notStarted = error
    if (child.pid === undefined) close()
  })
  child.on('exit', () => setTimeout(close, outputPatienceMs).unref())
  child.on('close', () => close())
  // A program that ended without reading its input is judged by its status.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  await closed
  child.stdout.destroy()
  child.stderr.destroy()
  signal?.throwIfAborted()
  if (timeout.aborted) {
    throw new HostFailure({ code: 'timed-out', afterMs: timeoutMs }, `${program} took too long`)
  }
  if (child.pid === undefined) throw asFailure(program, notStarted)
  return { status: child.exitCode ?? -1, stdout: stdout(), stderr: stderr() }
}

function asFailure(program: string, error: unknown): HostFailure {
  return systemCode(error) === 'ENOENT'
    ? new HostFailure({ code: 'host-unreachable' }, `${program} is not installed`, { cause: error })
    : new HostFailure({ code: 'host-error' }, `${program} cannot be run`, { cause: error })
}

/** Debian keeps some of the programs where only root looks for them. */
export function searchPath(): string {
  const path = process.env.PATH ?? ''
  return process.platform === 'win32' ? path : `${path}:/usr/bin:/usr/sbin:/sbin`
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  stream.on('data', (piece: Buffer) => {
    if (sizeBytes < outputBytesMaximum) pieces.push(piece)
    sizeBytes += piece.byteLength
  })
  return () => Buffer.concat(pieces).toString('utf8')
}
