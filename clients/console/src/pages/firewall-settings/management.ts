import { accepted } from '@palisade/sdk'
import { useMemo } from 'react'
import { useSession } from '../../use-session.ts'

/** The members of an object as replies show them. */
export type Members = Readonly<Record<string, unknown>>

/** What a reply of a change says. */
export interface Done {
  readonly id?: string
  readonly msg: string
  /** What keeps the change from doing its work. */
  readonly warning?: string
  /** The name of the checkpoint that takes a deletion back; undefined where nothing does. A header says it. */
  readonly checkpoint?: string
}

/** An object as it is, and the version that this is. */
export interface ReadObject {
  readonly members: Members
  /** For `If-Match`. */
  readonly etag: string | undefined
}

/** The firewall's management, by addresses such as `services/shop`. Each call throws ApiError when it is refused. */
export interface Management {
  /** The objects at an address by name. */
  readonly list: (
    address: string,
    query?: Readonly<Record<string, string>>,
  ) => Promise<readonly (readonly [name: string, members: Members])[]>
  readonly read: (address: string) => Promise<ReadObject>
  /** @param etag the version that is meant; any when left out */
  readonly change: (
    method: 'POST' | 'PUT' | 'DELETE',
    address: string,
    body?: object,
    etag?: string,
  ) => Promise<Done>
  /** The `data` of a reply. */
  readonly get: (address: string) => Promise<unknown>
}

/** The firewall's management as the operator who looks at the page. */
export function useManagement(): Management {
  const { firewallFetch } = useSession()
  return useMemo(() => managementOver(firewallFetch), [firewallFetch])
}

function managementOver(send: (path: string, init?: RequestInit) => Promise<Response>): Management {
  const call = async (address: string, init?: RequestInit) =>
    accepted(await send(`/restapi/v3.2/${address}`, init))
  const dataOf = async (response: Response): Promise<unknown> =>
    ((await response.json()) as { readonly data?: unknown }).data
  return {
    async list(address, query = {}) {
      const parameters = new URLSearchParams(query)
      const data = await dataOf(await call(`${address}${parameters.size > 0 ? `?${parameters}` : ''}`))
      return Object.entries(membersOf(data)).map(([name, object]) => [name, membersOf(object)] as const)
    },
    async read(address) {
      const response = await call(address)
      const data = membersOf(await dataOf(response))
      const [first] = Object.values(data)
      // One kind has its members right in the data; all others have them under the name of the object.
      const members = typeof first === 'object' ? membersOf(first) : data
      return { members, etag: response.headers.get('etag') ?? undefined }
    },
    async change(method, address, body, etag) {
      const response = await call(address, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(etag === undefined ? {} : { 'if-match': etag }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const done = (await response.json()) as Done
      const checkpoint = response.headers.get('palisade-checkpoint')
      return checkpoint === null ? done : { ...done, checkpoint }
    },
    get: async (address) => dataOf(await call(address)),
  }
}

/** The members of what should be an object; none when it is something else. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
