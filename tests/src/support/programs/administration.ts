import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from './server.ts'

/** Calls of the administration as the owner whom the first start of a server has made. */
export class Administration {
  readonly #base: string
  readonly #headers: Record<string, string>

  private constructor(base: string, headers: Record<string, string>) {
    this.#base = base
    this.#headers = headers
  }

  static async connect(server: Pick<Server, 'services' | 'dataDirectory'>): Promise<Administration> {
    const written = readFileSync(join(server.dataDirectory, 'first-owner.txt'), 'utf8')
    const [, username, password] = /^username (.*)\npassword (.*)\n$/.exec(written) ?? []
    const base = `${server.services}/admin/v1`
    const reply = await fetch(`${base}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
    assert.equal(reply.status, 201)
    const { csrfToken } = (await reply.json()) as { csrfToken: string }
    const [cookie = ''] = reply.headers.getSetCookie()
    return new Administration(base, { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': csrfToken })
  }

  /** @param path below `/admin/v1` */
  address(path: string): string {
    return `${this.#base}${path}`
  }

  /** One call; what changes something names the state that it changes as any. */
  call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(this.address(path), {
      method,
      headers: {
        ...this.#headers,
        'if-match': '*',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  }
}
