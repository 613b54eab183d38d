import type { Store } from '@palisade/platform'
import { type ReceivedReply, send, settableClock } from '@palisade/platform/testing'
import { basic, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import type { LogName } from '../log-types.ts'
import { type FirewallLogs, openLogs } from '../open-logs.ts'
import type { Limits } from '../retention.ts'

/** The logs at real ports, and a client that is logged in. */
export interface ServedLogs extends FirewallLogs {
  readonly clock: ReturnType<typeof settableClock>
  /** @param path what follows the version: "access-logs?limit=1" */
  get(path: string): Promise<ReceivedReply>
  call(method: string, path: string, headers?: Record<string, string>): Promise<ReceivedReply>
  stop(): Promise<void>
}

/** Less than tokens are valid for. */
const tokenLifetimeMs = 10 * 60_000

/**
 * Serves the firewall on a free loopback port, and opens its logs beside it. What the audit log says about the
 * beginning is taken out of it.
 */
export async function serveLogs(
  store: Store,
  limits?: Partial<Record<LogName, Limits>>,
): Promise<ServedLogs> {
  const clock = settableClock()
  const logs = await openLogs({ store, clock, dataDirectory: '/', ...(limits ? { limits } : {}) })
  const served = await serveFirewall({ store, clock, kinds: [] })
  let authorized = {}
  let expiresAt = 0
  const authorize = async () => {
    if (clock.now() < expiresAt) return authorized
    expiresAt = clock.now() + tokenLifetimeMs
    authorized = basic(`${(await logIn(served.baseUrl)).token}:`)
    return authorized
  }
  const call = async (method: string, path: string, headers?: Record<string, string>) =>
    send(`${served.baseUrl}/restapi/v3.2/${path}`, { method, headers: headers ?? (await authorize()) })
  await authorize()
  await store.tables<{ firewall_audit_log: object }>().deleteFrom('firewall_audit_log').execute()
  const stop = async () => {
    await served.close()
    await logs.close()
  }
  return { ...logs, clock, call, get: (path) => call('GET', path), stop }
}
