import { type Static, Type } from 'typebox'
import { Grant } from './access/grants.ts'
import { NotificationConfigurationSchema } from './notification-configuration.ts'

/** What the configuration file may say about the administration of Palisade itself. */
export const AdministrationConfigurationSchema = Type.Object(
  {
    /** Operators that the file manages; nobody changes them elsewhere. */
    operators: Type.Array(
      Type.Object(
        {
          username: Type.String({
            pattern: '^[^\\s/?#%:]{1,255}$',
            description: 'a name of up to 255 characters without blanks and / ? # % :',
          }),
          password: Type.String({ minLength: 12 }),
          displayName: Type.Optional(Type.String({ minLength: 1 })),
          grants: Type.Array(Grant, { default: [] }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    /** How often it is looked for what needs attention. */
    attentionSeconds: Type.Integer({ minimum: 1, maximum: 3600, default: 30 }),
    notifications: NotificationConfigurationSchema,
    /** How long a session lasts, and how long it lasts unused. */
    sessionHours: Type.Integer({ minimum: 1, maximum: 720, default: 12 }),
    sessionIdleMinutes: Type.Integer({ minimum: 1, maximum: 43_200, default: 120 }),
  },
  { additionalProperties: false, default: {} },
)

export type AdministrationConfiguration = Static<typeof AdministrationConfigurationSchema>
