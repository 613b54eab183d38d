import type { Section } from '../../../kinds/kind.ts'

export const logsFormat = {
  title: 'Logs Format',
  description: '',
  fields: {
    'access-logs-custom-format': {
      type: 'string',
      lengthMin: 2,
      lengthMax: 1024,
      default:
        '%t %un %lt %ai %ap %ci %cp %id %cu %m %p %h %v %s %bs %br %ch %tt %si %sp %st %sid %rtf %pmf %pf %wmf %u %q %r %c %ua %px %pp %au %cs1 %cs2 %cs3 %uid',
    },
    'access-logs-standard-format': {
      type: 'choice',
      values: ['Customized Formats', 'Standard Formats'],
      default: 'Standard Formats',
    },
    'arcsight-syslog-header': { type: 'string', lengthMin: 2, lengthMax: 256 },
    'audit-logs-custom-format': {
      type: 'string',
      lengthMin: 2,
      lengthMax: 1024,
      default: '%t %un %lt %an %ct %li %lp %trt %tri %cn %cht %ot %on %var %ov %nv %add',
    },
    'audit-logs-standard-format': { type: 'string', default: 'Default' },
    'network-logs-custom-format': {
      type: 'string',
      lengthMin: 2,
      lengthMax: 1024,
      default: '%t %un %lt %sl %p %srci %srcp %di %dp %act %acl %dsc',
    },
    'network-logs-standard-format': { type: 'string', default: 'Default' },
    'syslog-headers': {
      type: 'choice',
      values: ['ArcSight Log Header', 'Custom Header', 'QRadar Log Header'],
      default: 'Custom Header',
    },
    'system-logs-custom-format': {
      type: 'string',
      lengthMin: 2,
      lengthMax: 1024,
      default: '%t %un %lt %md %ll %ei %ms',
    },
    'system-logs-standard-format': { type: 'string', default: 'Default' },
    'web-firewall-logs-custom-format': {
      type: 'string',
      lengthMin: 2,
      lengthMax: 1024,
      default:
        '%t %un %lt %sl %ad %ci %cp %ai %ap %ri %rt %at %fa %adl %m %u %p %sid %ua %px %pp %au %r %uid',
    },
    'web-firewall-logs-standard-format': { type: 'string', default: 'Default' },
  },
} as const satisfies Section
