import { readPublicKeys } from '../../certificates/index.ts'
import type { Behaviour, PreparedValues } from '../../changes/behaviour.ts'
import { shownTime } from './facts.ts'
import { naming } from './unacceptable.ts'

const member = 'key-contents'

/** Checks the keys, which are kept as they came, and shows what the first certificate among them says. */
export function jwtPublicKeys(): Behaviour {
  return {
    kind: 'jwt-public-key',

    async prepare({ before, given }): Promise<PreparedValues> {
      const text = given.get(member)
      if (before || typeof text !== 'string') return {}
      const keys = await naming(member, () => readPublicKeys(text))
      const certified = keys.find(({ expiry }) => expiry !== undefined)
      if (certified?.expiry === undefined) return {}
      return { 'common-name': certified.commonName, expiry: shownTime(certified.expiry) }
    },
  }
}
