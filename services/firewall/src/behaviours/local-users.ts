import { isStorableText, type Passwords } from '@palisade/platform'
import type { Behaviour } from '../changes/behaviour.ts'
import { refuseProblems } from '../changes/plan.ts'

/** Users of applications: their passwords are kept as hashes, which is all that proxies learn of them. */
export function localUsers({ passwords }: { readonly passwords: Passwords }): Behaviour {
  return {
    kind: 'local-user',

    async prepare({ given }) {
      const password = given.get('password')
      // Whoever creates a user without one is told by the checks that follow.
      if (typeof password !== 'string') return {}
      refuseProblems(
        isStorableText(password)
          ? []
          : [
              {
                member: 'password',
                sentence: 'The member password must be text without control characters.',
              },
            ],
      )
      return { password: await passwords.hash(password) }
    },
  }
}
