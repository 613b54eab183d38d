import { accessSync, constants } from 'node:fs'
import { type Problem, problemAt, severities } from '@palisade/platform'
import { isNetwork, metadataNetworks } from '@palisade/proxy-protocol'
import { type Static, Type } from 'typebox'

/** What a channel may be. */
export const channelKinds = ['webhook', 'email', 'syslog'] as const
/** How a channel sends. */
export type ChannelKind = (typeof channelKinds)[number]

const text = (description: string) => Type.String({ minLength: 1, description })
/** The schema of a channel's name: 1 to 63 lower-case letters, digits and hyphens. It goes into addresses as it is. */
export const nameOfChannel = (description: string) =>
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

/** The members of a webhook, an SMTP server and a syslog receiver, wherever they are said. */
export const channelMembers = {
  webhook: {
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
  },
  email: {
    host: text('The mail server.'),
    port: port(587),
    tls: Type.Enum(['starttls', 'implicit', 'none'], {
      default: 'starttls',
      description:
        'starttls goes no further without TLS, implicit begins with it, none is for a server on this machine.',
    }),
    username: text('The name to log in with; nobody logs in when left out.'),
    password: text('The password to log in with.'),
    from: mailAddress('The sender.'),
    to: Type.Array(mailAddress('A recipient.'), { minItems: 1, description: 'The recipients.' }),
  },
  syslog: { host: text('The receiver.'), port: port(6514) },
}

const { username, password, ...mailMembers } = channelMembers.email

const Webhook = Type.Object(
  { ...channelMembers.webhook, caFile },
  { additionalProperties: false, description: 'Calls a webhook.' },
)

const Email = Type.Object(
  { ...mailMembers, username: Type.Optional(username), password: Type.Optional(password), caFile },
  { additionalProperties: false, description: 'Sends mail by SMTP.' },
)

const Syslog = Type.Object(
  { ...channelMembers.syslog, caFile },
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

/** The members of a route, wherever they are said. */
export const routeMembers = {
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
    description: 'What happens within this time goes into one message, and what passes within it into none.',
  }),
}

const Route = Type.Object(routeMembers, { additionalProperties: false })

/** Who gets word of what needs attention. */
export const NotificationConfigurationSchema = Type.Object(
  {
    channels: Type.Array(Channel, {
      default: [],
      description: 'Where word of what needs attention can be sent.',
    }),
    routes: Type.Array(Route, { default: [], description: 'What is sent to which channels.' }),
    forbiddenAddresses: Type.Array(Type.String({ minLength: 1, examples: ['10.0.0.0/8'] }), {
      default: metadataNetworks,
      description: 'Addresses and networks to which nothing connects that an operator names as a channel.',
    }),
  },
  { additionalProperties: false, default: {}, description: 'Who gets word of what needs attention.' },
)

export type NotificationConfiguration = Static<typeof NotificationConfigurationSchema>
/** Has exactly one of `webhook`, `email` and `syslog`; {@link problemsOfNotifications} sees to that. */
export type ChannelConfiguration = Static<typeof Channel>
/** What is left out of `severities` and `services` means all of them. */
export type RouteConfiguration = Static<typeof Route>

/** What the schema does not say of channels and routes. */
export function problemsOfNotifications({
  channels,
  routes,
  forbiddenAddresses,
}: NotificationConfiguration): Problem[] {
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
    ...forbiddenAddresses.flatMap((text, index) =>
      isNetwork(text)
        ? []
        : [
            problemAt(
              [...member, 'forbiddenAddresses', index],
              'must be an address, or a network such as 169.254.0.0/16',
            ),
          ],
    ),
  ]
}

/** Whether a time zone of the clock has this name. */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** The files that channels name: a change of their contents is a change of the channels. */
export function filesOfChannels({ channels }: NotificationConfiguration): string[] {
  return channels.flatMap((channel) => channelKinds.flatMap((kind) => channel[kind]?.caFile ?? []))
}

/** Files that channels name and that cannot be read. */
export function problemsOfChannelFiles({ channels }: NotificationConfiguration): Problem[] {
  return channels.flatMap((channel, index) =>
    channelKinds.flatMap((kind) => {
      const file = channel[kind]?.caFile
      const path = ['administration', 'notifications', 'channels', index, kind, 'caFile']
      return file === undefined || isReadable(file)
        ? []
        : [problemAt(path, `names ${file}, which cannot be read`)]
    }),
  )
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
