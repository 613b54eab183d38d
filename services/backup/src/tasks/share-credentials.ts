import { TextSeal } from '@palisade/platform'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseStored } from '../stored-json.ts'
import type { ShareCredentials } from './task.ts'

const credentialForms = Compile(Type.Object({ username: Type.String(), password: Type.String() }))

/**
 * Credentials of a share while a restore needs them: sealed, and bound to the restore, so that they cannot be moved
 * to another one. They are wiped when the restore ends.
 */
export class CredentialSeal {
  readonly #seal: TextSeal

  /** @param installationKey 32 bytes that only this installation knows */
  constructor(installationKey: Buffer) {
    this.#seal = new TextSeal(installationKey, 'palisade-backup/share-credentials')
  }

  seal(restoreId: string, { username, password }: ShareCredentials): string {
    return this.#seal.seal(JSON.stringify({ username, password }), restoreId)
  }

  /** @throws Error when this is not what was sealed for this restore by this installation */
  open(restoreId: string, sealed: string): ShareCredentials {
    return parseStored(credentialForms, this.#seal.open(sealed, restoreId))
  }
}
