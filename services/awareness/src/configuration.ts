import { type Static, Type } from 'typebox'

const text = Type.String({ minLength: 1 })

/** What the configuration file may say about the awareness service. */
export const AwarenessConfigurationSchema = Type.Object(
  {
    basePath: Type.String({ pattern: '^/[^ ]*[^ /]$', default: '/awareness' }),
    /** Calls that one user may make in any sixty minutes. */
    callsPerHour: Type.Integer({ minimum: 1, default: 1000 }),
    users: Type.Array(
      Type.Object(
        { username: text, password: text, permissions: Type.Array(text, { default: [] }) },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    apiKeys: Type.Array(
      Type.Object(
        {
          key: text,
          /** The only user who may use the key; anybody when null. */
          username: Type.Union([Type.String(), Type.Null()], { default: null }),
          /** Addresses and networks (CIDR) from which the key is accepted; from anywhere when empty. */
          allowedAddresses: Type.Array(text, { default: [] }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
  },
  { additionalProperties: false, default: {} },
)

export type AwarenessConfiguration = Static<typeof AwarenessConfigurationSchema>
