import { severities } from '@palisade/platform'
import { type Static, Type } from 'typebox'

const text = Type.String({ minLength: 1 })
const name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
  description: 'a name of lower-case letters, digits and hyphens',
})
const port = (fallback: number) => Type.Integer({ minimum: 1, maximum: 65_535, default: fallback })
/** Authorities that are trusted besides the usual ones, PEM. */
const caFile = Type.Optional(text)

/** Signed as Standard Webhooks says. */
const Webhook = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://',
      description: 'an address that begins with https:// or http://',
    }),
    secret: Type.String({ minLength: 16 }),
    caFile,
  },
  { additionalProperties: false },
)

const Email = Type.Object(
  {
    host: text,
    port: port(587),
    /** "starttls" begins in the clear and goes no further without TLS; "none" is for a server on this machine. */
    tls: Type.Enum(['starttls', 'implicit', 'none'], { default: 'starttls' }),
    username: Type.Optional(text),
    password: Type.Optional(text),
    from: Type.String({
      pattern: '^[^\\s@]+@[^\\s@]+$',
      description: 'an address such as palisade@example.org',
    }),
    to: Type.Array(
      Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', description: 'an address such as ops@example.org' }),
      { minItems: 1 },
    ),
    caFile,
  },
  { additionalProperties: false },
)

/** RFC 5424 over TLS, as RFC 5425 says. */
const Syslog = Type.Object({ host: text, port: port(6514), caFile }, { additionalProperties: false })

const Channel = Type.Object(
  { name, webhook: Type.Optional(Webhook), email: Type.Optional(Email), syslog: Type.Optional(Syslog) },
  { additionalProperties: false },
)

const clockTime = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'a time of day such as 22:00',
})

const Route = Type.Object(
  {
    channels: Type.Array(name, { minItems: 1 }),
    /** All of them when left out. */
    severities: Type.Optional(Type.Array(Type.Enum(severities), { minItems: 1 })),
    services: Type.Optional(Type.Array(text, { minItems: 1 })),
    /** What is not critical waits until they are over. */
    quietHours: Type.Optional(
      Type.Object(
        { from: clockTime, to: clockTime, timeZone: Type.String({ minLength: 1, default: 'UTC' }) },
        { additionalProperties: false },
      ),
    ),
    /** What happens within this time goes into one message, and what passes within it into none. */
    groupSeconds: Type.Integer({ minimum: 0, maximum: 86_400, default: 30 }),
  },
  { additionalProperties: false },
)

/** Who gets word of what needs attention. */
export const NotificationConfigurationSchema = Type.Object(
  { channels: Type.Array(Channel, { default: [] }), routes: Type.Array(Route, { default: [] }) },
  { additionalProperties: false, default: {} },
)

export type NotificationConfiguration = Static<typeof NotificationConfigurationSchema>
export type ChannelConfiguration = Static<typeof Channel>
export type RouteConfiguration = Static<typeof Route>

/** What the schema does not say of channels and routes: sentences that name the member. */
export function problemsOfNotifications({ channels, routes }: NotificationConfiguration): string[] {
  const names = channels.map(({ name }) => name)
  return [
    ...channels.flatMap(({ name, webhook, email, syslog }, index) => {
      const member = `administration.notifications.channels.${index}`
      const kinds = [webhook, email, syslog].filter((kind) => kind !== undefined).length
      return [
        ...(kinds === 1 ? [] : [`${member} must have one of webhook, email and syslog`]),
        ...(names.indexOf(name) === index ? [] : [`${member}.name is that of another channel`]),
      ]
    }),
    ...routes.flatMap(({ channels: chosen, quietHours }, index) => {
      const member = `administration.notifications.routes.${index}`
      return [
        ...chosen
          .filter((name) => !names.includes(name))
          .map((name) => `${member}.channels names "${name}", and there is no such channel`),
        ...(quietHours === undefined || isTimeZone(quietHours.timeZone)
          ? []
          : [`${member}.quietHours.timeZone must be a time zone such as Europe/Berlin`]),
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
