import { newSecretLengthMin } from '@palisade/platform'
import { metadataNetworks } from '@palisade/proxy-protocol'
import { type Static, Type } from 'typebox'

/** How a name is proven to be held, in the words of RFC 8555 and RFC 8737. */
const ChallengeType = Type.Union([
  Type.Literal('http-01'),
  Type.Literal('tls-alpn-01'),
  Type.Literal('dns-01'),
])

const AcmeConfigurationSchema = Type.Object(
  {
    directory: Type.String({
      pattern: '^https://.+',
      description: "The address of the authority's directory.",
      examples: ['https://acme-v02.api.letsencrypt.org/directory'],
      expects: 'an address that begins with https://',
    }),
    caFile: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "Certificates that may have signed the authority's own, PEM; those that Node trusts when left out.",
      }),
    ),
    email: Type.Optional(
      Type.String({
        pattern: '^[^\\s@,]+@[^\\s@,]+$',
        description: 'Where the authority writes to about certificates.',
        examples: ['ops@example.com'],
        expects: 'an address of mail',
      }),
    ),
    eabKeyId: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The key identifier that an authority gives its customers (external account binding).',
      }),
    ),
    eabHmacKey: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+=*$',
        description: 'The key that comes with it, base64url.',
        expects: 'base64url, as authorities show it',
      }),
    ),
    eabHmacKeyFile: Type.Optional(
      Type.String({ minLength: 1, description: 'A file with that key, in its place.' }),
    ),
    challenges: Type.Array(ChallengeType, {
      minItems: 1,
      default: ['http-01', 'tls-alpn-01', 'dns-01'],
      description:
        'How it is proven that names are held; of those that are possible the first one is tried first.',
    }),
    challengeListener: Type.Optional(
      Type.Object(
        {
          host: Type.String({
            minLength: 1,
            default: '0.0.0.0',
            description: 'The address to listen at; 0.0.0.0 is all of IPv4, and :: all.',
          }),
          port: Type.Integer({
            minimum: 1,
            maximum: 65_535,
            default: 80,
            description: 'The port; authorities ask at 80, which may lead to another one.',
          }),
        },
        {
          additionalProperties: false,
          description:
            'Where the server answers http-01 by itself, and nothing else; left out where a service listens at port 80, which answers as well.',
        },
      ),
    ),
    dnsHook: Type.Optional(
      Type.String({
        pattern: '^/',
        description:
          'A program that sets and removes TXT records for dns-01: it is called with "set" or "remove", the name of the record and its value.',
        examples: ['/etc/palisade/dns-hook'],
        expects: 'an absolute path',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'The authority that certificates of services and listeners are obtained from, by ACME; none when left out.',
  },
)

/** `firewall.acme` of the configuration file, checked and with its defaults. */
export type AcmeConfiguration = Static<typeof AcmeConfigurationSchema>

/** What the configuration file may say about the firewall's management, beside where it listens. */
export const FirewallConfigurationSchema = Type.Object(
  {
    acme: Type.Optional(AcmeConfigurationSchema),
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

/** `firewall` of the configuration file, checked and with its defaults. */
export type FirewallConfiguration = Static<typeof FirewallConfigurationSchema>
