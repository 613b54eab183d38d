import type { Socket } from 'node:net'

/** Schemes by which servers know the user of a connection from then on, whatever its later requests say (RFC 4559, section 6). */
const loginScheme = /^[ \t]*(?:ntlm|negotiate)(?:[ \t]|$)/i

const authorization = 'authorization'

/** Whether a request logs its connection in. @param headers names and values in turn */
export function logsConnectionIn(headers: readonly string[]): boolean {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (name.length !== authorization.length || name.toLowerCase() !== authorization) continue
    if (loginScheme.test(headers[index + 1] ?? '')) return true
  }
  return false
}

const loggedIn = new WeakSet<object>()

/** Remembers that a server may know who is at a client's connection. */
export function markLoggedIn(client: Socket): void {
  loggedIn.add(client)
}

/** Whether a server may know who is at a client's connection although requests do not say it. */
export function isLoggedIn(client: object): boolean {
  return loggedIn.has(client)
}
