import { loadRuleSet } from '@palisade/seclang'
import { openLibinjection } from '@palisade/seclang/libinjection'
import type { RuleSets } from '../inspection/rule-sets.ts'

/** Rules that are written in a test, with an engine that blocks and one that does not. */
export function ruleSetsOf(text: string): RuleSets {
  const injections = openLibinjection()
  const load = (engine: string) =>
    loadRuleSet({
      sources: [
        {
          name: 'settings',
          text: `SecRuleEngine ${engine}\nSecRequestBodyAccess On\nSecResponseBodyAccess On`,
        },
        { name: 'rules', text },
      ],
      injections,
    })
  return {
    active: load('On'),
    passive: load('DetectionOnly'),
    notice: '',
    origin: { folder: '', release: '', ruleCount: 0 },
  }
}

/** Rules that find nothing. */
export const emptyRuleSets: RuleSets = ruleSetsOf('')
