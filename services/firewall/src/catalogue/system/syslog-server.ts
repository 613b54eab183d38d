import type { Kind } from '../../kinds/kind.ts'
import { hostOrAddress } from '../../kinds/patterns.ts'

/**
 * Logs go to every server. Which logs those are, the system's sections on exported logs say. Which members
 * matter depends on `server-type`: most belong to one type alone, as the beginnings of their names say.
 */
export const syslogServer = {
  name: 'syslog-server',
  title: 'Syslog Server',
  description: 'A server or a cloud service to which logs are sent.',
  path: 'syslog-servers',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'brs-host': { type: 'string', lengthMax: 255, pattern: hostOrAddress },
    'brs-shared-secret': { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['brs-host'] },
    'brs-system-serial': { type: 'integer', min: 0 },
    'client-certificate': {
      type: 'yes-no',
      description: 'Whether the system shows the server a certificate.',
    },
    'cloud-syslog-token': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['ip-address', 'port', 'connection-type', 'validate-server-certificate'],
    },
    comments: { type: 'string', lengthMax: 1024 },
    'connection-type': { type: 'choice', values: ['SSL', 'TCP', 'UDP'] },
    'event-hub-name': { type: 'string', lengthMax: 255 },
    'event-queue-name': { type: 'string', lengthMax: 255 },
    'ip-address': {
      type: 'string',
      lengthMax: 255,
      pattern: hostOrAddress,
      description: 'The address of the server, or its host name.',
    },
    'log-group': { type: 'string', lengthMax: 512 },
    'oms-custom-log': { type: 'choice', values: ['All', 'Web Firewall Logs'] },
    'oms-govcloud': { type: 'on-off' },
    'oms-key': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['oms-workspace', 'oms-govcloud'],
    },
    'oms-workspace': { type: 'string', lengthMax: 255 },
    password: {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['ip-address', 'port', 'connection-type', 'validate-server-certificate'],
      description: 'With the user name, for AMQP servers.',
    },
    'policy-name': { type: 'string', lengthMax: 255 },
    'policy-sas-key': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['service-bus-name', 'event-hub-name'],
      description: 'The shared access key of the event hub.',
    },
    port: { type: 'integer', min: 1, max: 65_535 },
    'server-type': {
      type: 'choice',
      values: [
        'AMQP',
        'AMQPS',
        'Azure Event Hub',
        'Barracuda Reporting Service',
        'Cloud Syslog Service',
        'Microsoft Azure OMS',
        'Syslog NG',
      ],
    },
    'service-bus-name': { type: 'string', lengthMax: 255 },
    'timestamp-and-hostname': {
      type: 'yes-no',
      description: "Whether messages start with the time and the system's host name.",
    },
    username: { type: 'string', lengthMax: 255 },
    'validate-server-certificate': { type: 'yes-no' },
  },
} as const satisfies Kind
