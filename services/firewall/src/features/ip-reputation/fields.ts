import type { Section } from '../../kinds/kind.ts'

const recordedVerdict = { type: 'choice', values: ['Block', 'Allow'], default: 'Allow' } as const
const verdict = { type: 'choice', values: ['Block', 'Allow'] } as const

/** The one list of custom addresses serves all services; each says for itself whether it blocks them. */
export const ipReputation = {
  title: 'IP Reputation',
  description: 'Clients that are blocked for where they are, or for what their address is known for.',
  fields: {
    'enable-ip-reputation-filter': { type: 'on-off', default: 'Off' },
    'apply-policy-at': {
      type: 'choice',
      values: ['Network Layer', 'Application Layer'],
      default: 'Network Layer',
      description:
        'Whether a client is known by its connection, or by the header of a proxy before the firewall.',
    },
    'geo-pool': {
      type: 'reference',
      to: 'geo-pool',
      description: 'The regions that the action below is for.',
    },
    'geoip-action': { type: 'choice', values: ['Block', 'Allow'], default: 'Block' },
    'geoip-enable-logging': { type: 'yes-no', default: 'No' },
    'check-registered-country': {
      type: 'yes-no',
      description: 'Whether the country counts in which the address is registered, beside where it is used.',
    },
    'block-unclassified-ips': {
      ...verdict,
      description: 'Addresses of which nobody knows where they are.',
    },
    'barracuda-reputation-blocklist': recordedVerdict,
    'custom-blacklisted-ip-status': { ...verdict, description: 'Addresses of the custom IP blocklist.' },
    'anonymous-proxy': recordedVerdict,
    'satellite-provider': recordedVerdict,
    'tor-nodes': recordedVerdict,
    'public-proxy': verdict,
    'datacenter-ip': verdict,
    'fake-crawler': { ...verdict, description: 'Clients that pretend to be a search engine.' },
    'known-http-attack-sources': verdict,
    'known-ssh-attack-sources': verdict,
  },
} as const satisfies Section
