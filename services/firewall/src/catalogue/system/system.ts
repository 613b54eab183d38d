import type { Kind } from '../../kinds/kind.ts'
import { hostName, timeZone } from '../../kinds/patterns.ts'
import {
  accountLockoutSettings,
  appearance,
  location,
  passwordPolicy,
  secureAdministration,
  twoFactorAuth,
  webInterface,
} from './system/administration.ts'
import { advancedSettings } from './system/advanced-settings.ts'
import { azureConfig } from './system/azure-config.ts'
import { selfSignedManagementCertificate, trustedManagementCertificate } from './system/certificates.ts'
import { cookiesAndParameters, encryptionKey } from './system/cookies.ts'
import { exceptionHeuristics, formLearningAdvancedSettings } from './system/learning.ts'
import {
  customHeaders,
  exportLogFilters,
  exportLogSettings,
  ftpAccessLogs,
  logsFormat,
  syslogSettings,
} from './system/logs.ts'
import {
  dns,
  lanConfiguration,
  managementConfiguration,
  networkConfiguration,
  ngFirewall,
  proxyServer,
  wanConfiguration,
} from './system/network.ts'
import { emailNotifications, snmp } from './system/notifications.ts'
import { energizeUpdates, patternMode } from './system/updates.ts'

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
