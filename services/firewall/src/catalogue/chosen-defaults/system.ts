import type { Field } from '../../kinds/kind.ts'
import { exceptionHeuristics } from '../system/system/learning.ts'
import type { ChosenDefaults } from './chosen-defaults.ts'

/** Defaults of the system and of its sections. */
export const system: ChosenDefaults = {
  system: {
    hostname: 'waf',
    locale: 'English',
    // Logs of several machines can be compared, and no hour comes twice a year.
    'time-zone': 'UTC',
  },
  'system/advanced-settings': {
    'disable-host-header-for-authsuccess': 'No',
    'enable-advanced-settings': 'No',
    'enable-client-fingerprinting': 'No',
    'enable-param-protection-on-orig-values': 'No',
    // Bodies hold passwords and other people's data.
    'enable-post-logging': 'No',
    'enable-secure-browsing': 'No',
    'enable-toa': 'No',
    'enable-virus-scan-allow-large-files': 'No',
    'handle-ftp-datapath-issue': 'No',
    'handle-html-href-boundary-data': 'No',
    'hostname-resolution-mode': 'Default',
    // RFC 9113, section 6.5.2, recommends no fewer.
    'http2-max-concurrent-streams': 100,
    'lockout-setting': 'Per Service',
  },
  'system/azure-config': {
    'azure-cloud-type': 'Azure Public Cloud',
    'config-lan-ip': 'No',
  },
  'system/two-factor-auth': {
    'enable-dual-authentication': 'Disable',
    'is-rsa-securid': 'No',
  },
  'system/energize-updates': {
    // Definitions come by themselves; a patch may interrupt traffic.
    'patch-application-method': 'Manually',
  },
  'system/exception-heuristics': {
    ...Object.fromEntries(
      Object.entries<Field>(exceptionHeuristics.fields).map(([name, field]) => [name, cautious(field)]),
    ),
    'adaptive-profiling-sensitivity': 'Low',
    'learning-profile-update-interval': 60,
  },
  'system/form-learning-advanced-settings': {
    'locking-criteria': 'Total number of submits exceeds',
    'minimum-fill-time-calculation': 'Internal Algorithm',
    'number-of-submits': 100,
  },
  'system/ftp-access-logs': {
    'start-time': '00:00',
  },
  'system/secure-administration': {
    // There is no certificate of the vendor; the system makes its own.
    'certificate-type': 'Private (Self-signed)',
    'supported-ssl-protocols': ['TLSv1.2'],
  },
  'system/self-signed-management-certificate': {
    // The longest that all browsers take.
    'certificate-expiration': '825',
    'key-size': '2048',
  },
  'system/snmp': {
    // The device answered to a community that everybody knows; here there is none, so nothing answers.
    'enable-snmp-agent': 'No',
  },
  'syslog-server': {
    'client-certificate': 'No',
    // What RFC 5426 and syslog servers that were just installed have.
    'connection-type': 'UDP',
    port: 514,
    'oms-custom-log': 'All',
    'oms-govcloud': 'Off',
    'server-type': 'Syslog NG',
    'timestamp-and-hostname': 'Yes',
    'validate-server-certificate': 'Yes',
  },
  cluster: {
    'data-path-failure-action': 'Attempt recovery',
    // Who has been repaired returns when somebody has looked at it, not in the middle of the day by itself.
    'failback-mode': 'Manual',
    'heartbeat-count-per-interface': 10,
    'heartbeat-frequency': 1,
    'monitor-link': 'WAN',
    'transmit-heartbeat-on': 'WAN',
    'vx-aa-enable': 'Disable',
  },
  'control-center': {
    connect_mode: 'cloud',
    state: 'not-connected',
  },
  'configuration-backup': {
    source: 'Local',
    'backups-to-keep': 7,
    // Needs a key, which only somebody who keeps it elsewhere too can give.
    'encrypt-backup': 'No',
    'exclude-management-interface-configurations': 'No',
    'hour-of-day': 3,
    'minute-of-hour': 0,
    'use-ntlm': 'No',
  },
  report: {
    'delivery-options': 'Email',
    frequency: 'Once',
    'ftp-port': 21,
    'report-format': 'PDF',
  },
}

/**
 * How exceptions are made when nobody has said otherwise: after ten violations, never without a person, and no
 * wider than the request needed, which is the last of a field's values.
 */
function cautious(field: Field): string | number {
  if (field.type !== 'choice') return field.type === 'integer' ? 10 : '10'
  const [setting] = ['Manual', 'Off'].filter((value) => field.values.includes(value))
  return setting ?? field.values.at(-1) ?? ''
}
