import { type Static, Type } from 'typebox'

const text = Type.String({ minLength: 1 })
/** Part of addresses and of lists that blanks separate: no blanks, slashes or control characters. */
const id = Type.String({ maxLength: 128, pattern: '^(?!\\.{1,2}$)[^\\s/\\p{C}]+$' })

/** What the configuration file may say about the backup service. */
export const BackupConfigurationSchema = Type.Object(
  {
    basePath: Type.String({ pattern: '^/[^ ]*[^ /]$', default: '/backup' }),
    accounts: Type.Array(
      Type.Object(
        {
          id,
          computers: Type.Array(
            Type.Object({ id, name: text, enrolmentKey: text }, { additionalProperties: false }),
            { default: [] },
          ),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    apiClients: Type.Array(
      Type.Object(
        { clientId: text, clientSecret: text, accounts: Type.Array(text), scopes: Type.Array(text) },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
  },
  { additionalProperties: false, default: {} },
)

export type BackupConfiguration = Static<typeof BackupConfigurationSchema>
