import assert from 'node:assert/strict'
import { bearer, eventually } from '../programs/calls.ts'
import type { Server } from '../programs/server.ts'

/** A backup or a restore, as the API shows it. */
export interface TaskRecord {
  readonly state: string
  readonly step: string
  readonly bytesDone: number
  readonly bytesTotal: number
  readonly revisionId?: number | null
  readonly files?: readonly string[]
  readonly error?: { readonly code: string; readonly message: string } | null
}

/** A run of several backups, as the API shows it. */
export interface ActionRecord {
  readonly state: string
  readonly reason: string
  readonly ended: string | null
  /** The ids of the backups that it consists of. */
  readonly backups: readonly string[]
}

/** Where disks go: a folder of the computer, or one on a share with who may write there. */
export type Destination =
  | string
  | { readonly path: string; readonly credentials: { readonly username: string; readonly password: string } }

/** Calls of the backup service for the provisioned computer, or another one of its account. */
export class Backups {
  readonly #base: string
  readonly #headers: Record<string, string>

  private constructor(base: string, headers: Record<string, string>) {
    this.#base = base
    this.#headers = headers
  }

  static async connect(server: Pick<Server, 'services'>, computer = '0001'): Promise<Backups> {
    const base = `${server.services}/backup/v2/accounts/acme/computers/${computer}`
    return new Backups(base, await bearer(server, 'backup'))
  }

  call(method: string, path: string, body?: object): Promise<Response> {
    const content = body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}
    return fetch(`${this.#base}${path}`, {
      method,
      ...content,
      headers: { ...content.headers, ...this.#headers },
    })
  }

  /** Waits until the server sees the agent. */
  untilOnline(): Promise<true> {
    return this.#untilOnlineIs(true)
  }

  /** Waits until the server no longer sees the agent. */
  untilOffline(): Promise<true> {
    return this.#untilOnlineIs(false)
  }

  #untilOnlineIs(expected: boolean): Promise<true> {
    return eventually(`the agent being ${expected ? 'online' : 'offline'}`, async () => {
      const { online } = (await (await this.call('GET', '')).json()) as { online: boolean }
      return online === expected ? true : undefined
    })
  }

  async startBackup(path: string, partition?: number): Promise<string> {
    const source = partition === undefined ? { path } : { path, partition }
    const reply = await this.call('POST', '/backups', { source })
    const text = await reply.text()
    assert.equal(reply.status, 202, text)
    return (JSON.parse(text) as { data: { id: string } }).data.id
  }

  async startRestore(
    revisions: readonly number[],
    destination: Destination,
    diskFormat = 'Vhdx',
  ): Promise<string> {
    const reply = await this.call('POST', '/restore/diskimage/standard/vhd', {
      destination: typeof destination === 'string' ? { path: destination } : destination,
      diskFormat,
      revisions,
    })
    assert.equal(reply.status, 204, await reply.text())
    const id = reply.headers.get('x-restore-id')
    assert.ok(id)
    return id
  }

  async task(kind: 'backups' | 'restores', id: string): Promise<TaskRecord> {
    const reply = await this.call('GET', `/${kind}/${id}`)
    assert.equal(reply.status, 200)
    return (await reply.json()) as TaskRecord
  }

  /** The task's record when it has ended, however it ended. */
  ended(kind: 'backups' | 'restores', id: string, timeoutMs?: number): Promise<TaskRecord> {
    const look = async () => {
      const task = await this.task(kind, id)
      return ['SUCCESS', 'ERROR', 'CANCELED'].includes(task.state) ? task : undefined
    }
    return eventually(`the end of ${kind} ${id}`, look, timeoutMs)
  }

  async action(id: string): Promise<ActionRecord> {
    const reply = await this.call('GET', `/backupsets/${id}/info`)
    return ((await reply.json()) as { data: ActionRecord }).data
  }

  /** How an action ended, by the reply that named it. */
  async actionEnded(started: Response): Promise<ActionRecord> {
    assert.ok(started.ok, `${started.status} ${await started.clone().text()}`)
    const { data } = (await started.json()) as { data: { id: string } }
    return this.endOfAction(data.id)
  }

  /** The action's record when it has ended, however it ended. */
  endOfAction(id: string): Promise<ActionRecord> {
    return eventually(`the end of action ${id}`, async () => {
      const action = await this.action(id)
      return action.ended === null ? undefined : action
    })
  }

  /** Backs a source up and returns the new revision's id. */
  async backUp(path: string, partition?: number): Promise<number> {
    const task = await this.ended('backups', await this.startBackup(path, partition))
    assert.equal(task.state, 'SUCCESS', JSON.stringify(task))
    assert.ok(typeof task.revisionId === 'number')
    return task.revisionId
  }

  /** Restores one revision and returns its file. */
  async restore(revision: number, destination: Destination, diskFormat?: string): Promise<string> {
    const task = await this.ended('restores', await this.startRestore([revision], destination, diskFormat))
    assert.equal(task.state, 'SUCCESS', JSON.stringify(task))
    const [file] = task.files ?? []
    assert.ok(file)
    return file
  }
}
