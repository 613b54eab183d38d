import { answer, type FirewallClient } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../use-session.ts'

/** A server of a service: where it is, not how it fares. */
export interface ServerPlace {
  readonly name: string
  readonly address: string
}

/** A service, as the pages of this area show it. */
export interface FirewallService {
  readonly name: string
  /** As the log calls it. */
  readonly appId: string
  readonly type: string
  /** Where clients come. */
  readonly address: string
  readonly isOn: boolean
  readonly mode: string
  readonly policy: string
  readonly servers: readonly ServerPlace[]
}

/** How a service or a server fares. */
export interface Health {
  readonly status: string
  /** Sentences; empty when there is nothing to say. */
  readonly reason: string
}

/** How a service and its servers fare. */
export interface ServiceHealth extends Health {
  readonly servers: Readonly<Record<string, Health>>
}

/** Health, counters and charts are read again after this time. */
export const refreshMs = 5_000

/** Every service. */
export function useServices() {
  const { firewall } = useSession()
  return useQuery({ queryKey: ['firewall', 'services'], queryFn: () => readServices(firewall) })
}

/** How all services fare, by name; read again and again while somebody looks. */
export function useHealth() {
  const { firewall } = useSession()
  return useQuery({
    queryKey: ['firewall', 'health'],
    queryFn: () => readHealth(firewall),
    refetchInterval: refreshMs,
  })
}

const wholeParts = ['Service', 'Basic Security', 'Server']

async function readServices(firewall: FirewallClient): Promise<readonly FirewallService[]> {
  const { data = {} } = await answer(
    firewall.GET('/restapi/v3.2/services', { params: { query: { groups: wholeParts } } }),
  )
  return Object.entries(data).map(([name, service]) => ({
    name,
    appId: service['app-id'] ?? name,
    type: service.type ?? '',
    address: addressOf(service['ip-address'], service.port),
    isOn: service.status !== 'Off',
    mode: service['Basic Security']?.mode ?? '',
    policy: service['Basic Security']?.['web-firewall-policy'] ?? '',
    servers: Object.entries(service.Server?.data ?? {}).map(([server, members]) => ({
      name: server,
      address: addressOf(members.hostname || members['ip-address'], members.port),
    })),
  }))
}

async function readHealth(firewall: FirewallClient): Promise<Readonly<Record<string, ServiceHealth>>> {
  const { data = {} } = await answer(
    firewall.GET('/restapi/v3.2/services', {
      params: { query: { category: 'operational', groups: ['Service', 'Server'] } },
    }),
  )
  return Object.fromEntries(
    Object.entries(data).map(([name, service]) => [
      name,
      {
        ...healthOf(service),
        servers: Object.fromEntries(
          Object.entries(service.Server?.data ?? {}).map(([server, members]) => [server, healthOf(members)]),
        ),
      },
    ]),
  )
}

/** The description of the API has these members only where they are asked for. */
function healthOf(members: object): Health {
  const told: Readonly<Record<string, unknown>> = { ...members }
  return { status: String(told['operational-status'] ?? ''), reason: String(told['status-reason'] ?? '') }
}

function addressOf(host = '', port = ''): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** What the traffic of services counted, step by step. */
export interface History {
  /** Seconds since 1970, ascending: when each step began. */
  readonly times: readonly number[]
  /** @returns a value for each step; zeros where nothing was counted */
  readonly of: (service: string, counter: string) => readonly number[]
}

/** What the traffic counted; read again and again while somebody looks. @param service all when undefined */
export function useHistory(
  counters: string,
  { stepMinutes, steps }: { readonly stepMinutes: number; readonly steps: number },
  service?: string,
) {
  const { firewall } = useSession()
  const query = {
    counters,
    'step-minutes': stepMinutes,
    steps,
    ...(service === undefined ? {} : { service }),
  }
  return useQuery({
    queryKey: ['firewall', 'history', query],
    queryFn: async (): Promise<History> => {
      const { data } = await answer(firewall.GET('/restapi/v3.2/stats/history', { params: { query } }))
      const nothing = data.times.map(() => 0)
      return {
        times: data.times.map((time) => Date.parse(time) / 1000),
        of: (name, counter) => data.services[name]?.[counter] ?? nothing,
      }
    },
    refetchInterval: Math.min(stepMinutes * refreshMs, 15_000),
  })
}
