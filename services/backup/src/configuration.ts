import { newSecretLengthMin, refuseProblems, repeatedIndexes } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { scopes } from './scopes.ts'
import { VaultConfigurationSchema } from './vault/vault-configuration.ts'

const text = Type.String({ minLength: 1 })
const secret = Type.String({ minLength: newSecretLengthMin })
/** Part of addresses: no blanks, slashes or control characters. */
export const idSchema = Type.String({
  maxLength: 128,
  pattern: '^(?!\\.{1,2}$)[^\\s/\\p{C}]+$',
  description:
    'a text of 1 to 128 characters without blanks and slashes, in quotation marks where it is a number',
})

/** What the configuration file may say about the backup service. */
export const BackupConfigurationSchema = Type.Object(
  {
    /** Whether this server does; of those that share a database one does, which has the vault. */
    serve: Type.Boolean({ default: true }),
    basePath: Type.String({
      pattern: '^/[^ ]*[^ /]$',
      default: '/backup',
      description: 'a path such as /backup: it begins with a slash, does not end with one, and has no blanks',
    }),
    vault: Type.Optional(VaultConfigurationSchema),
    accounts: Type.Array(
      Type.Object(
        {
          id: idSchema,
          computers: Type.Array(
            Type.Object({ id: idSchema, name: text, enrolmentKey: secret }, { additionalProperties: false }),
            { default: [] },
          ),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    apiClients: Type.Array(
      Type.Object(
        {
          clientId: text,
          clientSecret: secret,
          accounts: Type.Array(text),
          scopes: Type.Array(Type.Enum(scopes)),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    /**
     * Whether `/metrics`, which asks for no credentials, names accounts, computers and sets with figures of backups; those of all together
     * without.
     */
    metricsByComputer: Type.Boolean({ default: false }),
    /** For so many days a computer or account that was deleted can be taken back; then what it has in the vault is removed. */
    deletionGraceDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 30,
      description: 'a number of days from 0 to 365 for which what was deleted can be taken back',
    }),
    /** When the server looks after what it has stored. */
    upkeep: Type.Object(
      {
        /** How often it is looked for what is due: runs, verifications, collections. */
        lookEverySeconds: Type.Integer({ minimum: 1, maximum: 3600, default: 5 }),
        /** Collections free the space of what no revision needs any more: regularly … */
        collectEverySeconds: Type.Integer({ minimum: 1, default: 86_400 }),
        /** … and when something was deleted: so much later, since several deletions in a row are collected together. */
        collectAfterDeletionSeconds: Type.Integer({ minimum: 0, default: 600 }),
        /** What was stored less long ago stays: a backup that was interrupted finds there what it has sent. */
        keepUnneededSeconds: Type.Integer({ minimum: 0, default: 86_400 }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  { additionalProperties: false, default: {} },
)

export type BackupConfiguration = Static<typeof BackupConfigurationSchema>

/**
 * Checks what the schema cannot say: that no account, and no computer of an account, is given twice.
 *
 * @throws Error naming each member at fault
 */
export function checkAccounts(accounts: BackupConfiguration['accounts']): void {
  const problems = [
    ...repeatedIndexes(accounts.map(({ id }) => id)).map((index) => `${index}`),
    ...accounts.flatMap(({ computers }, account) =>
      repeatedIndexes(computers.map(({ id }) => id)).map((index) => `${account}.computers.${index}`),
    ),
  ]
  refuseProblems(
    'backup',
    problems.map((member) => `backup.accounts.${member} repeats an id`),
  )
}
