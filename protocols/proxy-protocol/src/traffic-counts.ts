/** What traffic counts, by the statistics that show it. Each is a number of times, bytes or milliseconds. */
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

/** The statistics that have counters. */
export type CountedStatistics = keyof typeof countersByStatistics

/** What is counted for what needs attention alone: requests and connections that were denied, however many attacks each had. */
export const deniedCounter = 'requests-denied'

/** A counter of any of the statistics, or what is counted beside them. */
export type CounterName = (typeof countersByStatistics)[CountedStatistics][number] | typeof deniedCounter

/** All counters. */
export const counterNames: readonly CounterName[] = [
  ...Object.values(countersByStatistics).flat(),
  deniedCounter,
]

/** What happened at a service within a minute. */
export interface TrafficCounts {
  /** A moment of the minute, in milliseconds since 1970. */
  readonly time: number
  readonly service: string
  readonly counts: Readonly<Partial<Record<CounterName, number>>>
}

/** What a proxy has counted since it told so last. */
export interface ProxyCounts {
  /** As in its reports. */
  readonly proxy: string
  /** Another one for each message; the same when a message is sent again, of which the proxy does not know whether it arrived. */
  readonly message: string
  readonly counted: readonly TrafficCounts[]
}

/** How many entries `counted` has at most. */
export const countedMax = 1_000
