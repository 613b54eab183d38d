import { addedLater, isOn, number, ranges, textIfGiven } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import { service } from './service.ts'

/** The time after which idle clients are let go; it stands on the service itself. */
export const idleTimeout = fieldReader(service, {
  /** How long a client's connection may be idle between two requests, in seconds; 0 for any time. */
  idleTimeoutSeconds: ['session-timeout', number],
})

/** What the connections of clients may be used for. */
export const clientConnections = sectionReader(service, 'advanced-configuration', {
  /** Requests after which a client's connection is closed; 0 for any number. */
  requestsPerConnectionMax: ['keepalive-requests', number],
  /** Whether connections may turn into WebSockets (RFC 6455). */
  allowsWebSockets: ['enable-websocket', isOn],
  /**
   * Whether connections begin with a PROXY header, which tells the client's address. It is taken of the trusted proxies alone; where nobody has said
   * which those are, of everybody, as something that is only said.
   */
  expectsProxyHeader: ['enable-proxy-protocol', addedLater(isOn)],
})

/** In which header of a request a proxy before the firewall tells the client's address. */
export const clientAddressHeader = sectionReader(service, 'basic-security', {
  clientAddressHeader: [
    'client-ip-addr-header',
    (value: Value | undefined) => textIfGiven(value)?.toLowerCase(),
  ],
})

/** Whose word about clients is taken; undefined where the list is switched off. */
export const proxyList = whenOn(
  sectionReader(service, 'advanced-configuration', {
    isOn: ['proxy-list-status', isOn],
    /**
     * Proxies before us whose word about clients is taken: addresses, ranges with "-" and networks with "/". Absent where nobody has said which
     * those are: then only the header that tells the client's address is believed, of everybody.
     */
    trustedProxies: ['proxy-list', ranges],
  }),
)

/** How a service speaks with its clients, and whom it believes about them. */
export type SnapshotClientConnections = Settings<typeof idleTimeout> &
  Settings<typeof clientConnections> &
  Partial<Settings<typeof proxyList>>
