import { newSecretLengthMin } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { scopes } from './scopes.ts'
import { VaultConfigurationSchema } from './vault/vault-configuration.ts'

const text = (description: string) => Type.String({ minLength: 1, description })
const secret = (description: string) => Type.String({ minLength: newSecretLengthMin, description })
const seconds = (least: number, most: number | undefined, fallback: number, description: string) =>
  Type.Integer({
    minimum: least,
    ...(most === undefined ? {} : { maximum: most }),
    default: fallback,
    description,
  })
/** Part of addresses: no blanks, slashes or control characters. */
export const idSchema = Type.String({
  maxLength: 128,
  pattern: '^(?!\\.{1,2}$)[^\\s/\\p{C}]+$',
  description: 'The id, a part of addresses.',
})

const id = {
  ...idSchema,
  expects:
    'a text of 1 to 128 characters without blanks and slashes, in quotation marks where it is a number',
}

/** What the configuration file may say about the backup service. */
export const BackupConfigurationSchema = Type.Object(
  {
    serve: Type.Boolean({
      default: true,
      description:
        'Whether this server serves backups; of those that share a database one does, which has the vault.',
    }),
    advertiseAddress: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@ ]+$',
        description:
          'Where the other servers on the database reach the services listener of this one. When all of them have one, all serve backups: one has the vault, the others pass requests on to it, and one of them takes its place when it goes. Needs PostgreSQL, and a vault that all of them reach.',
        expects: 'an address such as https://10.0.0.2:8444, without a path',
        examples: ['https://10.0.0.2:8444'],
      }),
    ),
    basePath: Type.String({
      pattern: '^/[^ ]*[^ /]$',
      default: '/backup',
      description: 'Where the service lies on its listener.',
      expects: 'a path such as /backup: it begins with a slash, does not end with one, and has no blanks',
    }),
    vault: Type.Optional(VaultConfigurationSchema),
    accounts: Type.Array(
      Type.Object(
        {
          id,
          computers: Type.Array(
            Type.Object(
              {
                id,
                name: text('The name to show.'),
                enrolmentKey: secret('What its agent enrols with.'),
              },
              { additionalProperties: false },
            ),
            { default: [], description: 'The computers of the account.' },
          ),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Accounts and their computers.' },
    ),
    apiClients: Type.Array(
      Type.Object(
        {
          clientId: text('The id to get tokens with.'),
          clientSecret: secret('The secret.'),
          accounts: Type.Array(Type.String({ minLength: 1 }), {
            description: 'The ids of the accounts that it may use.',
          }),
          scopes: Type.Array(Type.Enum(scopes), { description: 'What it may do.' }),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Programs that use the API.' },
    ),
    metricsByComputer: Type.Boolean({
      default: false,
      description:
        'Whether /metrics, which asks for no credentials, names accounts, computers and sets with figures of backups; those of all together without.',
    }),
    deletionGraceDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 30,
      description:
        'For so many days a computer or account that was deleted can be taken back; then what it has in the vault is removed.',
    }),
    upkeep: Type.Object(
      {
        lookEverySeconds: seconds(
          1,
          3600,
          5,
          'The seconds between two looks for what is due: runs, verifications, collections.',
        ),
        collectEverySeconds: seconds(
          1,
          undefined,
          86_400,
          'The seconds between two collections, which free the space of what no revision needs any more.',
        ),
        collectAfterDeletionSeconds: seconds(
          0,
          undefined,
          600,
          'The seconds between a deletion and its collection, since several deletions in a row are collected together.',
        ),
        keepUnneededSeconds: seconds(
          0,
          undefined,
          86_400,
          'The seconds for which a collection keeps what was stored: a backup that was interrupted finds what it has sent.',
        ),
      },
      {
        additionalProperties: false,
        default: {},
        description: 'When the server looks after what it has stored.',
      },
    ),
  },
  { additionalProperties: false, default: {}, description: 'The backup service.' },
)

/** The checked part `backup` of the configuration. */
export type BackupConfiguration = Static<typeof BackupConfigurationSchema>
