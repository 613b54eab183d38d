import { isStorableText, type Passwords } from '@palisade/platform'
import { lackingIn, passwordPolicy } from '../access/password-policy.ts'
import { isUnlimited, somebodyIsUnlimited } from '../access/unlimited-administrators.ts'
import type { Behaviour, Demand, PreparedValues } from '../changes/behaviour.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { refuseProblems } from '../changes/plan.ts'
import type { Problem } from '../changes/problems.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Content } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** How many earlier passwords are kept: as many as the password policy can ask for. */
const earlierPasswordsKept = 12

/**
 * Administrators: passwords are checked against the policy and kept as hashes, and somebody who may change
 * everything always stays.
 */
export function users(deps: {
  configuration: Pick<LiveConfiguration, 'kind' | 'system'>
  passwords: Passwords
  now: () => number
}): Behaviour {
  const { configuration, passwords, now } = deps
  const roleKind = configuration.kind('administrator-role')

  return {
    kind: 'user',

    async prepare(demand): Promise<PreparedValues> {
      const { given, before } = demand
      const password = given.get('password')
      if (typeof password !== 'string') {
        refuseProblems(before ? [] : [{ member: 'password', sentence: 'The member password is required.' }])
        return {}
      }
      refuseProblems(await problemsOf(password, demand))
      return { password: await passwords.hash(password), 'password-changed-at': now() }
    },

    complete({ before, content, path, snapshot }) {
      if (!before) return {}
      if (isUnlimitedBy(content, snapshot) || mayLose(before, snapshot)) {
        return { content: withEarlierPassword(content, before) }
      }
      const sentence = `The member role: ${path.at(-1)} is the last administrator who may change everything.`
      return { problems: [{ member: 'role', sentence }] }
    },

    refuseDeletion(object, snapshot) {
      if (mayLose(object, snapshot)) return
      const reason = `The user ${object.name} is the last administrator who may change everything: he has to stay.`
      throw new ConfigurationRefused({ code: 'has-to-stay', reason })
    },
  }

  async function problemsOf(password: string, { given, before }: Demand): Promise<Problem[]> {
    const policy = passwordPolicy(configuration.system())
    const problems = lackingIn(password, policy).map((lacking) => `must have ${lacking}`)
    const repeated = given.get('re-enter-password')
    if (given.has('re-enter-password') && repeated !== password) {
      problems.push('must be the same as re-enter-password')
    }
    if (!isStorableText(password)) problems.push('must be text without control characters')
    const { password: current, 'earlier-passwords': earlier } = before?.content.values ?? {}
    const hashes = [current ?? [], earlier ?? []].flat().map(String).slice(0, policy.earlierPasswords)
    for (const hash of hashes) {
      if (await passwords.matches(password, hash)) {
        problems.push(`must not be one of the last ${policy.earlierPasswords} passwords`)
        break
      }
    }
    return problems.map((problem) => ({ member: 'password', sentence: `The member password ${problem}.` }))
  }

  function isUnlimitedBy({ values }: Content, snapshot: Snapshot): boolean {
    return isUnlimited(snapshot.object(roleKind, [String(values.role ?? '')]))
  }

  /** Whether somebody may change everything also without the user, unless nobody may as it is. */
  function mayLose(user: ConfigurationObject, snapshot: Snapshot): boolean {
    if (!isUnlimitedBy(user.content, snapshot)) return true
    const users = [...(snapshot.collection(user.kind, []) ?? [])]
    const others = users.filter(({ name }) => name !== user.name)
    return somebodyIsUnlimited(others, snapshot.collection(roleKind, []))
  }
}

/** Taken from the object as it is now: somebody else may have changed the password since the request came. */
function withEarlierPassword(content: Content, before: ConfigurationObject): Content {
  const { password, 'earlier-passwords': earlier } = before.content.values
  if (content.values.password === password) return content
  const passwords = [password ?? [], earlier ?? []].flat().map(String).slice(0, earlierPasswordsKept)
  return { ...content, values: { ...content.values, 'earlier-passwords': passwords } }
}
