import { type Static, Type } from 'typebox'

/** What the configuration file may say about the firewall's management, beside where it listens. */
export const FirewallConfigurationSchema = Type.Object(
  {
    administrators: Type.Array(
      Type.Object(
        {
          username: Type.String({ minLength: 1 }),
          password: Type.String({ minLength: 1 }),
          /** One of the administrator roles: "admin" may change everything, "guest" may read. */
          role: Type.String({ default: 'admin' }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    /** Where log entries are written besides the store, as files of JSON lines; none by default. */
    jsonLogsFolder: Type.Optional(Type.String({ minLength: 1 })),
    /** What becomes of members in requests that a kind does not have. */
    unknownMembers: Type.Union([Type.Literal('refuse'), Type.Literal('ignore')], { default: 'refuse' }),
  },
  { additionalProperties: false, default: {} },
)

export type FirewallConfiguration = Static<typeof FirewallConfigurationSchema>
