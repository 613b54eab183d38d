import { isIP } from 'node:net'
import { type Problem, problemAt } from '@palisade/platform'
import type { Configuration } from './schema.ts'

/** Networks that have names. */
const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Which of the trusted proxies are none. */
export function problemsOfTrustedProxies({ trustedProxies }: Configuration['services']): Problem[] {
  return trustedProxies.flatMap((text, index) =>
    isNetwork(text)
      ? []
      : [
          problemAt(
            ['services', 'trustedProxies', index],
            `must be an address such as 192.0.2.1, a network such as 192.0.2.0/24, or one of ${[...namedNetworks].join(', ')}`,
          ),
        ],
  )
}

function isNetwork(text: string): boolean {
  if (namedNetworks.has(text)) return true
  const [address = '', length, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (length === undefined) return true
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (family === 4 ? 32 : 128)
}
