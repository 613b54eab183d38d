import { isIP } from 'node:net'
import { RequestRefused } from '@palisade/platform'
import type { Access, Permissions } from '../../access/permissions.ts'
import { ConfigurationRefused } from '../../failure.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import { type Query, refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { administratorOf, answer } from '../body.ts'
import type { ServiceDependencies } from '../called-service.ts'
import { describedData, describedMessage, describedParameter } from '../described.ts'
import type { LockedOutClient, LockedOutClients } from './locked-out-clients.ts'

const title = 'Locked out Clients'
const path = 'locked-out-clients'
const allServices = 'all-services'
const allClients = 'all-clients'

/** How many services, or clients, one request may name. */
const namesMax = 1000

const servicesParameter = describedParameter(
  'services',
  `Names of services, with commas between them; ${allServices}, or left out, for all.`,
)

/** `GET` and `DELETE locked-out-clients`: of the services that the administrator reaches. */
export function lockedOutOperations(
  deps: ServiceDependencies & { readonly lockedOut: LockedOutClients; readonly audit: AuditLog },
): readonly SpecialOperation[] {
  const { configuration, catalogue, roles, lockedOut, audit } = deps
  const service = catalogue.get('service')
  const mayReach = (access: Access) => (permissions: Permissions) =>
    service !== undefined && permissions.mayReachKind(service, undefined, access)

  /** The names of the services that the request is about. */
  function servicesIn({ request, author }: Call, access: Access): string[] {
    const named = namesIn(request.query, 'services')
    const permissions = roles.permissionsOf(author)
    const isReached = (name: string) => {
      const object = service && configuration.snapshot.object(service, [name])
      return object !== undefined && permissions.mayReachObject(object, access)
    }
    if (named && !named.includes(allServices)) {
      const missing = named.find((name) => !isReached(name))
      if (missing === undefined) return named
      throw new ConfigurationRefused({ code: 'not-found', what: `service ${JSON.stringify(missing)}` })
    }
    const all = service ? [...(configuration.snapshot.collection(service, []) ?? [])] : []
    return all.map(({ name }) => name).filter(isReached)
  }

  return [
    {
      method: 'GET',
      path,
      mayBeDone: mayReach('read'),
      description: {
        operationId: 'listLockedOutClients',
        summary: 'List the clients that services do not serve for a while',
        tags: [title],
        parameters: [servicesParameter],
        responses: describedData('The clients by service and then by address or fingerprint.'),
      },
      handle: async (call) => {
        refuseOtherParameters(call.request.query, ['services'])
        const clients = await lockedOut.list(servicesIn(call, 'read'))
        return answer(call, { object: title, ...(clients.length === 0 ? {} : { data: membersOf(clients) }) })
      },
    },
    {
      method: 'DELETE',
      path,
      mayBeDone: mayReach('write'),
      description: {
        operationId: 'releaseLockedOutClients',
        summary: 'Serve clients again',
        tags: [title],
        parameters: [
          servicesParameter,
          describedParameter(
            'client',
            `Addresses or fingerprints, with commas between them; ${allClients} for all.`,
            true,
          ),
        ],
        responses: describedMessage('They are served again.'),
      },
      handle: async (call) => {
        refuseOtherParameters(call.request.query, ['services', 'client'])
        const named = namesIn(call.request.query, 'client')
        if (!named) {
          const message = `The parameter client is required: addresses, fingerprints, or ${allClients}.`
          throw new RequestRefused('bad-request', message, { field: 'client' })
        }
        const clients = named.includes(allClients) ? undefined : named
        const ended = await lockedOut.release(servicesIn(call, 'write'), clients)
        for (const [objectName, ofService] of Map.groupBy(ended, ({ service }) => service)) {
          const additionalData = ofService.map(({ client }) => client).join(', ')
          const change = { changeType: 'Clear', objectType: title, objectName, additionalData } as const
          await audit.changed(administratorOf(call), change)
        }
        return answer(call, { msg: `Successfully deleted. Lockouts that ended: ${ended.length}.` })
      },
    },
  ]
}

function membersOf(list: readonly LockedOutClient[]): Record<string, Record<string, unknown>> {
  const byService = Map.groupBy(list, ({ service }) => service)
  return Object.fromEntries(
    [...byService].map(([service, clients]) => [
      service,
      Object.fromEntries(clients.map((client) => [client.client, toldClient(client)])),
    ]),
  )
}

function toldClient({ client, reason, lockedUntil }: LockedOutClient) {
  return {
    object: title,
    client,
    type: isIP(client) ? 'Client IP' : 'Client Fingerprint',
    reason,
    'locked-until': new Date(lockedUntil).toISOString(),
  }
}

/** The names in a parameter, with commas between them or repeated; undefined when there are none. */
function namesIn(query: Query, parameter: string): string[] | undefined {
  const names = [query[parameter] ?? []]
    .flat()
    .flatMap((text) => String(text).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length <= namesMax) return names.length === 0 ? undefined : names
  throw new RequestRefused('bad-request', `The parameter ${parameter} takes at most ${namesMax} names.`, {
    field: parameter,
  })
}
