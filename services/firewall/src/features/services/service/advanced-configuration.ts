import type { Section } from '../../../kinds/kind.ts'
import { addressRanges } from '../../../kinds/patterns.ts'

const clientAddresses = {
  type: 'list',
  of: { type: 'string', lengthMax: 256, pattern: addressRanges },
} as const

/** While the proxy list is off, the header that tells the address of a client is believed of everybody. */
export const advancedConfiguration = {
  title: 'Advanced Configuration',
  description: 'Which protocols a service speaks, and whose word it takes for where clients are.',
  fields: {
    'enable-web-application-firewall': {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether the traffic is inspected at all.',
    },
    'keepalive-requests': {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 64,
      description: 'Requests after which the connection of a client is closed; 0 for any number.',
    },
    'enable-http2': { type: 'yes-no', default: 'No', description: 'With clients.' },
    'enable-server-http2': { type: 'yes-no', description: 'With servers.' },
    'enable-websocket': { type: 'yes-no', default: 'No' },
    'enable-vdi': { type: 'yes-no', default: 'No', description: 'Virtual desktops.' },
    'ntlm-ignore-extra-data': { type: 'yes-no', default: 'No' },
    'enable-fingerprint': {
      type: 'yes-no',
      description: 'Whether clients are recognised by more than their address.',
    },
    'enable-proxy-protocol': {
      type: 'yes-no',
      default: 'No',
      description:
        'Whether connections start with the address of the client they are made for, as load balancers tell it (PROXY protocol, versions 1 and 2). Others are refused.',
    },
    'proxy-list-status': { type: 'yes-no', default: 'No', description: 'Whether the proxy list counts.' },
    'proxy-list': {
      ...clientAddresses,
      description: "Proxies whose word is taken for their clients' addresses.",
    },
    'accept-list-status': { type: 'yes-no', default: 'No', description: 'Whether the accept list counts.' },
    'accept-list': { type: 'list', of: { type: 'string', lengthMax: 256 } },
    'ddos-exception-list': {
      ...clientAddresses,
      description: 'Clients that are exempt from the protection against floods.',
    },
  },
} as const satisfies Section
