import { newSecretLengthMin } from '@palisade/platform'
import { isNetwork } from '@palisade/proxy-protocol'
import { type Static, Type } from 'typebox'

/** Where the machines of clouds tell whoever asks from them their credentials: link-local addresses, and one of Amazon's. */
const metadataNetworks = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254']

/** What the configuration file may say about the firewall's management, beside where it listens. */
export const FirewallConfigurationSchema = Type.Object(
  {
    administrators: Type.Array(
      Type.Object(
        {
          username: Type.String({ minLength: 1 }),
          password: Type.String({ minLength: newSecretLengthMin }),
          /** One of the administrator roles: "admin" may change everything, "guest" may read. */
          role: Type.String({ minLength: 1, default: 'admin' }),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    /** Addresses and networks to which nothing connects that an administrator names: servers of services, syslog servers. */
    forbiddenAddresses: Type.Array(Type.String({ minLength: 1 }), { default: metadataNetworks }),
    /** Where log entries are written besides the store, as files of JSON lines; none by default. */
    jsonLogsFolder: Type.Optional(Type.String({ minLength: 1 })),
    /** What becomes of members in requests that a kind does not have. */
    unknownMembers: Type.Union([Type.Literal('refuse'), Type.Literal('ignore')], { default: 'refuse' }),
  },
  { additionalProperties: false, default: {} },
)

export type FirewallConfiguration = Static<typeof FirewallConfigurationSchema>

/** @throws Error that names the member that is no address and no network */
export function checkForbiddenAddresses({
  forbiddenAddresses,
}: Pick<FirewallConfiguration, 'forbiddenAddresses'>): void {
  for (const [index, text] of forbiddenAddresses.entries()) {
    if (isNetwork(text)) continue
    throw new Error(
      `firewall.forbiddenAddresses.${index} is "${text}": expected an address, or a network such as 169.254.0.0/16`,
    )
  }
}
