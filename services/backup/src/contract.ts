import { type ServiceContract, tokenSecuritySchemes, tokenTags } from '@palisade/platform'
import { Errors } from './rest/schemas.ts'
import type { Scope } from './scopes.ts'

/** What each scope of an access token opens; accounts_write opens nothing yet. */
export const backupScopes = {
  accounts_read: 'Read the history of accounts.',
  computers_read: 'Read computers with their backup sets, backups, revisions and restores.',
  computers_write: 'Back up, restore, and change what computers have.',
} satisfies Partial<Record<Scope, string>>

/**
 * What the service's OpenAPI document says beside its routes.
 *
 * @param basePath where the service lies on its listener
 */
export function backupContract(basePath: string): ServiceContract {
  return {
    description: 'Image backups of computers, and their restore as virtual disks and as machines.',
    tags: {
      ...tokenTags,
      Computers: 'The computers of an account, and what their agents may.',
      'Backup sets': 'What is backed up by itself, when, and for how long it is kept.',
      Actions: 'What came of the actions whose ids other operations have answered with.',
      History: "Backups and restores in the form of the API's first version.",
      Restores: 'Revisions as virtual disks and as machines.',
      Revisions: 'Single revisions, whether they are whole, and whether a machine of them starts.',
      Backups: 'Backups that are started by a call.',
      Hosts: 'Hosts for restored machines.',
      Validations: 'What stands against a restore as a machine, before it is asked for.',
    },
    securitySchemes: tokenSecuritySchemes(basePath, backupScopes),
    refusal: Errors,
  }
}
