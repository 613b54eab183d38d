import { accepted } from '@palisade/sdk'
import type { Session } from './session.ts'

/** One thing of a resource of `/admin/v1`, whichever it is. All calls throw ApiError when the server refuses. */
export class AdministeredItem<View> {
  readonly #send: Session['send']
  readonly #path: string

  /** @param path segments below `/admin/v1`, such as `'channels', 'operators'`; each is encoded */
  constructor({ send }: Pick<Session, 'send'>, ...path: readonly string[]) {
    this.#send = send
    this.#path = path.map((segment) => `/${encodeURIComponent(segment)}`).join('')
  }

  /** The thing as it is now, and the tag that names this state. */
  async read(): Promise<{ readonly value: View; readonly tag: string }> {
    const response = await accepted(await this.#send(this.#path))
    return { value: await response.json(), tag: response.headers.get('etag') ?? '*' }
  }

  /** Changes the thing, unless it is no longer as the tag says. @returns the thing as it is then */
  change(body: object, tag: string): Promise<View> {
    return this.#call('PATCH', '', { body, tag })
  }

  /** What would be lost with the thing, a sentence each. */
  async losses(): Promise<readonly string[]> {
    const reply = await this.#call<{ losses: string[] }>('DELETE', '?preview=true', { tag: '*' })
    return reply.losses
  }

  /** Removes the thing in whatever state. */
  async remove(): Promise<void> {
    await accepted(await this.#send(this.#path, { method: 'DELETE', headers: { 'if-match': '*' } }))
  }

  async #call<Reply>(
    method: string,
    below: string,
    { body, tag }: { readonly body?: object; readonly tag: string },
  ): Promise<Reply> {
    const init = {
      method,
      headers: { 'if-match': tag, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }
    return (await accepted(await this.#send(`${this.#path}${below}`, init))).json()
  }
}
