import { hostname } from 'node:os'
import { syslogMessage } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { storedLog } from '../logs/columns.ts'
import { timeOfEntry } from '../logs/entry-ids.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { LogName } from '../logs/log-types.ts'
import { entryOf } from '../logs/rows.ts'
import type { SystemLog } from '../logs/system-log.ts'
import type { LogRow } from '../logs/tables.ts'
import { type ExportSettings, exportSettings, gravityOf, whyUnsent } from './export-settings.ts'
import { JsonLines } from './json-lines.ts'
import { formatLine } from './line-format.ts'
import { type SyslogEvents, type SyslogReceiver, SyslogSender } from './syslog-sender.ts'

const noticeSeverity = 5

const noReceivers: readonly SyslogReceiver[] = []

/** The sorts of events that tell of messages that were lost, that wait, or that are not sent at all, and of files that cannot be written. */
const eventIds = { lost: 41_001, waiting: 41_002, unsent: 41_003, unwritten: 41_004 } as const

/**
 * Sends what is written into the logs to syslog servers, and into files of JSON lines. Each server of Palisade exports what it has
 * written itself. What has not been sent when it ends stays in the logs and is not sent later.
 */
export class LogExporter {
  readonly #configuration: LiveConfiguration
  readonly #system: SystemLog
  readonly #guard: () => AddressGuard
  #followed: readonly SyslogReceiver[] = noReceivers
  readonly #senders = new Map<string, SyslogSender>()
  readonly #files: JsonLines | undefined
  readonly #stopListening: readonly (() => void)[]
  /** Read when something is to be exported for the first time since the last change. */
  #settings: ExportSettings | undefined
  /** What was told of servers to which nothing is sent. */
  #unsent: ReadonlySet<string> = new Set()

  /** @param deps.jsonLinesFolder where files of JSON lines are written; undefined for none */
  constructor(deps: {
    configuration: LiveConfiguration
    logs: LogStore
    system: SystemLog
    /** Keeps connections from where the operator has forbidden them. */
    guard: () => AddressGuard
    jsonLinesFolder: string | undefined
  }) {
    this.#configuration = deps.configuration
    this.#system = deps.system
    this.#guard = deps.guard
    this.#files =
      deps.jsonLinesFolder === undefined
        ? undefined
        : new JsonLines(deps.jsonLinesFolder, (reason) => this.#tellUnwritten(reason))
    this.#stopListening = [
      deps.configuration.onChange(() => {
        this.#settings = undefined
        this.#tellUnsent()
      }),
      deps.logs.onWritten((name, rows) => this.#export(name, rows)),
    ]
    this.#tellUnsent()
  }

  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    for (const sender of this.#senders.values()) sender.close()
    await this.#files?.close()
  }

  #export(name: LogName, rows: readonly LogRow[]): void {
    if (this.#files === undefined && this.#configuration.objects('syslog-server').length === 0) {
      this.#follow(noReceivers)
      return
    }
    this.#settings ??= exportSettings(this.#configuration)
    const { receivers, logs, unit = hostname() } = this.#settings
    const how = logs[name]
    this.#follow(receivers)
    for (const row of rows) {
      const entry = entryOf(storedLog(name), row, undefined)
      const time = timeOfEntry(row.id)
      this.#files?.write(name, { ...entry, time: new Date(time).toISOString() })
      const severity = gravityOf(entry.severity) ?? noticeSeverity
      if (!how.isEnabled || severity > (how.severityMax ?? severity)) continue
      const line = formatLine(how.format, entry, { log: name, unit, time })
      const message = syslogMessage(
        { facility: how.facility, severity, time, host: unit, messageId: name },
        line,
      )
      for (const sender of this.#senders.values()) sender.send(message)
    }
  }

  #tellUnsent(): void {
    const batch = this.#unsent
    this.#unsent = new Set(whyUnsent(this.#configuration))
    for (const reason of this.#unsent) if (!batch.has(reason)) this.#tell('unsent', reason)
  }

  /** Keeps the connections to receivers that stay the same. */
  #follow(receivers: readonly SyslogReceiver[]): void {
    if (receivers === this.#followed) return
    this.#followed = receivers
    const receiversByKey = new Map(receivers.map((receiver) => [JSON.stringify(receiver), receiver]))
    for (const [key, sender] of this.#senders) {
      if (receiversByKey.has(key)) continue
      sender.close()
      this.#senders.delete(key)
    }
    for (const [key, receiver] of receiversByKey) {
      if (this.#senders.has(key)) continue
      this.#senders.set(key, new SyslogSender(receiver, this.#guard(), this.#eventsOf(receiver)))
    }
  }

  #eventsOf({ host, port }: SyslogReceiver): SyslogEvents {
    const place = `${host}, port ${port}`
    return {
      onGivenUp: (count) =>
        this.#tell('lost', `${count} log entries were not sent to ${place}, which was away for too long.`),
      onAway: (reason) => this.#tell('waiting', `Log entries cannot be sent to ${place}: ${reason}.`),
    }
  }

  #tellUnwritten(reason: string): void {
    this.#tell('unwritten', `Log entries are not written into the files of JSON lines: ${reason}.`)
  }

  #tell(what: keyof typeof eventIds, message: string): void {
    const event = { module: 'Export Logs', eventId: eventIds[what], severity: 'Warning', message } as const
    // Whoever cannot write the log either has told so.
    this.#system.append(event).catch(() => undefined)
  }
}
