import type { Kind } from '../../kinds/kind.ts'

export const customIpBlocklist = {
  name: 'custom-ip-blocklist',
  title: 'Custom IP Blocklist',
  description: '',
  path: 'custom-ip-blocklist',
  fields: {
    'blacklisted-ips': { type: 'string' },
    'custom-ip-list': { type: 'choice', values: ['Download', 'Upload'] },
    'download-url': { type: 'string' },
    'trusted-certificate': { type: 'string' },
    'validate-server-certificate': { type: 'yes-no' },
  },
} as const satisfies Kind
