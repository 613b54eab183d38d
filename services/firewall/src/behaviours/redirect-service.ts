import type { Change } from '../changes/behaviour.ts'
import { completeContent } from '../objects/content.ts'
import type { Write } from '../objects/snapshot.ts'

/** Where clients come that do not know of HTTPS. */
const httpPort = 80

const suffix = '-redirect'
const nameLengthMax = 64

/** What both services have. */
const sharedMembers = ['ip-address', 'mask', 'address-version', 'vsite', 'group', 'app-id'] as const

/** The service to be made, or why it cannot be; nothing where it is there already. */
interface RedirectService {
  readonly write?: Write
  /** A sentence. */
  readonly obstacle?: string
}

/**
 * Plans the service that leads clients of plain HTTP to another one: at port 80 of its address, in its vsite and
 * group, and called like it with "-redirect" behind.
 *
 * @param change of the service to which clients are led, as it will be
 */
export function redirectService({ kind, path, content, snapshot }: Change): RedirectService {
  const { values } = content
  const name = path.at(-1) ?? ''
  const address = values['ip-address']
  if (address === undefined) {
    return { obstacle: 'The service has no ip-address at which clients could be met. Expected was one.' }
  }
  if (values.port === httpPort) {
    return { obstacle: `The service itself is at port ${httpPort}. Expected was another port, such as 443.` }
  }
  const others = [...(snapshot.collection(kind, []) ?? [])].filter((other) => other.name !== name)
  const there = others.find(
    (other) => other.content.values['ip-address'] === address && other.content.values.port === httpPort,
  )
  if (there?.content.values.type === 'Redirect Service') return {}
  // Its name may be hidden from whoever asks.
  if (there) return { obstacle: `Another service is at ${address}, port ${httpPort}, already.` }
  const redirectName = freeName(name, new Set([name, ...others.map((other) => other.name)]))
  const shared = sharedMembers.flatMap((member) => {
    const value = values[member]
    return value === undefined ? [] : [[member, value] as const]
  })
  const own = { name: redirectName, type: 'Redirect Service', port: httpPort }
  return {
    write: {
      kind,
      path: [redirectName],
      content: completeContent(kind, { values: { ...Object.fromEntries(shared), ...own } }),
    },
  }
}

/** "shop-redirect", or "shop-redirect-2" and so on where that is taken. */
function freeName(name: string, names: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? suffix : `${suffix}-${number}`
    const free = name.slice(0, nameLengthMax - end.length) + end
    if (!names.has(free)) return free
  }
}
