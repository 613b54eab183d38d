import { LazyValidator, TextSeal } from '@palisade/platform'
import { Type } from 'typebox'
import { parseStored } from '../stored-json.ts'
import type { RestoreSecrets } from './task.ts'

const logon = Type.Object({ username: Type.String(), password: Type.String() })
const secretForms = new LazyValidator(
  Type.Union([
    Type.Object({ share: Type.Optional(logon), host: Type.Optional(logon) }, { additionalProperties: false }),
    // Those of the share alone, as versions before 0.1 sealed them.
    logon,
  ]),
)

/**
 * Credentials of a share and of a host while a restore needs them: sealed, and bound to the restore, so that they cannot
 * be moved to another one. They are wiped when the restore ends.
 */
export class CredentialSeal {
  readonly #seal: TextSeal

  /** @param installationKey 32 bytes that only this installation knows */
  constructor(installationKey: Buffer) {
    this.#seal = new TextSeal(installationKey, 'palisade-backup/share-credentials')
  }

  seal(restoreId: string, secrets: RestoreSecrets): string {
    return this.#seal.seal(JSON.stringify(secrets), restoreId)
  }

  /** @throws Error when this is not what was sealed for this restore by this installation */
  open(restoreId: string, sealed: string): RestoreSecrets {
    const secrets = parseStored(secretForms, this.#seal.open(sealed, restoreId))
    return 'username' in secrets ? { share: secrets } : secrets
  }
}
