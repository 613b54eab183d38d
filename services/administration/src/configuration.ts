import { type Static, Type } from 'typebox'
import { Grant } from './access/grants.ts'
import { NotificationConfigurationSchema } from './notification-configuration.ts'
import { OpenIdConfigurationSchema, PublicUrlSchema } from './sign-in-configuration.ts'

/** What the configuration file may say about the administration of Palisade itself. */
export const AdministrationConfigurationSchema = Type.Object(
  {
    operators: Type.Array(
      Type.Object(
        {
          username: Type.String({
            pattern: '^[^\\s\\p{C}/?#%:]{1,255}$',
            description: 'The name to log in with.',
            expects: 'a name of up to 255 characters without blanks, control characters and / ? # % :',
          }),
          password: Type.String({ minLength: 12, description: 'The password.' }),
          displayName: Type.Optional(
            Type.String({ minLength: 1, description: 'The name to show; the username when left out.' }),
          ),
          grants: Type.Array(Grant, {
            default: [],
            description: 'What the operator may do: everywhere, in one service, or for one account of it.',
          }),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Operators that the file manages; nobody changes them elsewhere.' },
    ),
    publicUrl: PublicUrlSchema,
    openid: OpenIdConfigurationSchema,
    attentionSeconds: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: 30,
      description: 'How often, in seconds, the server looks for what needs attention.',
    }),
    notifications: NotificationConfigurationSchema,
    sessionHours: Type.Integer({
      minimum: 1,
      maximum: 720,
      default: 12,
      description: 'How long a session lasts.',
    }),
    sessionIdleMinutes: Type.Integer({
      minimum: 1,
      maximum: 43_200,
      default: 120,
      description: 'How long a session lasts that nobody uses.',
    }),
  },
  { additionalProperties: false, default: {}, description: 'The administration of Palisade itself.' },
)

export type AdministrationConfiguration = Static<typeof AdministrationConfigurationSchema>
