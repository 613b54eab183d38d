import { type Static, Type } from 'typebox'

/** What the configuration file may say about the firewall's management, beside where it listens. */
export const FirewallConfigurationSchema = Type.Object(
  {
    administrators: Type.Array(
      Type.Object(
        {
          username: Type.String({ minLength: 1 }),
          password: Type.String({ minLength: 1 }),
          /** "admin" may change everything; whoever has another role may read. */
          role: Type.String({ default: 'admin' }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
  },
  { additionalProperties: false, default: {} },
)

export type FirewallConfiguration = Static<typeof FirewallConfigurationSchema>
