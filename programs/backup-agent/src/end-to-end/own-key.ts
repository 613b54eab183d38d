import { existsSync } from 'node:fs'
import { domainName } from '@palisade/agent-protocol/wire'
import type { Log } from '@palisade/log'
import {
  createKeyFile,
  deriveEndToEndKeys,
  type EndToEndKeys,
  isVaultFailure,
  readKeyFile,
} from '@palisade/vault'
import type { Membership } from '../state/credential.ts'
import type { OwnKeyMemory } from './own-key-memory.ts'

/** The agent does not start until the operator acts about the computer's own key. */
export class OwnKeyRefused extends Error {
  override readonly name = 'OwnKeyRefused'
}

/** The key of its own that the computer seals its backups with, end to end. It is in no message and no log. */
export interface OwnKey extends EndToEndKeys {
  /** Whether restores may write to network shares what was sealed with it. */
  readonly sharesAllowed: boolean
  /** Called before the first chunk is sealed: from then on the agent does not start without this key. */
  confirm(): Promise<void>
}

/** What the operator of the computer says about its own key. */
export interface OwnKeySettings {
  /** Undefined when the computer is to have no key of its own. */
  readonly file: string | undefined
  readonly sharesAllowed: boolean
}

/**
 * Opens the computer's own key; makes it when the file is not there and no backup was sealed with one yet.
 *
 * @returns undefined when there is none
 * @throws OwnKeyRefused when this agent has sealed backups with another key, or the file is not one
 */
export async function openOwnKey(
  { file, sharesAllowed }: OwnKeySettings,
  { account, computer }: Pick<Membership, 'account' | 'computer'>,
  memory: OwnKeyMemory,
  log: Log,
): Promise<OwnKey | undefined> {
  const domain = domainName(account, computer)
  const remembered = await memory.read(domain)
  if (file === undefined) {
    if (remembered === undefined) return undefined
    throw new OwnKeyRefused(
      `the backups of this computer are sealed end to end with the key ${remembered}; name its file with ` +
        `--end-to-end-key-file, or remove ${memory.path} to have the next backups sealed without it`,
    )
  }
  const keys = deriveEndToEndKeys(await readOrMake(file, remembered, log), domain)
  if (remembered !== undefined && remembered !== keys.keyCheck) {
    throw new OwnKeyRefused(
      `${file} holds the key ${keys.keyCheck}, but the backups of this computer are sealed with ${remembered}; ` +
        `put that one back, or remove ${memory.path} to have the next backups sealed with the other`,
    )
  }
  return { ...keys, sharesAllowed, confirm: () => memory.keep(domain, keys.keyCheck) }
}

async function readOrMake(file: string, remembered: string | undefined, log: Log): Promise<Uint8Array> {
  try {
    if (existsSync(file)) return await readKeyFile(file)
    if (remembered === undefined) {
      const key = await createKeyFile(file)
      log.warn(
        { file },
        'a new end-to-end key for this computer was made: keep a copy elsewhere now. Without it every backup of this ' +
          'computer is lost for good; the server does not have it and nobody can help',
      )
      return key
    }
  } catch (error) {
    if (!isVaultFailure(error)) throw error
    throw new OwnKeyRefused(error.message, { cause: error })
  }
  throw new OwnKeyRefused(
    `${file} is missing, and the backups of this computer are sealed with the key ${remembered}: put your copy of it back`,
  )
}
