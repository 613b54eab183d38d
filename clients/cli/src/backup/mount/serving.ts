import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { isAbsolute } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  answer,
  type BackupClient,
  type BackupSchemas,
  type ComputerPath,
  errorOf,
  waitForTask,
} from '@palisade/sdk'
import { UsageError } from '../../exit-status.ts'
import type { OutputOptions } from '../../output.ts'
import { awayMaxMs, isAway } from '../patient-read.ts'

/** A restore, as the API shows it. */
export type Restore = BackupSchemas['schemas']['Restore']

/** Shows served disks to the user. @returns a function that undoes it */
export type Show = (
  served: { readonly restore: Restore; readonly socketPath: string },
  options: OutputOptions,
) => Promise<() => Promise<void>>

const pollMs = 1000
/** An agent notices in half a second that a restore is to end. */
const endMaxMs = 15_000

/**
 * Disks that the agent of this computer serves, from the request until the end. One connection is held all the time: when this process is gone,
 * the agent sees that nobody reads any more.
 */
export class Serving {
  readonly #client: BackupClient
  readonly #path: ComputerPath
  readonly #id: string
  #socket: Socket | undefined
  #failuresTold = 0

  private constructor(client: BackupClient, path: ComputerPath, id: string) {
    this.#client = client
    this.#path = path
    this.#id = id
  }

  /** Has the agent serve revisions. @throws ApiError when the server refuses */
  static async start(
    client: BackupClient,
    path: ComputerPath,
    revisions: readonly number[],
  ): Promise<Serving> {
    const { response, error } = await client.POST(
      '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/nbd',
      { params: { path }, body: { revisions: [...revisions] } },
    )
    const id = response.headers.get('x-restore-id')
    if (id === null) throw errorOf(response, error)
    return new Serving(client, path, id)
  }

  /**
   * Waits until the disks can be read, and connects.
   *
   * @throws UsageError when the restore ends before, or its agent is on another computer
   */
  async begin(signal: AbortSignal): Promise<{ restore: Restore; socketPath: string }> {
    for (;;) {
      const restore = await this.#read()
      requireRunning(restore)
      if (restore.served !== null) {
        const { socketPath } = restore.served
        this.#socket = await connectTo(socketPath)
        return { restore, socketPath }
      }
      await delay(pollMs / 5, undefined, { signal })
    }
  }

  /**
   * Resolves when the signal is aborted.
   *
   * @param tell is told in a sentence that some reads have failed
   * @throws UsageError when the disks cannot be read any more: the restore has ended, the agent is gone, or the server for a minute
   */
  async watch(signal: AbortSignal, tell: (sentence: string) => void): Promise<void> {
    const firstEnded = new AbortController()
    const ending = AbortSignal.any([signal, firstEnded.signal])
    try {
      await Promise.race([this.#untilClosed(ending), this.#poll(ending, tell)])
    } finally {
      firstEnded.abort()
    }
  }

  /** Resolves when the signal is aborted. @throws UsageError when the agent has closed the connection */
  async #untilClosed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#socket?.destroyed !== false) throw new UsageError('The agent has stopped serving the disks.')
      await pause(signal)
    }
  }

  async #poll(signal: AbortSignal, tell: (sentence: string) => void): Promise<void> {
    let awaySince: number | undefined
    while (!signal.aborted) {
      try {
        const restore = await this.#read()
        awaySince = undefined
        requireRunning(restore)
        this.#tellFailures(restore.served, tell)
      } catch (error) {
        awaySince ??= performance.now()
        if (!isAway(error) || performance.now() - awaySince >= awayMaxMs) throw error
      }
      await pause(signal)
    }
  }

  /** Cancels the restore. @returns how it ended; undefined when agent or server do not answer in time: the agent then ends it by itself */
  async end(): Promise<Restore | undefined> {
    const isAgentThere = this.#socket?.destroyed === false
    this.#socket?.destroy()
    const id = { ...this.#path, id: this.#id }
    try {
      await this.#client.POST('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}/cancel', {
        params: { path: id },
      })
      if (!isAgentThere) return undefined
      return await waitForTask(() => this.#read(), {
        everyMs: 200,
        signal: AbortSignal.timeout(endMaxMs),
      })
    } catch {
      return undefined
    }
  }

  #tellFailures(served: Restore['served'], tell: (sentence: string) => void): void {
    if (served === null || served.failures === this.#failuresTold) return
    this.#failuresTold = served.failures
    tell(`${served.failures} reads have failed so far, the last one because: ${served.lastFailure}`)
  }

  #read(): Promise<Restore> {
    return answer(
      this.#client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}', {
        params: { path: { ...this.#path, id: this.#id } },
      }),
    )
  }
}

/** Waits for a moment, or until the signal is aborted. */
async function pause(signal: AbortSignal): Promise<void> {
  await delay(pollMs, undefined, { signal }).catch(() => {})
}

function requireRunning({ id, state, error }: Restore): void {
  if (state === 'RUNNING') return
  throw new UsageError(error ? `${error.code}: ${error.message}` : `Restore ${id} has ended as ${state}.`)
}

/** @throws UsageError that says what to do when there is no such socket here, or it is somebody else's */
async function connectTo(socketPath: string): Promise<Socket> {
  try {
    if (!isAbsolute(socketPath) || !(await stat(socketPath)).isSocket())
      throw new UsageError(`${socketPath} is no socket.`)
    const socket = connect(socketPath)
    await once(socket, 'connect')
    // The greeting of the server; nothing else comes as long as nothing is asked.
    socket.resume()
    socket.on('error', () => {})
    return socket
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === 'ENOENT')
      throw new UsageError(
        `The agent serves the disks at ${socketPath}, which is not on this machine: run this command where the agent runs.`,
      )
    if (code === 'EACCES')
      throw new UsageError(
        `The agent serves the disks at ${socketPath}, which is for its own user: run this command as that user, or as root.`,
      )
    throw error
  }
}
