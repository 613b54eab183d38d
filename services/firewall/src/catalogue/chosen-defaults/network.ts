import type { ChosenDefaults } from './chosen-defaults.ts'

export const network: ChosenDefaults = {
  'network-interface': {
    duplexity: 'Full Duplex',
    speed: '10 Mbps',
    'auto-negotiation-status': 'Off',
  },
  bond: {
    duplexity: 'Automatic',
    'min-link': 0,
    mode: 'Active-Backup',
    mtu: 68,
    speed: '10',
  },
  'virtual-interface': {
    'ip-version': 'IPv4',
  },
  'static-route': {
    'ip-version': 'IPv4',
  },
  'interface-route': {
    'ip-version': 'IPv4',
  },
  'network-acl': {
    action: 'ACCEPT',
    'enable-logging': 'Off',
    'ip-version': 'IPv4',
    'max-connections': 0,
    'max-half-open-connections': 0,
    protocol: 'AH(51)',
    status: 'No',
  },
  'auto-system-acl': {
    'enable-logging': 'Off',
    status: 'No',
  },
}
