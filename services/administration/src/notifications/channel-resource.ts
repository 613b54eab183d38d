import {
  type AdministeredResource,
  isDuplicate,
  RequestRefused,
  selectPage,
  withExample,
} from '@palisade/platform'
import type { Selectable } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import {
  type ChannelKind,
  channelKinds,
  channelMembers,
  nameOfChannel,
} from '../notification-configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import type { Channels } from './channels.ts'
import { routesOf } from './routes.ts'
import type { ChannelSettings } from './senders.ts'

const { webhook, email, syslog } = channelMembers
const authorities = Type.String({
  minLength: 1,
  maxLength: 65_536,
  pattern: '^\\s*-----BEGIN CERTIFICATE-----',
  examples: ['-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n'],
  description: 'Certificates that are trusted besides the usual authorities, PEM.',
})
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const closed = { additionalProperties: false }

const { secret, ...webhookShown } = webhook
const { password, username, ...emailShown } = email

const Created = {
  webhook: Type.Object({ ...webhook, authorities: Type.Optional(authorities) }, closed),
  email: Type.Object(
    {
      ...emailShown,
      port: Type.Optional(email.port),
      tls: Type.Optional(email.tls),
      username: Type.Optional(username),
      password: Type.Optional(password),
      authorities: Type.Optional(authorities),
    },
    closed,
  ),
  syslog: Type.Object(
    { ...syslog, port: Type.Optional(syslog.port), authorities: Type.Optional(authorities) },
    closed,
  ),
}

const ChannelCreation = withExample(
  Type.Object(
    {
      name: nameOfChannel('What routes call it.'),
      webhook: Type.Optional(Created.webhook),
      email: Type.Optional(Created.email),
      syslog: Type.Optional(Created.syslog),
    },
    { ...closed, title: 'ChannelCreation', description: 'with one of webhook, email and syslog' },
  ),
  {
    name: 'ops',
    webhook: { url: 'https://hooks.example.org/palisade', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
)

const ChannelChange = withExample(
  Type.Object(
    {
      webhook: Type.Optional(
        Type.Object(
          {
            url: Type.Optional(webhook.url),
            secret: Type.Optional(secret),
            authorities: orNull(authorities),
          },
          closed,
        ),
      ),
      email: Type.Optional(
        Type.Object(
          {
            host: Type.Optional(email.host),
            port: Type.Optional(email.port),
            tls: Type.Optional(email.tls),
            from: Type.Optional(email.from),
            to: Type.Optional(email.to),
            username: orNull(username),
            password: orNull(password),
            authorities: orNull(authorities),
          },
          closed,
        ),
      ),
      syslog: Type.Optional(
        Type.Object(
          {
            host: Type.Optional(syslog.host),
            port: Type.Optional(syslog.port),
            authorities: orNull(authorities),
          },
          closed,
        ),
      ),
    },
    { ...closed, title: 'ChannelChange', description: 'of what the channel is; null takes a member away' },
  ),
  { webhook: { url: 'https://hooks.example.org/other' } },
)

const shown = { authorities: Type.Optional(authorities) }

const ChannelItem = withExample(
  Type.Object(
    {
      name: nameOfChannel('What routes call it.'),
      kind: Type.Enum(channelKinds),
      webhook: Type.Optional(Type.Object({ ...webhookShown, ...shown })),
      email: Type.Optional(Type.Object({ ...emailShown, username: Type.Optional(username), ...shown })),
      syslog: Type.Optional(Type.Object({ ...syslog, ...shown })),
      failingSince: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      failure: Type.Union([Type.String(), Type.Null()]),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'Channel' },
  ),
  {
    name: 'ops',
    kind: 'webhook',
    webhook: { url: 'https://hooks.example.org/palisade' },
    failingSince: null,
    failure: null,
    managedBy: null,
  },
)

/** `/channels`: where word of what needs attention can be sent, and how that goes. Secrets are shown to nobody. */
export function channelResource(
  channels: Channels,
): AdministeredResource<Static<typeof ChannelCreation>, Static<typeof ChannelChange>> {
  const itemOf = (row: Selectable<AdministrationTables['admin_channel']>) => {
    const settings = channels.open(row.name, row.settings ?? '')
    return {
      name: row.name,
      kind: kindOf(settings),
      ...withoutSecrets(settings),
      failingSince: row.failing_since === null ? null : new Date(row.failing_since).toISOString(),
      failure: row.failure,
      managedBy: row.managed_by,
    }
  }
  return {
    path: '/channels',
    // Those who are on call change whom it tells; owners alone change operators.
    service: 'notifications',
    idParameter: 'channel',
    noun: { one: 'channel', many: 'channels' },
    item: ChannelItem,
    creation: ChannelCreation,
    change: ChannelChange,
    orders: ['name'],
    volatile: ['failingSince', 'failure'],
    async list({ tables, characterOrder }, _path, page) {
      const query = tables<AdministrationTables>()
        .selectFrom('admin_channel')
        .selectAll()
        .where('settings', 'is not', null)
      const rows = await selectPage(query, page, {
        columns: { name: { column: 'name', type: 'text' } },
        id: { column: 'name', type: 'text' },
        characterOrder,
      }).execute()
      return rows.map((row) => ({ item: itemOf(row), place: { value: row.name, id: row.name } }))
    },
    async read({ tables }, { channel = '' }) {
      const row = await tables<AdministrationTables>()
        .selectFrom('admin_channel')
        .selectAll()
        .where('name', '=', channel)
        .where('settings', 'is not', null)
        .executeTakeFirst()
      return row && itemOf(row)
    },
    async create(_path, { name, ...given }) {
      const settings = withDefaults(given)
      return async (tables) => {
        try {
          await channels.create(tables, name, settings)
        } catch (error) {
          if (!isDuplicate(error)) throw error
          throw new RequestRefused('conflict', `There is a channel ${name} already.`, { field: 'name' })
        }
        return { id: name }
      }
    },
    update:
      async ({ channel = '' }, change) =>
      async (tables) => {
        const before = await channels.settings(tables, channel)
        if (before) await channels.update(tables, channel, changed(before, change))
      },
    remove:
      async ({ channel = '' }) =>
      async (tables) => {
        const routes = await routesOf(tables)
        if (routes.some((route) => route.channels.includes(channel))) {
          throw new RequestRefused('conflict', 'A route names the channel: change the route first.')
        }
        await channels.remove(tables, channel)
      },
    losses: async () => ['what waits to be sent to the channel'],
  }
}

function kindOf(settings: ChannelSettings): ChannelKind {
  return channelKinds.find((kind) => settings[kind] !== undefined) ?? 'webhook'
}

/** @throws RequestRefused for what is not one of the kinds */
function withDefaults({
  webhook,
  email,
  syslog,
}: Omit<Static<typeof ChannelCreation>, 'name'>): ChannelSettings {
  if ([webhook, email, syslog].filter((kind) => kind !== undefined).length !== 1) {
    throw new RequestRefused('bad-request', 'Send one of webhook, email and syslog.', { field: 'webhook' })
  }
  return {
    ...(webhook && { webhook }),
    ...(email && { email: { port: 587, tls: 'starttls', ...email } }),
    ...(syslog && { syslog: { port: 6514, ...syslog } }),
  }
}

/**
 * Settings with a change (RFC 7396).
 *
 * @throws RequestRefused for a change of another kind, and for a mail server that would be shown the password of the one before
 */
function changed(before: ChannelSettings, change: Static<typeof ChannelChange>): ChannelSettings {
  const kind = kindOf(before)
  const other = channelKinds.find((one) => one !== kind && change[one] !== undefined)
  if (other !== undefined) {
    throw new RequestRefused('bad-request', `The channel is no ${other}: delete it, and add another.`, {
      field: other,
    })
  }
  const { host, port, tls, password } = change.email ?? {}
  const isElsewhere = host !== undefined || port !== undefined || tls !== undefined
  if (isElsewhere && before.email?.password !== undefined && password === undefined) {
    throw new RequestRefused('bad-request', 'Send the password again, since it is for another server.', {
      field: 'email.password',
    })
  }
  const merged = { ...before[kind], ...change[kind] }
  return { [kind]: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) }
}

function withoutSecrets({ webhook, email, syslog }: ChannelSettings) {
  const { secret: _secret, ...webhookShown } = webhook ?? { secret: '' }
  const { password: _password, ...emailShown } = email ?? { password: '' }
  return {
    ...(webhook && { webhook: webhookShown }),
    ...(email && { email: emailShown }),
    ...(syslog && { syslog }),
  }
}
