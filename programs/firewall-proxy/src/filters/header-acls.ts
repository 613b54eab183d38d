import type { SnapshotHeaderAcl, SnapshotService } from '@palisade/proxy-protocol'
import type { Answer } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { attackOfPattern, PatternSearch } from '../policy/attack-patterns.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import type { Filter, FilterDescriptor } from './filter.ts'

/** A rule, ready to be followed. */
interface Acl {
  readonly rule: SnapshotHeaderAcl
  readonly patterns: PatternSearch
}

/** What headers of requests must not contain. */
export const headerAcls: FilterDescriptor = {
  name: 'header-acls',
  stage: 'plain-request',
  isShared: true,
  make: headerAclsFilter,
}

function headerAclsFilter({ checks }: SnapshotService): Filter | undefined {
  const rules = checks?.headerAcls ?? []
  if (rules.length === 0) return undefined
  const byHeader = Map.groupBy(
    rules.map((rule) => ({ rule, patterns: new PatternSearch(rule.attackTypes.patterns) })),
    ({ rule }) => rule.header,
  )
  const others = byHeader.get('*') ?? []
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const { headers } = exchange
      for (let index = 0; index + 1 < headers.length; index += 2) {
        const [name = '', value = ''] = [headers[index], headers[index + 1]]
        for (const acl of byHeader.get(name.toLowerCase()) ?? others) {
          const answer = check(exchange, acl, name, value)
          if (answer) return answer
        }
      }
      return undefined
    },
  }
}

function check(exchange: Exchange, { rule, patterns }: Acl, name: string, value: string): Answer | undefined {
  const { isPassive, valueBytes } = rule
  const say = (attack: string, detail: string, isOnlyLogged = false) =>
    handleViolation(exchange, { attack, detail, rule: rule.name }, { isPassive: isPassive || isOnlyLogged })
  if (valueBytes !== undefined && value.length > valueBytes) {
    const detail = `The header ${name} has ${value.length} bytes; ${valueBytes} are allowed.`
    const answer = say('header-value-length-exceeded', detail)
    if (answer) return answer
  }
  if (hasOneOf(value, rule.deniedCharacters)) {
    const answer = say('metacharacter-in-header', `The header ${name} has a character that is denied.`)
    if (answer) return answer
  }
  const pattern = patterns.isEmpty ? undefined : patterns.firstIn(value)
  if (pattern === undefined) return undefined
  const detail = `The header ${name} has what the pattern ${pattern.name} looks for.`
  return say(attackOfPattern(pattern, 'header'), detail, pattern.isPassive)
}

function hasOneOf(text: string, characters: string): boolean {
  return Array.from(characters).some((character) => text.includes(character))
}
