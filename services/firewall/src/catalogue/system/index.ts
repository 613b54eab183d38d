import type { Kind } from '../../kinds/kind.ts'
import { cluster } from './cluster.ts'
import { configurationBackup } from './configuration-backup.ts'
import { controlCenter } from './control-center.ts'
import { localHost } from './local-host.ts'
import { moduleLogLevel } from './module-log-level.ts'
import { ntpServer } from './ntp-server.ts'
import { report } from './report.ts'
import { syslogServer } from './syslog-server.ts'
import { system } from './system.ts'
import { trapReceiver } from './trap-receiver.ts'

/** The machine itself, its logs, and what surrounds it. */
export const systemKinds: readonly Kind[] = [
  system,
  ntpServer,
  localHost,
  trapReceiver,
  moduleLogLevel,
  syslogServer,
  cluster,
  controlCenter,
  configurationBackup,
  report,
]
