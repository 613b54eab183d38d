import { isIP, isIPv4, isIPv6 } from 'node:net'
import { type Problem, problemAt } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { dnsNameLengthMax, dnsNameOf } from './dns-name.ts'
import { tokenLength } from './records.ts'

/** A token and a dot fit in front of the name. */
const mailHostLengthMax = dnsNameLengthMax - tokenLength - 1

/** How domains are verified, as the configuration file says. */
export const VerificationConfigurationSchema = Type.Object(
  {
    nameServers: Type.Array(Type.String({ minLength: 1, examples: ['192.0.2.1'] }), {
      default: [],
      description:
        'Whom to ask, each an address with a port or without; the servers of the system when empty.',
    }),
    mailHost: Type.Optional(
      Type.String({
        minLength: 1,
        examples: ['mail.example.org'],
        description:
          'Below this host lie the names that an MX record may show instead of a TXT record; TXT records only when left out.',
      }),
    ),
  },
  { additionalProperties: false, default: {}, description: 'How domains are verified by DNS.' },
)

/** Which resolvers are asked, how often and under which name. */
export type VerificationConfiguration = Static<typeof VerificationConfigurationSchema>

/** What the schema cannot say is wrong. */
export function problemsOfVerification({ nameServers, mailHost }: VerificationConfiguration): Problem[] {
  return [
    ...nameServers.flatMap((server, index) =>
      isNameServer(server)
        ? []
        : [
            problemAt(
              ['email', 'verification', 'nameServers', index],
              'must be an address such as 192.0.2.1, or an address and a port such as [::1]:53',
            ),
          ],
    ),
    ...(mailHost === undefined || isMailHost(mailHost)
      ? []
      : [
          problemAt(
            ['email', 'verification', 'mailHost'],
            `must be the name of a host, of at most ${mailHostLengthMax} characters`,
          ),
        ]),
  ]
}

/** Whether the text is 192.0.2.1, 192.0.2.1:53, 2001:db8::1, [2001:db8::1] or [2001:db8::1]:53. */
function isNameServer(server: string): boolean {
  if (isIP(server) !== 0) return !server.includes('%')
  const [, six = '', four = '', port = '53'] = /^(?:\[([^\]%]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  return (isIPv6(six) || isIPv4(four)) && Number(port) >= 1 && Number(port) <= 65_535
}

function isMailHost(host: string): boolean {
  const name = dnsNameOf(host)
  return name !== undefined && name.length <= mailHostLengthMax
}
