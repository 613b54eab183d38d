import type { AddressGuard } from '@palisade/proxy-protocol'
import type { ChannelConfiguration } from '../notification-configuration.ts'
import { Mail } from './mail.ts'
import type { Sender } from './notice.ts'
import { Syslog } from './syslog.ts'
import { Webhook } from './webhook.ts'

type WithAuthorities<Kind extends 'webhook' | 'email' | 'syslog'> = Omit<
  NonNullable<ChannelConfiguration[Kind]>,
  'caFile'
> & {
  /** Authorities that are trusted besides the usual ones, PEM. */
  readonly authorities?: string
}

/** What a channel is: one of the members is there. */
export interface ChannelSettings {
  readonly webhook?: WithAuthorities<'webhook'>
  readonly email?: WithAuthorities<'email'>
  readonly syslog?: WithAuthorities<'syslog'>
}

/**
 * What sends as a channel says.
 *
 * @param guard says where it does not connect
 */
export function senderOf({ webhook, email, syslog }: ChannelSettings, guard: AddressGuard): Sender {
  if (webhook) return new Webhook(withList(webhook), guard)
  if (email) return new Mail(withList(email), guard)
  if (syslog) return new Syslog(withList(syslog), guard)
  throw new Error('a channel is a webhook, a mail server or a syslog receiver')
}

function withList<Settings extends { readonly authorities?: string }>(
  settings: Settings,
): Omit<Settings, 'authorities'> & { readonly authorities: readonly string[] } {
  const { authorities, ...others } = settings
  return { ...others, authorities: authorities === undefined ? [] : [authorities] }
}
