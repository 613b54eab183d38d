import type { Kind } from '../../kinds/kind.ts'
import { hostName, timeZone } from '../../kinds/patterns.ts'
import { accountLockoutSettings } from './system/account-lockout-settings.ts'
import { advancedSettings } from './system/advanced-settings.ts'
import { appearance } from './system/appearance.ts'
import { azureConfig } from './system/azure-config.ts'
import { cookiesAndParameters } from './system/cookies-and-parameters.ts'
import { customHeaders } from './system/custom-headers.ts'
import { dns } from './system/dns.ts'
import { emailNotifications } from './system/email-notifications.ts'
import { encryptionKey } from './system/encryption-key.ts'
import { energizeUpdates } from './system/energize-updates.ts'
import { exceptionHeuristics } from './system/exception-heuristics.ts'
import { exportLogFilters } from './system/export-log-filters.ts'
import { exportLogSettings } from './system/export-log-settings.ts'
import { formLearningAdvancedSettings } from './system/form-learning-advanced-settings.ts'
import { ftpAccessLogs } from './system/ftp-access-logs.ts'
import { lanConfiguration } from './system/lan-configuration.ts'
import { location } from './system/location.ts'
import { logsFormat } from './system/logs-format.ts'
import { managementConfiguration } from './system/management-configuration.ts'
import { networkConfiguration } from './system/network-configuration.ts'
import { ngFirewall } from './system/ng-firewall.ts'
import { passwordPolicy } from './system/password-policy.ts'
import { patternMode } from './system/pattern-mode.ts'
import { proxyServer } from './system/proxy-server.ts'
import { secureAdministration } from './system/secure-administration.ts'
import { selfSignedManagementCertificate } from './system/self-signed-management-certificate.ts'
import { snmp } from './system/snmp.ts'
import { syslogSettings } from './system/syslog-settings.ts'
import { trustedManagementCertificate } from './system/trusted-management-certificate.ts'
import { twoFactorAuth } from './system/two-factor-auth.ts'
import { wanConfiguration } from './system/wan-configuration.ts'
import { webInterface } from './system/web-interface.ts'

/** What versions before v3.2 call the languages: language and country, as C libraries name locales. */
const languageCodes = {
  ca_ES: 'Catalan',
  da_DK: 'Dansk',
  de_DE: 'Deutsch',
  en_US: 'English',
  es_ES: 'Español',
  fr_FR: 'Français',
  it_IT: 'Italiano',
  hu_HU: 'Magyar',
  nl_NL: 'Nederlands',
  pl_PL: 'Polski',
  pt_BR: 'Português (BR)',
  is_IS: 'íslenska',
  cs_CZ: 'Česky',
  ru_RU: 'Русский',
  ja_JP: '日本語',
  zh_CN: '简体中文',
  zh_TW: '繁體中文',
  ko_KR: '한국어',
} as const

/** Its sections are settings that concern the whole system; each is explained in its own file. */
export const system = {
  name: 'system',
  title: 'System',
  description: 'The system itself: its name, its place in the network, and settings for all services.',
  path: 'system',
  emptyGroups: [
    'Addon Subscription',
    'Exception Heuristics Cookie Violations',
    'Exception Heuristics Forceful Browsing',
    'Exception Heuristics Header',
    'Exception Heuristics Input',
    'Exception Heuristics Length',
    'Exception Profiling Level',
    'GDPR Compliance',
    'Slack Notification',
    'Telemetry',
  ],
  columns: {
    'Admin IP Range': 'admin-ip-range',
    'Local Hosts': 'local-host',
    'Module Log Levels': 'module-log-level',
    'Trap Receivers': 'trap-receiver',
  },
  fields: {
    domain: {
      type: 'string',
      lengthMax: 512,
      pattern: hostName,
      description: 'What follows the host name in the full name of the system.',
    },
    'attack-definition': {
      type: 'string',
      readOnly: true,
      description: 'The release of the rules by which proxies judge; of several, each.',
    },
    'device-name': {
      type: 'string',
      lengthMax: 255,
      default: 'Web Application Firewall',
      description: 'How people call it; no machine uses it.',
    },
    'enable-ipv6': { type: 'yes-no', default: 'No' },
    'enable-multi-ip': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether services in a cloud get addresses of their own.',
    },
    'firmware-version': { type: 'string', readOnly: true, description: 'The version of the software.' },
    hostname: { type: 'string', lengthMax: 512, pattern: hostName },
    'interface-for-system-services': {
      type: 'choice',
      values: ['Management', 'WAN'],
      default: 'WAN',
      description: 'From where the system itself calls others: time servers, updates, mail.',
    },
    locale: {
      type: 'choice',
      description: 'The language of the web interface.',
      alsoCalled: languageCodes,
      otherNameInOlderVersions: true,
      values: Object.values(languageCodes),
    },
    model: { type: 'string', readOnly: true },
    'operation-mode': {
      type: 'choice',
      values: ['Bridge All Traffic', 'Proxy'],
      default: 'Proxy',
      description: 'A bridge passes everything on and inspects nothing.',
    },
    serial: { type: 'string', readOnly: true },
    'time-zone': {
      type: 'string',
      lengthMax: 64,
      pattern: timeZone,
      description: 'As the IANA database of time zones calls it.',
    },
    'virus-definition': {
      type: 'string',
      readOnly: true,
      description: 'Always empty: nothing looks for viruses.',
    },
  },
  sections: {
    'account-lockout-settings': accountLockoutSettings,
    'advanced-settings': advancedSettings,
    appearance,
    'azure-config': azureConfig,
    'cookies-and-parameters': cookiesAndParameters,
    'custom-headers': customHeaders,
    dns,
    'email-notifications': emailNotifications,
    'encryption-key': encryptionKey,
    'energize-updates': energizeUpdates,
    'exception-heuristics': exceptionHeuristics,
    'export-log-filters': exportLogFilters,
    'export-log-settings': exportLogSettings,
    'form-learning-advanced-settings': formLearningAdvancedSettings,
    'ftp-access-logs': ftpAccessLogs,
    'lan-configuration': lanConfiguration,
    location,
    'logs-format': logsFormat,
    'management-configuration': managementConfiguration,
    'network-configuration': networkConfiguration,
    'ng-firewall': ngFirewall,
    'password-policy': passwordPolicy,
    'pattern-mode': patternMode,
    'proxy-server': proxyServer,
    'secure-administration': secureAdministration,
    'self-signed-management-certificate': selfSignedManagementCertificate,
    snmp,
    'syslog-settings': syslogSettings,
    'trusted-management-certificate': trustedManagementCertificate,
    'two-factor-auth': twoFactorAuth,
    'wan-configuration': wanConfiguration,
    'web-interface': webInterface,
  },
} as const satisfies Kind
