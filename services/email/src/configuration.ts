import { newSecretLengthMin } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { VerificationConfigurationSchema } from './dns/verification-configuration.ts'
import { scopes } from './scopes.ts'

const text = (description: string) => Type.String({ minLength: 1, description })

/** What callers can be told of an account. */
export const accountStatuses = ['ACTIVE', 'SUSPENDED', 'DISABLED'] as const

/** In the words of the public API. */
export const domainStatuses = ['VERIFIED', 'UNVERIFIED', 'DISABLED'] as const

/** In the words of the public API. */
export const domainTypes = ['ESS', 'CPL'] as const

/** What the configuration file may say about the email service; see the architecture, "How it is started". */
export const EmailConfigurationSchema = Type.Object(
  {
    basePath: Type.String({
      pattern: '^/[^ ]*[^ /]$',
      default: '/email',
      description: 'Where the service lies on its listener.',
      expects: 'a path such as /email: it begins with a slash, does not end with one, and has no blanks',
    }),
    accounts: Type.Array(
      Type.Object(
        {
          id: text('The id, in quotation marks where it is a number.'),
          name: Type.Optional(text('The id when left out.')),
          region: Type.String({ minLength: 1, default: 'US', description: 'What callers are told of it.' }),
          status: Type.Optional(
            Type.Enum(accountStatuses, {
              description: 'What callers are told of it, and nothing else: ACTIVE when left out.',
            }),
          ),
          domains: Type.Array(
            Type.Object(
              {
                id: Type.Integer({
                  minimum: 1,
                  maximum: Number.MAX_SAFE_INTEGER,
                  description: 'The id, which stays with the domain.',
                }),
                name: text('The name of the domain, such as example.org.'),
                status: Type.Enum(domainStatuses, {
                  description:
                    'UNVERIFIED domains are verified by DNS; the others stay as they are configured.',
                }),
                type: Type.Enum(domainTypes, {
                  description: 'What callers are told of it.',
                }),
              },
              { additionalProperties: false },
            ),
            { default: [], description: 'The mail domains of the account.' },
          ),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Accounts and their domains.' },
    ),
    apiClients: Type.Array(
      Type.Object(
        {
          clientId: text('The id to get tokens with.'),
          clientSecret: Type.String({ minLength: newSecretLengthMin, description: 'The secret.' }),
          accounts: Type.Array(Type.String({ minLength: 1 }), {
            description: 'The ids of the accounts that it may see.',
          }),
          scopes: Type.Array(Type.Enum(scopes), { description: 'What it may do.' }),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Programs that use the API.' },
    ),
    verification: VerificationConfigurationSchema,
  },
  { additionalProperties: false, default: {}, description: 'The email service.' },
)

/** The checked part `email` of the configuration. */
export type EmailConfiguration = Static<typeof EmailConfigurationSchema>
