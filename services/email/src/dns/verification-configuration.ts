import { isIP, isIPv4, isIPv6 } from 'node:net'
import { type Static, Type } from 'typebox'
import { dnsNameLengthMax, dnsNameOf } from './dns-name.ts'
import { tokenLength } from './records.ts'

const text = Type.String({ minLength: 1 })

/** How domains are verified, as the configuration file says. */
export const VerificationConfigurationSchema = Type.Object(
  {
    /** Whom to ask, each an address with a port or without; the servers of the system when empty. */
    nameServers: Type.Array(text, { default: [] }),
    /** Below this host lie the names that an MX record may show instead of a TXT record; TXT records only when left out. */
    mailHost: Type.Optional(text),
  },
  { additionalProperties: false, default: {} },
)

export type VerificationConfiguration = Static<typeof VerificationConfigurationSchema>

/** What the schema cannot say is wrong, each with the member at fault in front. */
export function problemsOfVerification({ nameServers, mailHost }: VerificationConfiguration): string[] {
  return [
    ...nameServers.flatMap((server, index) =>
      isNameServer(server)
        ? []
        : [`nameServers.${index} is "${server}", which is no address, or no address and port like [::1]:53`],
    ),
    ...(mailHost === undefined || isMailHost(mailHost)
      ? []
      : [`mailHost is "${mailHost}", which is no name of a host, or one that is too long`]),
  ]
}

/** Whether the text is 192.0.2.1, 192.0.2.1:53, 2001:db8::1, [2001:db8::1] or [2001:db8::1]:53. */
function isNameServer(server: string): boolean {
  if (isIP(server) !== 0) return !server.includes('%')
  const [, six = '', four = '', port = '53'] = /^(?:\[([^\]%]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  return (isIPv6(six) || isIPv4(four)) && Number(port) >= 1 && Number(port) <= 65_535
}

/** Whether a token and a dot fit in front of the name. */
function isMailHost(host: string): boolean {
  const name = dnsNameOf(host)
  return name !== undefined && name.length + tokenLength + 1 <= dnsNameLengthMax
}
