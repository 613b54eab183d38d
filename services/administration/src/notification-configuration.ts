import { type Problem, problemAt, severities } from '@palisade/platform'
import { type Static, Type } from 'typebox'

const text = (description: string) => Type.String({ minLength: 1, description })
const nameOfChannel = (description: string) =>
  Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
    expects: 'a name of lower-case letters, digits and hyphens',
    description,
  })
const port = (fallback: number) =>
  Type.Integer({ minimum: 1, maximum: 65_535, default: fallback, description: 'The port.' })
const mailAddress = (description: string) =>
  Type.String({
    pattern: '^[^\\s@]+@[^\\s@]+$',
    expects: 'an address such as ops@example.org',
    examples: ['ops@example.org'],
    description,
  })
const caFile = Type.Optional(text('Authorities that are trusted besides the usual ones, PEM.'))

const Webhook = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://',
      expects: 'an address that begins with https:// or http://',
      examples: ['https://hooks.example.org/palisade'],
      description: 'Where messages are sent by POST.',
    }),
    secret: Type.String({
      minLength: 16,
      description: 'What messages are signed with, as Standard Webhooks says.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
    caFile,
  },
  { additionalProperties: false, description: 'Calls a webhook.' },
)

const Email = Type.Object(
  {
    host: text('The mail server.'),
    port: port(587),
    tls: Type.Enum(['starttls', 'implicit', 'none'], {
      default: 'starttls',
      description:
        'starttls goes no further without TLS, implicit begins with it, none is for a server on this machine.',
    }),
    username: Type.Optional(text('The name to log in with; nobody logs in when left out.')),
    password: Type.Optional(text('The password to log in with.')),
    from: mailAddress('The sender.'),
    to: Type.Array(mailAddress('A recipient.'), { minItems: 1, description: 'The recipients.' }),
    caFile,
  },
  { additionalProperties: false, description: 'Sends mail by SMTP.' },
)

const Syslog = Type.Object(
  { host: text('The receiver.'), port: port(6514), caFile },
  {
    additionalProperties: false,
    description: 'Sends to a syslog receiver: RFC 5424 over TLS, as RFC 5425 says.',
  },
)

const Channel = Type.Object(
  {
    name: nameOfChannel('What routes call it.'),
    webhook: Type.Optional(Webhook),
    email: Type.Optional(Email),
    syslog: Type.Optional(Syslog),
  },
  { additionalProperties: false },
)

const clockTime = (description: string) =>
  Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    expects: 'a time of day such as 22:00',
    examples: ['22:00'],
    description,
  })

const Route = Type.Object(
  {
    channels: Type.Array(nameOfChannel('A channel.'), {
      minItems: 1,
      description: 'The channels that are told.',
    }),
    severities: Type.Optional(
      Type.Array(Type.Enum(severities), { minItems: 1, description: 'All of them when left out.' }),
    ),
    services: Type.Optional(
      Type.Array(text('A service, such as backup.'), {
        minItems: 1,
        description: 'All of them when left out.',
      }),
    ),
    quietHours: Type.Optional(
      Type.Object(
        {
          from: clockTime('When they begin.'),
          to: clockTime('When they end.'),
          timeZone: Type.String({
            minLength: 1,
            default: 'UTC',
            description: 'The time zone of the clock, such as Europe/Berlin.',
          }),
        },
        { additionalProperties: false, description: 'What is not critical waits until they are over.' },
      ),
    ),
    groupSeconds: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      default: 30,
      description:
        'What happens within this time goes into one message, and what passes within it into none.',
    }),
  },
  { additionalProperties: false },
)

/** Who gets word of what needs attention. */
export const NotificationConfigurationSchema = Type.Object(
  {
    channels: Type.Array(Channel, {
      default: [],
      description: 'Where word of what needs attention can be sent.',
    }),
    routes: Type.Array(Route, { default: [], description: 'What is sent to which channels.' }),
  },
  { additionalProperties: false, default: {}, description: 'Who gets word of what needs attention.' },
)

export type NotificationConfiguration = Static<typeof NotificationConfigurationSchema>
export type ChannelConfiguration = Static<typeof Channel>
export type RouteConfiguration = Static<typeof Route>

/** What the schema does not say of channels and routes. */
export function problemsOfNotifications({ channels, routes }: NotificationConfiguration): Problem[] {
  const names = channels.map(({ name }) => name)
  const member = ['administration', 'notifications']
  return [
    ...channels.flatMap(({ name, webhook, email, syslog }, index) => {
      const path = [...member, 'channels', index]
      const kinds = [webhook, email, syslog].filter((kind) => kind !== undefined).length
      return [
        ...(kinds === 1 ? [] : [problemAt(path, 'must have one of webhook, email and syslog')]),
        ...(names.indexOf(name) === index
          ? []
          : [problemAt([...path, 'name'], 'is that of another channel')]),
      ]
    }),
    ...routes.flatMap(({ channels: chosen, quietHours }, index) => {
      const path = [...member, 'routes', index]
      return [
        ...chosen.flatMap((name, place) =>
          names.includes(name)
            ? []
            : [problemAt([...path, 'channels', place], `is "${name}", and there is no such channel`)],
        ),
        ...(quietHours === undefined || isTimeZone(quietHours.timeZone)
          ? []
          : [problemAt([...path, 'quietHours', 'timeZone'], 'must be a time zone such as Europe/Berlin')]),
      ]
    }),
  ]
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
