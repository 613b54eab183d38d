import { type AdministeredResource, accepted, administeredResources, eachItem } from '@palisade/sdk'
import { administrationPath } from '../connection.ts'
import type { Item } from '../readable.ts'

/** A path of a resource of /admin/v1, such as `/email/accounts/{account}/domains`. */
export type ResourcePath = keyof typeof administeredResources

/** By the names in braces of a {@link ResourcePath}; values as they are, not encoded for addresses. */
export type PathParameters = Readonly<Record<string, string>>

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** What the contract says of a resource. */
export function descriptionOf(path: ResourcePath): AdministeredResource {
  return administeredResources[path]
}

/** Calls of one resource, whichever it is. All of them throw ApiError when the server refuses. */
export class ResourceClient {
  readonly #send: Send
  readonly #collection: string

  /**
   * @param send a call by its path at the server
   * @param parents a value for each parameter of the path
   */
  constructor(send: Send, path: ResourcePath, parents: PathParameters) {
    this.#send = send
    const named = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parents[name] ?? ''))
    this.#collection = `${administrationPath}${named}`
  }

  /** Every item, page after page. @param query filters and order, as the contract names them */
  list(query: Readonly<Record<string, string>>): AsyncGenerator<Item, void, undefined> {
    return eachItem(async (after) => {
      const search = new URLSearchParams({
        limit: '500',
        ...query,
        ...(after === undefined ? {} : { after }),
      })
      const { body, response } = await this.#call('GET', `?${search}`)
      const { items, next } = body
      return {
        response,
        data: {
          items: Array.isArray(items) ? items.filter(isItem) : [],
          next: typeof next === 'string' ? next : null,
        },
      }
    })
  }

  async read(id: string): Promise<Item> {
    return (await this.#call('GET', itemPath(id))).body
  }

  /** @returns the item, with the secrets that are shown this once */
  async create(body: Item): Promise<Item> {
    return (await this.#call('POST', '', body)).body
  }

  /** Changes the item as it is now. @throws Conflict when somebody else changes it at the same time */
  async update(id: string, change: Item): Promise<Item> {
    return (await this.#call('PATCH', itemPath(id), change, await this.#tag(id))).body
  }

  /** @throws Conflict when somebody changes it at the same time */
  async delete(id: string): Promise<void> {
    await this.#call('DELETE', itemPath(id), undefined, await this.#tag(id))
  }

  /** What would be lost with an item. */
  async losses(id: string): Promise<string[]> {
    const { losses } = (await this.#call('DELETE', `${itemPath(id)}?preview=true`, undefined, '*')).body
    return Array.isArray(losses) ? losses.map(String) : []
  }

  async act(id: string, action: string, body: Item | undefined): Promise<Item> {
    return (await this.#call('POST', `${itemPath(id)}/${action}`, body)).body
  }

  /** @returns `If-Match` of the state that the item has now */
  async #tag(id: string): Promise<string> {
    return (await this.#call('GET', itemPath(id))).response.headers.get('etag') ?? '*'
  }

  async #call(method: string, below: string, content?: Item, ifMatch?: string) {
    const reply = await this.#send(`${this.#collection}${below}`, {
      method,
      headers: {
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    })
    const response = await accepted(reply)
    const body: unknown = await response.json().catch(() => undefined)
    return { response, body: isItem(body) ? body : {} }
  }
}

function itemPath(id: string): string {
  return `/${encodeURIComponent(id)}`
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
