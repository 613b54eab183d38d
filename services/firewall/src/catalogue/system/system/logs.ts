import type { Section } from '../../../kinds/kind.ts'
import { headerName } from '../../../kinds/patterns.ts'
import { logLevels } from '../log-levels.ts'

const enabled = { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' } as const

/** A switch for each log; of logs that are on, the export filters leave out what is not grave enough. */
export const exportLogSettings = {
  title: 'Export Log Settings',
  description: 'Which logs are sent to the syslog servers.',
  fields: {
    'export-access-logs': enabled,
    'export-audit-logs': enabled,
    'export-network-firewall-logs': enabled,
    'export-system-logs': enabled,
    'export-web-firewall-logs': enabled,
  },
} as const satisfies Section

/** The least grave severity that is sent, as syslog numbers them (RFC 5424, section 6.2.1): a smaller number is graver. */
export const exportLogFilters = {
  title: 'Export Log Filters',
  description: 'How grave events have to be to be sent to the syslog servers.',
  fields: {
    'system-log-severity': { type: 'choice', values: logLevels, default: '5-Notice' },
    'web-firewall-log-severity': { type: 'choice', values: logLevels, default: '1-Alert' },
  },
} as const satisfies Section

/** Of the facilities of RFC 5424, section 6.2.1, those that have no meaning of their own. */
const facility = {
  type: 'choice',
  values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
  default: 'local0',
} as const

/** A facility (RFC 5424, section 6.2.1) for each log. */
export const syslogSettings = {
  title: 'Syslog Settings',
  description: 'The facility by which syslog servers tell the logs apart.',
  fields: {
    'access-log-facility': facility,
    'audit-log-facility': facility,
    'network-firewall-log-facility': facility,
    'syslog-facility': { ...facility, description: 'That of the system log.' },
    'web-firewall-log-facility': facility,
  },
} as const satisfies Section

const standardFormat = {
  type: 'string',
  lengthMax: 64,
  default: 'Default',
  description: 'The name of a common format, or Customized Formats.',
} as const

/** Each %-word stands for one part of an event. */
function customFormat<const Format extends string>(usual: Format) {
  return { type: 'string', lengthMin: 2, lengthMax: 1024, default: usual } as const
}

/** A custom format counts where the standard format of the same log says Customized Formats. */
export const logsFormat = {
  title: 'Logs Format',
  description: 'What the lines look like that are sent to the syslog servers.',
  fields: {
    'access-logs-custom-format': customFormat(
      '%t %un %lt %ai %ap %ci %cp %id %cu %m %p %h %v %s %bs %br %ch %tt %si %sp %st %sid %rtf %pmf %pf %wmf %u %q %r %c %ua %px %pp %au %cs1 %cs2 %cs3 %uid',
    ),
    'access-logs-standard-format': {
      type: 'choice',
      values: ['Customized Formats', 'Standard Formats'],
      default: 'Standard Formats',
    },
    'arcsight-syslog-header': { type: 'string', lengthMin: 2, lengthMax: 256 },
    'audit-logs-custom-format': customFormat(
      '%t %un %lt %an %ct %li %lp %trt %tri %cn %cht %ot %on %var %ov %nv %add',
    ),
    'audit-logs-standard-format': standardFormat,
    'network-logs-custom-format': customFormat('%t %un %lt %sl %p %srci %srcp %di %dp %act %acl %dsc'),
    'network-logs-standard-format': standardFormat,
    'syslog-headers': {
      type: 'choice',
      values: ['ArcSight Log Header', 'Custom Header', 'QRadar Log Header'],
      default: 'Custom Header',
      description: 'What stands before each line.',
    },
    'system-logs-custom-format': customFormat('%t %un %lt %md %ll %ei %ms'),
    'system-logs-standard-format': standardFormat,
    'web-firewall-logs-custom-format': customFormat(
      '%t %un %lt %sl %ad %ci %cp %ai %ap %ri %rt %at %fa %adl %m %u %p %sid %ua %px %pp %au %r %uid',
    ),
    'web-firewall-logs-standard-format': standardFormat,
  },
} as const satisfies Section

const header = { type: 'string', lengthMin: 1, lengthMax: 128, pattern: headerName } as const

/** The formats of access logs name the first three %cs1 to %cs3. */
export const customHeaders = {
  title: 'Custom Headers',
  description: 'Headers of requests that access logs record besides the usual ones.',
  fields: {
    header1: header,
    header2: header,
    header3: header,
    header4: header,
    header5: header,
    header6: header,
  },
} as const satisfies Section

/** 00:00 to 23:00. */
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

/** Nothing is sent as long as there is no server. */
export const ftpAccessLogs = {
  title: 'FTP Access Logs',
  description: 'The FTP server to which access logs are copied, and how often.',
  fields: {
    'destination-directory-path': { type: 'string', lengthMax: 1024 },
    frequency: {
      type: 'choice',
      values: [
        'Daily',
        'Every 15min',
        'Every 30min',
        'Every Eight Hours',
        'Every Four Hours',
        'Every Hour',
        'Every Six Hours',
        'Every Twelve Hours',
        'Every Two Hours',
        'Never',
      ],
      default: 'Daily',
    },
    'logs-format': {
      type: 'string',
      lengthMax: 1024,
      default: '%h %id %u %t %r %s %br',
      description: 'What each line has, where the format is a customized one.',
    },
    password: { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['server-ip', 'port'] },
    port: { type: 'integer', min: 1, max: 65_536, default: 21 },
    'server-ip': { type: 'ip-address' },
    'standard-log-formats': {
      type: 'choice',
      values: ['Customized Formats', 'Standard Formats'],
      default: 'Standard Formats',
    },
    'start-time': { type: 'choice', values: hours, description: 'When the first copy of a day is made.' },
    username: { type: 'string', lengthMax: 255 },
  },
} as const satisfies Section
