import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'

/** What is asked for beside the traffic and done by nothing, by the name of the kind: a sentence, or undefined where it is not asked for. */
const settings: Readonly<Record<string, readonly ((object: ConfigurationObject) => string | undefined)[]>> = {
  system: [
    ({ content }) =>
      valuesOf(content, 'two-factor-auth')['enable-dual-authentication'] === 'Enable'
        ? 'Administrators are not asked for a second proof when they log in: two-factor-auth is kept only.'
        : undefined,
    ({ content }) =>
      valuesOf(content, 'email-notifications')['smtp-server'] === undefined
        ? undefined
        : 'No mail is sent: email-notifications is kept only. Watch /readyz, /metrics and the system log instead.',
    ({ content }) =>
      valuesOf(content, 'ftp-access-logs')['server-ip'] === undefined
        ? undefined
        : 'Logs are not copied to FTP servers: ftp-access-logs is kept only. Use syslog-servers.',
  ],
  'configuration-backup': [
    ({ content }) =>
      (content.values['day-of-week'] ?? 'Off') === 'Off'
        ? undefined
        : 'Nothing is backed up by itself: the schedule is kept only. Call backup/manual-backup when it is time.',
  ],
  'trap-receiver': [() => 'No traps are sent: trap-receivers are kept only. Watch /metrics instead.'],
}

/** What whoever changed an object is told of what has no effect in it; undefined for nothing. */
export function settingsWithoutEffect(object: ConfigurationObject): string | undefined {
  const sentences = (settings[object.kind.name] ?? []).flatMap((sentencesOf) => sentencesOf(object) ?? [])
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
