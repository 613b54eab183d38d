import type { TestContext } from 'node:test'
import type { SnapshotAuthentication, SnapshotAuthorizationPolicy } from '@palisade/proxy-protocol'
import { carried } from './carried.ts'

/** An application that HTTP Basic Authentication protects, carried until the test ends. */
export async function protectedByPassword(
  t: TestContext,
  authentication: Pick<SnapshotAuthentication, 'by'> & Partial<SnapshotAuthentication>,
  policy: Partial<SnapshotAuthorizationPolicy>,
) {
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: {
      authentication: {
        realm: 'a realm',
        keys: [{ id: 1, secret: Buffer.alloc(32, 1).toString('base64url') }],
        exemptedClients: [],
        idleSeconds: 600,
        bindsToClient: false,
        cookiePath: '/',
        updateSeconds: 30,
        limitsFailures: false,
        failuresMax: 2,
        failureWindowSeconds: 60,
        loginPath: '/login',
        pages: {},
        policies: [{ ...everything, ...policy }],
        ...authentication,
      },
    },
  })
  return {
    /** Asks for a page: gives the status, and the user as the application would be told of him. */
    ask: async (name: string, password: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization } })
      const user = exchanges.at(-1)?.user
      return { status, body: `${user?.name}: ${user?.groups.join(',')}` }
    },
    /** What the log says. */
    details: () => exchanges.flatMap(({ violations }) => violations.map(({ detail }) => detail)).join('\n'),
  }
}

const everything: SnapshotAuthorizationPolicy = {
  name: 'all',
  host: '*',
  url: '/*',
  extendedMatch: '*',
  sequence: 1,
  allowsEverybody: false,
  users: [],
  groups: [],
  accessRules: [],
  loginMethod: 'basic',
  isPersistent: false,
  sendsPassword: false,
}
