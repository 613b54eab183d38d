import { readFileSync } from 'node:fs'
import type { ChannelConfiguration } from '../notification-configuration.ts'
import { Mail } from './mail.ts'
import type { Sender } from './notice.ts'
import { Syslog } from './syslog.ts'
import { Webhook } from './webhook.ts'

/**
 * The senders of all channels, by name.
 *
 * @throws Error that names the member whose file cannot be read
 */
export function sendersOf(channels: readonly ChannelConfiguration[]): ReadonlyMap<string, Sender> {
  return new Map(
    channels.map((channel, index) => [
      channel.name,
      senderOf(channel, `administration.notifications.channels.${index}`),
    ]),
  )
}

function senderOf({ webhook, email, syslog }: ChannelConfiguration, member: string): Sender {
  if (webhook) {
    const { caFile, ...options } = webhook
    return new Webhook({ ...options, authorities: authoritiesIn(caFile, `${member}.webhook.caFile`) })
  }
  if (email) {
    const { caFile, ...options } = email
    return new Mail({ ...options, authorities: authoritiesIn(caFile, `${member}.email.caFile`) })
  }
  if (syslog) {
    const { caFile, ...options } = syslog
    return new Syslog({ ...options, authorities: authoritiesIn(caFile, `${member}.syslog.caFile`) })
  }
  throw new Error(`${member} must have one of webhook, email and syslog`)
}

function authoritiesIn(file: string | undefined, member: string): readonly string[] {
  if (file === undefined) return []
  try {
    return [readFileSync(file, 'utf8')]
  } catch (cause) {
    throw new Error(`${member} cannot be read`, { cause })
  }
}
