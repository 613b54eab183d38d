/** What the traffic counts, by the statistics that show it. Each is a number of times, bytes or milliseconds. */
export const countersByStatistics = {
  'http-stats': [
    'connections',
    'requests',
    'requests-get',
    'requests-head',
    'requests-post',
    'requests-put',
    'requests-delete',
    'requests-other-method',
    'requests-http-1-0',
    'requests-http-1-1',
    'requests-http-2',
    'websocket-upgrades',
    'bytes-received',
    'bytes-sent',
  ],
  'response-stats': [
    'responses',
    'responses-1xx',
    'responses-2xx',
    'responses-3xx',
    'responses-4xx',
    'responses-5xx',
    'responses-from-server',
    'responses-from-cache',
    'responses-by-firewall',
    'responses-compressed',
    'server-failures',
    'time-taken-ms',
    'server-time-ms',
  ],
  'ssl-stats': [
    'ssl-connections',
    'ssl-handshakes-failed',
    'ssl-sessions-resumed',
    'ssl-tls-1-0',
    'ssl-tls-1-1',
    'ssl-tls-1-2',
    'ssl-tls-1-3',
    'ssl-client-certificates-accepted',
    'ssl-client-certificates-refused',
  ],
  'attack-stats': [
    'attacks',
    'attacks-denied',
    'attacks-logged',
    'attacks-cloaked',
    'attacks-redirected',
    'other-attacks',
    'session-tamper-attacks',
    'protocol-violations',
    'forceful-browsing',
    'injection-attacks',
    'xss-injections',
    'xml-violations',
    'sql-attacks',
    'file-attacks',
    'auth-attacks',
    'ddos-attacks',
    'limits-violations',
    'outbound-attacks',
    'json-violations',
    'client-violations',
    'websocket-violations',
  ],
} as const

export type CountedStatistics = keyof typeof countersByStatistics

export type CounterName = (typeof countersByStatistics)[CountedStatistics][number]

/** What happened at a service around a moment. */
export interface Counted {
  /** Milliseconds since 1970; counted into the minute in which it lies. */
  readonly time: number
  readonly service: string
  readonly counts: Readonly<Partial<Record<CounterName, number>>>
}

/** Which counts are added up. */
export interface CountedRange {
  /** One service; all of them when left out. */
  readonly service?: string
  /** The minute in which this moment lies, and later ones; everything that was ever counted when left out. */
  readonly since?: number
}

/**
 * What the traffic counted. Callers collect and hand over now and then, a second being a good interval; what was
 * handed over is durable. What is handed over twice is counted twice.
 */
export interface TrafficCounters {
  add(counted: readonly Counted[]): Promise<void>
  /** The sums; what was never counted is left out. */
  sums(range: CountedRange): Promise<Partial<Record<CounterName, number>>>
}
