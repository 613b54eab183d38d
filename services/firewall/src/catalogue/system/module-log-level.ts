import type { Kind } from '../../kinds/kind.ts'
import { logLevels } from './log-levels.ts'

/** Other modules log as `default-log-level` of the system's advanced settings says. */
export const moduleLogLevel = {
  name: 'module-log-level',
  title: 'Module Log Levels',
  description: 'How grave events of one part of the software have to be to be logged.',
  path: 'module-log-levels',
  parent: 'system',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'log-level': {
      type: 'choice',
      values: logLevels,
      required: true,
      description: 'Events of this level are logged, and graver ones.',
    },
    module: {
      type: 'choice',
      values: [
        'AAA',
        'Adaptive Profiling',
        'Cache',
        'Compression',
        'Connection Pool',
        'Cookie',
        'Crypto',
        'DNS',
        'FTP Service',
        'Failover',
        'HTTP Service',
        'Kernel Module',
        'Load Balancer',
        'Memory',
        'Response Page',
        'Rewrite',
        'SSL',
        'STM',
        'Service',
        'Share Secret Key',
        'TPS',
        'Web Address Translation',
        'Web Firewall',
        'Web Log',
      ],
      required: true,
    },
    comments: { type: 'string', lengthMax: 1024 },
  },
} as const satisfies Kind
