import { newSecretLengthMin } from '@palisade/platform'
import { type Static, Type } from 'typebox'

/** Where the machines of clouds tell whoever asks from them their credentials: link-local addresses, and one of Amazon's. */
const metadataNetworks = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254']

/** What the configuration file may say about the firewall's management, beside where it listens. */
export const FirewallConfigurationSchema = Type.Object(
  {
    administrators: Type.Array(
      Type.Object(
        {
          username: Type.String({ minLength: 1, description: 'The name to log in with.' }),
          password: Type.String({ minLength: newSecretLengthMin, description: 'The password.' }),
          role: Type.String({
            minLength: 1,
            default: 'admin',
            description: 'One of the administrator roles: "admin" may change everything, "guest" may read.',
          }),
        },
        { additionalProperties: false },
      ),
      { default: [], description: 'Administrators of the firewall.' },
    ),
    forbiddenAddresses: Type.Array(Type.String({ minLength: 1, examples: ['10.0.0.0/8'] }), {
      default: metadataNetworks,
      description:
        'Addresses and networks to which nothing connects that an administrator names: servers of services, syslog servers.',
    }),
    jsonLogsFolder: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Where log entries are written besides the store, as files of JSON lines; nowhere when left out.',
      }),
    ),
    unknownMembers: Type.Union([Type.Literal('refuse'), Type.Literal('ignore')], {
      default: 'refuse',
      description: 'What becomes of members in requests that a kind does not have.',
    }),
  },
  { additionalProperties: false, default: {} },
)

export type FirewallConfiguration = Static<typeof FirewallConfigurationSchema>
