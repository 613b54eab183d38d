import type { ChosenDefaults } from './chosen-defaults.ts'

export const services: ChosenDefaults = {
  service: {
    'enable-loopback-adapter': 'No',
  },
  'service/advanced-client-analysis': {
    'advanced-analysis': 'Disable',
  },
  'service/advanced-configuration': {
    'enable-fingerprint': 'No',
    'enable-server-http2': 'No',
  },
  'service/authentication': {
    'creation-timeout': 1,
    'kerberos-ldap-authorization': 'No',
    'session-replay-protection-status': 'Off',
  },
  'service/captcha-settings': {
    'recaptcha-type': 'CAPTCHA',
  },
  'service/form-spam': {
    'autoconfigure-status': 'No',
    'honeypot-status': 'No',
    status: 'Off',
  },
  'service/ip-reputation': {
    'block-unclassified-ips': 'Allow',
    'check-registered-country': 'No',
    'custom-blacklisted-ip-status': 'Allow',
    'datacenter-ip': 'Allow',
    'fake-crawler': 'Allow',
    'known-http-attack-sources': 'Allow',
    'known-ssh-attack-sources': 'Allow',
    'public-proxy': 'Allow',
  },
  'service/load-balancing': {
    'cookie-age': 1,
  },
  'service/referer-spam': {
    status: 'Off',
  },
  'service/session-tracking': {
    'max-sessions-per-ip': 1,
  },
  'service/ssl-client-authentication': {
    'client-authentication-rule-count': 0,
  },
  'service/ssl-security': {
    'enable-ocsp-stapling': 'No',
    'enable-tls-1-3': 'No',
    'ssl-tls-presets': 'Factory Preset',
  },
  'server/out-of-band-health-checks': {
    'enable-oob-health-checks': 'No',
  },
  'server/ssl-policy': {
    'enable-http2-server': 'No',
    'enable-tls-1-3': 'No',
  },
  'rule-group': {
    'access-log': 'Disable',
  },
  'rule-group/advanced-client-analysis': {
    'advanced-analysis': 'Disable',
  },
  'rule-group/rg-captcha-settings': {
    'recaptcha-type': 'CAPTCHA',
  },
  'rule-group/load-balancing': {
    'cookie-age': 1,
  },
  'rule-group-server/load-balancing': {
    'backup-server': 'No',
    weight: 0,
  },
  'rule-group-server/out-of-band-health-checks': {
    'enable-oob-health-checks': 'Off',
  },
  'rule-group-server/ssl-policy': {
    'enable-http2-server': 'No',
    'enable-tls-1-3': 'No',
  },
}
