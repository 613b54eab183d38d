import { type AdministeredResource, type PageRequest, RequestRefused, withExample } from '@palisade/platform'
import { Type } from 'typebox'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { text } from '../kinds/conversions.ts'
import type { Administrators } from './administrators.ts'
import type { Roles } from './roles.ts'
import type { Tokens } from './tokens.ts'

const AdministratorItem = withExample(
  Type.Object(
    { username: Type.String(), role: Type.String(), managedBy: Type.Null() },
    { title: 'FirewallAdministrator' },
  ),
  { username: 'admin', role: 'admin', managedBy: null },
)

const TokenSecret = Type.Object({ token: Type.String({ examples: ['eyJldCI6IjE4OTM0NTYwMDAifQ==\n'] }) })

/**
 * `/firewall/administrators`: who administers the firewall by its own API, where they are added and changed. An operator who may read
 * the firewall gets a token of one of them, and needs no second password; it changes something only where he may. It ends when he may no
 * longer do what it lets him do, and with the session or API token that he asked for it with. The audit log has the first that he gets
 * in an hour from an address.
 */
export function administratorResource(deps: {
  readonly configuration: LiveConfiguration
  readonly administrators: Administrators
  readonly roles: Roles
  readonly tokens: Tokens
}): AdministeredResource {
  const { configuration, administrators, roles, tokens } = deps
  const itemOf = ({ username, role }: { username: string; role: string }) => ({
    username,
    role,
    managedBy: null,
  })
  return {
    path: '/firewall/administrators',
    service: 'firewall',
    idParameter: 'administrator',
    noun: { one: 'firewall administrator', many: 'firewall administrators' },
    item: AdministratorItem,
    orders: ['username'],
    async list(_tables, _path, page) {
      const all = configuration
        .objects('user')
        .map(({ name, content }) => itemOf({ username: name, role: text(content.values.role) }))
      return pageOf(all, page).map((item) => ({ item, place: { value: item.username, id: item.username } }))
    },
    async read(_tables, { administrator = '' }) {
      const object = administrators.find(administrator)
      return object && itemOf(object)
    },
    actions: [
      {
        name: 'token',
        summary:
          'Get a token of the firewall API, as its login gives one; it only reads for those who may only read',
        secrets: TokenSecret,
        isForReaders: true,
        // A console asks for one with each page that is loaded, a command with each call.
        isNotedHourly: true,
        async perform({ administrator: username = '' }, _body, { credential, mayChange }) {
          const administrator = administrators.find(username)
          if (!administrator)
            throw new RequestRefused('not-found', 'There is no such firewall administrator.')
          if (!roles.permissionsOf(administrator).mayLogIn) {
            throw new RequestRefused('conflict', `The role ${administrator.role} has no API privilege.`)
          }
          const { text: token } = await tokens.begin(administrator, { credential, readsOnly: !mayChange })
          return async () => ({ token })
        },
      },
    ],
  }
}

function pageOf<Item extends { readonly username: string }>(
  all: readonly Item[],
  { limit, isDescending, after }: PageRequest,
): Item[] {
  const ordered = all.toSorted((one, other) => (one.username < other.username ? -1 : 1))
  if (isDescending) ordered.reverse()
  const isBehind = ({ username }: Item) =>
    after === undefined || (isDescending ? username < String(after.id) : username > String(after.id))
  return ordered.filter(isBehind).slice(0, limit)
}
