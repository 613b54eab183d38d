import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl, addressRanges } from '../../kinds/patterns.ts'

/** Counts for the services whose IP reputation filter is on and blocks the addresses of this list. */
export const customIpBlocklist = {
  name: 'custom-ip-blocklist',
  title: 'Custom IP Blocklist',
  description: 'Addresses that are blocked besides those of the lists that come with the firewall.',
  path: 'custom-ip-blocklist',
  fields: {
    'custom-ip-list': {
      type: 'choice',
      values: ['Upload', 'Download'],
      description: 'Whether the list is the one given here, or is fetched.',
    },
    'blacklisted-ips': { type: 'string', lengthMax: 64_000, pattern: addressRanges },
    'download-url': { type: 'string', lengthMax: 1024, pattern: absoluteUrl },
    'validate-server-certificate': { type: 'yes-no' },
    'trusted-certificate': {
      type: 'reference',
      to: ['trusted-ca-certificate', 'trusted-server-certificate'],
      description: 'What the certificate of the server that has the list is validated with.',
    },
  },
} as const satisfies Kind
