import type { ChosenDefaults } from './chosen-defaults.ts'

/** Defaults of interfaces, routes and network access lists: a rule that says too little opens nothing. */
export const network: ChosenDefaults = {
  'network-interface': {
    duplexity: 'Full Duplex',
    speed: '1000 Mbps',
    'auto-negotiation-status': 'On',
  },
  bond: {
    duplexity: 'Automatic',
    'min-link': 1,
    // The mode that needs nothing of the switch.
    mode: 'Active-Backup',
    mtu: 1500,
    speed: 'Automatic',
  },
  'virtual-interface': {
    'ip-version': 'IPv4',
    vsite: 'default',
  },
  'static-route': {
    'ip-version': 'IPv4',
  },
  'interface-route': {
    'ip-version': 'IPv4',
  },
  'network-acl': {
    // A rule that says too little must not open anything.
    action: 'REJECT',
    'enable-logging': 'Off',
    'ip-version': 'IPv4',
    'max-connections': 0,
    'max-half-open-connections': 0,
    protocol: 'TCP(6)',
    status: 'Yes',
    vsite: 'default',
  },
  'auto-system-acl': {
    'enable-logging': 'Off',
    status: 'Yes',
  },
}
