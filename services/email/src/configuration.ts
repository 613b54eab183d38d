import { newSecretLengthMin } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { VerificationConfigurationSchema } from './dns/verification-configuration.ts'
import { scopes } from './scopes.ts'

const text = Type.String({ minLength: 1 })

/** What callers can be told of an account. */
export const accountStatuses = ['ACTIVE', 'SUSPENDED', 'DISABLED'] as const

export const domainStatuses = ['VERIFIED', 'UNVERIFIED', 'DISABLED'] as const

export const domainTypes = ['ESS', 'CPL'] as const

/** What the configuration file may say about the email service; see the architecture, "How it is started". */
export const EmailConfigurationSchema = Type.Object(
  {
    basePath: Type.String({
      pattern: '^/[^ ]*[^ /]$',
      default: '/email',
      description: 'a path such as /email: it begins with a slash, does not end with one, and has no blanks',
    }),
    accounts: Type.Array(
      Type.Object(
        {
          id: text,
          /** The id when left out. */
          name: Type.Optional(text),
          region: Type.String({ minLength: 1, default: 'US' }),
          /** What callers are told of it, and nothing else: ACTIVE when left out. */
          status: Type.Optional(Type.Enum(accountStatuses)),
          domains: Type.Array(
            Type.Object(
              {
                id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
                name: text,
                /** UNVERIFIED domains are verified by DNS; the others stay as they are configured. */
                status: Type.Enum(domainStatuses),
                type: Type.Enum(domainTypes),
              },
              { additionalProperties: false },
            ),
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
          clientSecret: Type.String({ minLength: newSecretLengthMin }),
          accounts: Type.Array(text),
          scopes: Type.Array(Type.Enum(scopes)),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    verification: VerificationConfigurationSchema,
  },
  { additionalProperties: false, default: {} },
)

export type EmailConfiguration = Static<typeof EmailConfigurationSchema>
