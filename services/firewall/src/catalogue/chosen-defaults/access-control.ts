import type { ChosenDefaults } from './chosen-defaults.ts'

export const accessControl: ChosenDefaults = {
  'allow-or-deny-client': {
    action: 'Allow',
    sequence: 1,
    status: 'Off',
  },
  'authorization-policy': {
    'allow-any-authenticated-user': 'No',
    'cookie-timeout': 5,
    'digest-algorithm': 'SHA-1',
    'enable-signing-on-authrequest': 'No',
    'extended-match-sequence': 0,
    'login-method': 'HTML Form',
    'send-basic-auth': 'No',
    'send-domain-in-basic-auth': 'No',
    status: 'Off',
    'use-persistent-cookie': 'No',
  },
  'ddos-policy': {
    'enforce-captcha': 'All clients',
    'evaluate-clients': 'Off',
    'expiry-time': 60,
    'extended-match-sequence': 0,
    'mouse-check': 'Off',
    'num-captcha-tries': 1,
    'num-unanswered-captcha': 1,
  },
  'url-acl': {
    action: 'Allow',
    'deny-response': 'Permanent Redirect',
    enable: 'Off',
    'extended-match-sequence': 0,
    'follow-up-action': 'Block Client Fingerprint',
    'follow-up-action-time': 1,
  },
  'header-acl': {
    'max-header-value-length': 0,
    mode: 'Active',
    status: 'Off',
  },
  'custom-ip-blocklist': {
    'custom-ip-list': 'Download',
    'validate-server-certificate': 'No',
  },
  'trusted-host': {
    version: 'IPv4',
  },
  'rate-control-pool': {
    'max-active-requests': 1,
    'max-per-client-backlog': 0,
    'max-unconfigured-clients': 1,
  },
  'preferred-client': {
    status: 'Off',
  },
}
