import type { Section } from '../../../kinds/kind.ts'

export const ipReputation = {
  title: 'IP Reputation',
  description: '',
  fields: {
    'anonymous-proxy': { type: 'choice', values: ['Block', 'Allow'], default: 'Allow' },
    'apply-policy-at': {
      type: 'choice',
      values: ['Network Layer', 'Application Layer'],
      default: 'Network Layer',
    },
    'barracuda-reputation-blocklist': { type: 'choice', values: ['Block', 'Allow'], default: 'Allow' },
    'block-unclassified-ips': { type: 'choice', values: ['Allow', 'Block'] },
    'check-registered-country': { type: 'yes-no' },
    'custom-blacklisted-ip-status': { type: 'choice', values: ['Allow', 'Block'] },
    'datacenter-ip': { type: 'choice', values: ['Allow', 'Block'] },
    'enable-ip-reputation-filter': { type: 'on-off', default: 'Off' },
    'fake-crawler': { type: 'choice', values: ['Allow', 'Block'] },
    'geo-pool': { type: 'string' },
    'geoip-action': { type: 'choice', values: ['Block', 'Allow'], default: 'Block' },
    'geoip-enable-logging': { type: 'yes-no', default: 'No' },
    'known-http-attack-sources': { type: 'choice', values: ['Allow', 'Block'] },
    'known-ssh-attack-sources': { type: 'choice', values: ['Allow', 'Block'] },
    'public-proxy': { type: 'choice', values: ['Allow', 'Block'] },
    'satellite-provider': { type: 'choice', values: ['Block', 'Allow'], default: 'Allow' },
    'tor-nodes': { type: 'choice', values: ['Block', 'Allow'], default: 'Allow' },
  },
} as const satisfies Section
