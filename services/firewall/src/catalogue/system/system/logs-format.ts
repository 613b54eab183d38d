import type { Section } from '../../../kinds/kind.ts'

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
