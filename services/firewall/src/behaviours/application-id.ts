import type { Behaviour } from '../changes/behaviour.ts'
import { type Content, withValues } from '../objects/content.ts'

/** As long as the member may be. */
const lengthMax = 63

/** The content of a new service or content rule, which is called in logs and reports as it is called here unless it says otherwise. */
export function withApplicationId(content: Content, name: string): Content {
  if (content.values['app-id'] !== undefined) return content
  return withValues(content, undefined, { ...content.values, 'app-id': name.slice(0, lengthMax) })
}

/** Gives new content rules an application id. */
export function ruleGroups(): Behaviour {
  return {
    kind: 'rule-group',
    complete: ({ before, content, path }) =>
      before ? {} : { content: withApplicationId(content, path.at(-1) ?? '') },
  }
}
