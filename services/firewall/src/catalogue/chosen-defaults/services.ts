import type { ChosenDefaults } from './chosen-defaults.ts'

/** Defaults of services, servers and content rules, and of their sections. */
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
    'kerberos-ldap-authorization': 'No',
    'session-replay-protection-status': 'Off',
  },
  'service/captcha-settings': {
    // The others need the keys of a provider.
    'recaptcha-type': 'CAPTCHA',
  },
  'service/form-spam': {
    'autoconfigure-status': 'No',
    'honeypot-status': 'No',
    status: 'Off',
  },
  'service/ip-reputation': {
    // As the lists whose default is known: what is blocked is said one by one.
    'block-unclassified-ips': 'Allow',
    'check-registered-country': 'No',
    // Who fills the custom blocklist wants its addresses blocked wherever the filter is on.
    'custom-blacklisted-ip-status': 'Block',
    'datacenter-ip': 'Allow',
    'fake-crawler': 'Allow',
    'known-http-attack-sources': 'Allow',
    'known-ssh-attack-sources': 'Allow',
    'public-proxy': 'Allow',
  },
  'service/referer-spam': {
    status: 'Off',
  },
  'service/ssl-client-authentication': {
    'client-authentication-rule-count': 0,
  },
  'service/ssl-security': {
    'enable-ocsp-stapling': 'No',
    // Of the versions that are offered, the one without known weaknesses belongs to them.
    'enable-tls-1-3': 'Yes',
    // A preset would make the protocols and ciphers that are shown beside it mean nothing.
    'ssl-tls-presets': 'Use Configured Values',
  },
  'server/out-of-band-health-checks': {
    // Otherwise an idle server that has failed is found out by a client.
    'enable-oob-health-checks': 'Yes',
  },
  'server/ssl-policy': {
    'enable-http2-server': 'No',
    'enable-tls-1-3': 'Yes',
  },
  'rule-group': {
    // As services, whose access is logged by default.
    'access-log': 'Enable',
  },
  'rule-group/advanced-client-analysis': {
    'advanced-analysis': 'Same as Service',
  },
  'rule-group/rg-captcha-settings': {
    'recaptcha-type': 'CAPTCHA',
  },
  'rule-group-server/out-of-band-health-checks': {
    'enable-oob-health-checks': 'On',
  },
  'rule-group-server/ssl-policy': {
    'enable-http2-server': 'No',
    'enable-tls-1-3': 'Yes',
  },
}
