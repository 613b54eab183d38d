import type { SnapshotChecks, SnapshotRuleChecks, SnapshotService } from '@palisade/proxy-protocol'

/**
 * A service as it judges stored requests: as in Active mode, and by what can be told from one request alone. What goes by earlier
 * requests, by cookies or by certificates is left out: these are masked, or were of another time.
 *
 * @param port of the server that answers everything, on loopback
 */
export function triedService(service: SnapshotService, port: number): SnapshotService {
  const { name, address, inspection, policy, checks, contentRules, maskedParameters } = service
  const { urlEncryption, application } = service
  return {
    name,
    address,
    port: service.port,
    does: 'forward',
    inspection: { mode: inspection.mode === 'off' ? 'off' : 'active' },
    ...(policy === undefined ? {} : { policy }),
    ...(checks === undefined ? {} : { checks: withoutHistory(checks) }),
    ...(urlEncryption === undefined ? {} : { urlEncryption }),
    ...(application === undefined ? {} : { application }),
    contentRules: contentRules.map((rule) => ({
      name: rule.name,
      host: rule.host,
      url: rule.url,
      extendedMatch: rule.extendedMatch,
      sequence: rule.sequence,
      servers: [],
      balancing,
      logsAccess: false,
      ...(rule.checks === undefined ? {} : { checks: triedChecks(rule.checks) }),
    })),
    servers: [
      {
        name: 'trial',
        host: '127.0.0.1',
        port,
        state: 'in-service',
        isBackup: false,
        weight: 1,
        offersHttp2: false,
        connectionsMax: 0,
        requestsPerConnectionMax: 0,
        keepAliveMs: 10_000,
        responseTimeoutMs: 5_000,
        health: { refusedMax: 0, timeoutsMax: 0, httpErrorsMax: 0, otherFailuresMax: 0 },
      },
    ],
    balancing,
    idleTimeoutSeconds: 0,
    requestsPerConnectionMax: 0,
    allowsWebSockets: false,
    maskedParameters,
    logsAccess: false,
  }
}

const balancing = { algorithm: 'round-robin', whenServerFails: 'another' } as const

/** What goes by earlier requests, by what masks change, or by who the client is rather than by what it asks for. */
const untriedChecks = [
  'clientAddressHeader',
  'learning',
  'sessions',
  'requestPool',
  'tokenProfiles',
  'formSpam',
  'bots',
  'captcha',
  'ipReputation',
] as const satisfies (keyof SnapshotChecks)[]

/** The client's address is told with each request. */
function withoutHistory(checks: SnapshotChecks): SnapshotChecks {
  const judged = { ...checks }
  for (const name of untriedChecks) delete judged[name]
  return judged
}

function triedChecks({ own }: SnapshotRuleChecks): SnapshotRuleChecks {
  if (own === undefined) return { mode: 'active' }
  const { cookieSecurity: _, ...judged } = own
  return { mode: 'active', own: judged }
}
