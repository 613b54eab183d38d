import type { ChosenDefaults } from './chosen-defaults.ts'

/** A rule is made to be followed, so it is on; what it does by default leaves requests as they are. */
export const accessControl: ChosenDefaults = {
  'allow-or-deny-client': {
    action: 'Allow',
    sequence: 1,
    status: 'On',
  },
  'authorization-policy': {
    'allow-any-authenticated-user': 'No',
    'cookie-timeout': 15,
    'digest-algorithm': 'SHA-256',
    'enable-signing-on-authrequest': 'No',
    'extended-match': '*',
    'extended-match-sequence': 1,
    host: '*',
    'login-method': 'HTML Form',
    'send-basic-auth': 'No',
    'send-domain-in-basic-auth': 'No',
    status: 'On',
    'use-persistent-cookie': 'No',
  },
  'ddos-policy': {
    'enforce-captcha': 'Do not Enforce',
    'evaluate-clients': 'Off',
    // The documentation tells of 900 seconds during which a suspicious client is remembered.
    'expiry-time': 900,
    'extended-match': '*',
    'extended-match-sequence': 1,
    host: '*',
    'mouse-check': 'Off',
    'num-captcha-tries': 3,
    'num-unanswered-captcha': 10,
    url: '/*',
  },
  // As global ACLs, whose defaults are known.
  'url-acl': {
    action: 'Process',
    'deny-response': 'Response Page',
    enable: 'On',
    'extended-match': '*',
    'extended-match-sequence': 1,
    'follow-up-action': 'None',
    'follow-up-action-time': 60,
    host: '*',
    'response-page': 'default',
    url: '/*',
  },
  'header-acl': {
    // As services, content rules and profiles begin.
    mode: 'Passive',
    status: 'On',
  },
  'custom-ip-blocklist': {
    // Without an address there is nothing to download.
    'custom-ip-list': 'Upload',
    // Whoever could change the list on its way could unblock themselves, or block everybody.
    'validate-server-certificate': 'Yes',
  },
  'trusted-host': {
    version: 'IPv4',
  },
  'rate-control-pool': {
    'max-active-requests': 100,
    'max-per-client-backlog': 32,
    'max-unconfigured-clients': 100,
  },
  'preferred-client': {
    status: 'On',
  },
}
