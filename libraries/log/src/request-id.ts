/** Apart from the log (`@palisade/log/request-id`), for threads that write none and need not load it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** Of the request, or the job, that is worked on. */
const current = new AsyncLocalStorage<string>()

/** What a request id may consist of, whoever has made it: 1 to 64 letters, digits, dots, dashes and underscores of ASCII. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Whether a text of somebody else's can be a request id. One that cannot is neither logged nor answered. */
export function isRequestId(text: string): boolean {
  return wellFormed.test(text)
}

/** An id that nobody has had: 32 hexadecimal digits, as a trace id has them. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '')
}

/** Does work of a request: until it has ended, its lines of the log have the id, however many promises, timers and sockets are between. */
export function withRequestId<Result>(id: string, work: () => Result): Result {
  return current.run(id, work)
}

/** The id of the request that is worked on; undefined where it is none. */
export function currentRequestId(): string | undefined {
  return current.getStore()
}
