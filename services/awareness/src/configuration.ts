import { newSecretLengthMin } from '@palisade/platform'
import { type Static, Type } from 'typebox'

const text = (description: string) => Type.String({ minLength: 1, description })
const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description })

/** A moment in UTC as the service writes it, "2030-01-31 23:59:59"; null where it has not come yet. */
const moment = (description: string) =>
  Type.Union([Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' }), Type.Null()], {
    default: null,
    description,
    expects: 'a moment in UTC such as "2030-01-31 23:59:59", or null',
  })

/** What users can be allowed; nothing asks for `results` yet. */
export const permissions = ['campaigns', 'results'] as const

/** What a user may see. */
export type Permission = (typeof permissions)[number]

/** How far a campaign can have come. */
export const campaignStatuses = ['Created', 'Queued', 'In progress', 'Emails Sent', 'Completed'] as const

const CampaignStatus = Type.Enum(campaignStatuses, {
  default: 'Created',
  description: 'How far the campaign has come.',
})

/** What the configuration file may say about the awareness service. */
export const AwarenessConfigurationSchema = Type.Object(
  {
    basePath: Type.String({
      pattern: '^/[^ ]*[^ /]$',
      default: '/awareness',
      description: 'Where the service lies on its listener.',
      expects: 'a path such as /awareness: it begins with a slash, does not end with one, and has no blanks',
    }),
    callsPerHour: Type.Integer({
      minimum: 1,
      default: 1000,
      description: 'Calls that one user may make in any sixty minutes.',
    }),
    users: Type.Array(
      Type.Object(
        {
          username: text('The name to authenticate with.'),
          password: Type.String({ minLength: newSecretLengthMin, description: 'The password.' }),
          permissions: Type.Array(Type.Enum(permissions), {
            default: [],
            description: 'What the user may read.',
          }),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Users of the API.' },
    ),
    apiKeys: Type.Array(
      Type.Object(
        {
          key: text('The key.'),
          name: Type.Optional(text('What operators call it.')),
          username: Type.Union([Type.String(), Type.Null()], {
            default: null,
            description: 'The only user who may use the key; anybody when null.',
          }),
          allowedAddresses: Type.Array(Type.String({ minLength: 1, examples: ['192.0.2.0/24'] }), {
            default: [],
            description:
              'Addresses and networks (CIDR) from which the key is accepted; from anywhere when empty.',
          }),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Keys that users need beside their passwords.' },
    ),
    campaigns: Type.Array(
      Type.Object(
        {
          id: Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Above 0, which asks for all campaigns.',
          }),
          name: text('The name.'),
          status: CampaignStatus,
          created: moment('When it was made, in UTC.'),
          launched: moment('When it began, in UTC.'),
          completed: moment('When it ended, in UTC.'),
          sent: count('Messages sent.'),
          opened: count('How many of them were opened.'),
          clicked: count('How many of them had a link followed.'),
          submitted: count('How many of them were answered with data.'),
          reported: count('How many of them were reported.'),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Campaigns and their results.' },
    ),
  },
  { additionalProperties: false, default: {}, description: 'The awareness service.' },
)

/** The checked part `awareness` of the configuration. */
export type AwarenessConfiguration = Static<typeof AwarenessConfigurationSchema>
