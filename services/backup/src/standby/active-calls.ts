import { setTimeout as delay } from 'node:timers/promises'
import { LazyValidator } from '@palisade/platform'
import type { Static, TSchema } from 'typebox'
import {
  Leave,
  PackReceipt,
  ServerProofs,
  serverPaths,
  serverProofHeader,
} from '../agent-routes/server-calls.ts'

/** What chunks of a backup are stored by. */
export type UploadLeave = Static<typeof Leave>

/** Sends a request without a body to the active server, below the base path of its service. @throws when it cannot be reached */
export type CallActive = (
  path: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: string }>

const leaveForm = new LazyValidator(Leave)
const takenForm = new LazyValidator(PackReceipt)

/** So often the active server is told of a pack while it cannot be reached or cannot say; it may be restarted meanwhile. */
const tellAttemptsMax = 4
const tellAgainAfterMs = 1_000

/** What a server that stands by asks of the active one. */
export class ActiveCalls {
  readonly #call: CallActive
  readonly #proofs: ServerProofs

  /** @param key of the installation */
  constructor(call: CallActive, key: Buffer) {
    this.#call = call
    this.#proofs = new ServerProofs(key)
  }

  /**
   * Asks for leave to store what an agent sends for a backup.
   *
   * @param authorization the header with the agent's credential
   * @returns undefined when the active server refuses: it tells the agent why
   */
  async leave(backupId: string, authorization: string): Promise<UploadLeave | undefined> {
    const { status, body } = await this.#call(serverPaths.upload(backupId), {
      authorization,
      [serverProofHeader]: this.#proofs.of(authorization, backupId),
    })
    return status === 200 ? read(leaveForm, body) : undefined
  }

  /** Tells of a durable pack. @returns whether the vault counts on it now */
  async tell(backupId: string, packId: string, authorization: string): Promise<boolean> {
    const headers = {
      authorization,
      [serverProofHeader]: this.#proofs.of(authorization, backupId, packId),
    }
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#call(serverPaths.pack(backupId, packId), headers).catch(() => undefined)
      if (reply?.status === 200) return read(takenForm, reply.body)?.taken ?? false
      if (reply !== undefined && reply.status !== 503) return false
      if (attempt === tellAttemptsMax) return false
      await delay(tellAgainAfterMs)
    }
  }
}

/** Undefined when it has another form, as one of another release. */
function read<Schema extends TSchema>(form: LazyValidator<Schema>, body: string): Static<Schema> | undefined {
  const value: unknown = JSON.parse(body)
  return form.Check(value) ? value : undefined
}
