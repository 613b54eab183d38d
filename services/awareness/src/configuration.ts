import { newSecretLengthMin } from '@palisade/platform'
import { type Static, Type } from 'typebox'

const text = Type.String({ minLength: 1 })
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })

/** A moment in UTC as the service writes it, "2030-01-31 23:59:59"; null where it has not come yet. */
const moment = Type.Union(
  [Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' }), Type.Null()],
  {
    default: null,
    description: 'a moment in UTC such as "2030-01-31 23:59:59", or null',
  },
)

/** What users can be allowed; nothing asks for `results` yet. */
export const permissions = ['campaigns', 'results'] as const

export type Permission = (typeof permissions)[number]

/** How far a campaign can have come. */
export const campaignStatuses = ['Created', 'Queued', 'In progress', 'Emails Sent', 'Completed'] as const

const CampaignStatus = Type.Enum(campaignStatuses, { default: 'Created' })

/** What the configuration file may say about the awareness service. */
export const AwarenessConfigurationSchema = Type.Object(
  {
    basePath: Type.String({
      pattern: '^/[^ ]*[^ /]$',
      default: '/awareness',
      description:
        'a path such as /awareness: it begins with a slash, does not end with one, and has no blanks',
    }),
    /** Calls that one user may make in any sixty minutes. */
    callsPerHour: Type.Integer({ minimum: 1, default: 1000 }),
    users: Type.Array(
      Type.Object(
        {
          username: text,
          password: Type.String({ minLength: newSecretLengthMin }),
          permissions: Type.Array(Type.Enum(permissions), { default: [] }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    apiKeys: Type.Array(
      Type.Object(
        {
          key: text,
          /** What operators call it. */
          name: Type.Optional(text),
          /** The only user who may use the key; anybody when null. */
          username: Type.Union([Type.String(), Type.Null()], { default: null }),
          /** Addresses and networks (CIDR) from which the key is accepted; from anywhere when empty. */
          allowedAddresses: Type.Array(text, { default: [] }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    campaigns: Type.Array(
      Type.Object(
        {
          /** Above 0, which asks for all campaigns. */
          id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          name: text,
          status: CampaignStatus,
          created: moment,
          launched: moment,
          completed: moment,
          /** Messages sent, and how many of them were opened, clicked, answered with data and reported. */
          sent: count,
          opened: count,
          clicked: count,
          submitted: count,
          reported: count,
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
  },
  { additionalProperties: false, default: {} },
)

export type AwarenessConfiguration = Static<typeof AwarenessConfigurationSchema>
