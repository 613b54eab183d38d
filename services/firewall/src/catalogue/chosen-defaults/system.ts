import type { ChosenDefaults } from './chosen-defaults.ts'

export const system: ChosenDefaults = {
  system: {
    locale: 'Catalan',
  },
  'system/advanced-settings': {
    'disable-host-header-for-authsuccess': 'No',
    'enable-advanced-settings': 'No',
    'enable-client-fingerprinting': 'No',
    'enable-param-protection-on-orig-values': 'No',
    'enable-post-logging': 'No',
    'enable-secure-browsing': 'No',
    'enable-toa': 'No',
    'enable-virus-scan-allow-large-files': 'No',
    'handle-ftp-datapath-issue': 'No',
    'handle-html-href-boundary-data': 'No',
    'hostname-resolution-mode': 'Default',
    'http2-max-concurrent-streams': 1,
    'lockout-setting': 'All Services',
  },
  'system/azure-config': {
    'azure-cloud-type': 'Azure China Cloud',
    'config-lan-ip': 'No',
  },
  'system/two-factor-auth': {
    'enable-dual-authentication': 'Disable',
    'is-rsa-securid': 'No',
  },
  'system/energize-updates': {
    'patch-application-method': 'Automatically',
  },
  'system/form-learning-advanced-settings': {
    'locking-criteria': 'Total number of submits exceeds',
    'minimum-fill-time-calculation': 'Internal Algorithm',
    'number-of-submits': 1,
  },
  'system/ftp-access-logs': {
    'start-time': '00:00',
  },
  'system/lan-configuration': {
    'vlan-id': 1,
  },
  'system/management-configuration': {
    'vlan-id': 1,
  },
  'system/ng-firewall': {
    port: 1,
  },
  'system/password-policy': {
    'number-of-passwords-to-lookup': 1,
    'other-expiry-time': 30,
  },
  'system/proxy-server': {
    port: 1,
  },
  'system/secure-administration': {
    'certificate-type': 'Default (Barracuda Networks)',
  },
  'system/self-signed-management-certificate': {
    'key-size': '1024',
  },
  'system/trusted-management-certificate': {
    'certificate-type': 'pem',
  },
  'system/wan-configuration': {
    'vlan-id': 1,
  },
  'syslog-server': {
    'brs-system-serial': 0,
    'client-certificate': 'No',
    'connection-type': 'SSL',
    'oms-custom-log': 'All',
    'oms-govcloud': 'Off',
    port: 0,
    'server-type': 'AMQP',
    'timestamp-and-hostname': 'No',
    'validate-server-certificate': 'No',
  },
  cluster: {
    'data-path-failure-action': 'Attempt recovery',
    'failback-mode': 'Automatic',
    'heartbeat-count-per-interface': 1,
    'heartbeat-frequency': 1,
    'monitor-link': 'LAN',
    'transmit-heartbeat-on': 'LAN',
    'vx-aa-enable': 'Disable',
  },
  'control-center': {
    connect_mode: 'cloud',
    state: 'connected',
  },
  'configuration-backup': {
    destination: 'Amazon S3',
    'server-type': 'Cloud',
    source: 'Amazon S3',
    'backup-schedule-location': 'Amazon S3',
    'encrypt-backup': 'No',
    'exclude-management-interface-configurations': 'No',
    'use-ntlm': 'No',
  },
  report: {
    'delivery-options': 'Email',
    frequency: 'Daily',
    'ftp-port': 0,
    'report-format': 'HTML',
  },
}
