import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian's package `modsecurity-crs` keeps the rules. */
export const rulesFolder = '/usr/share/modsecurity-crs/rules'

/** An `@rx` of the Core Rule Set whose argument has no macros. */
export interface RulePattern {
  readonly file: string
  /** Of the rule, or of the first rule of its chain. */
  readonly id: string
  /** As PCRE gets it: the quoting of the rule file undone. */
  readonly pattern: string
}

/** All static patterns of `@rx` in a folder's `*.conf`, duplicates too. */
export function rulePatterns(folder = rulesFolder): readonly RulePattern[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.conf'))
  return files.flatMap((file) => patternsOf(file, readFileSync(join(folder, file), 'latin1')))
}

function patternsOf(file: string, text: string): readonly RulePattern[] {
  const rules = text
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/\\\r?\n/g, '')
    .matchAll(/^\s*SecRule\s+(?:"(?:[^"\\]|\\.)*"|\S+)\s+"((?:[^"\\]|\\.)*)"(.*)$/gm)
  let id = ''
  const patterns: RulePattern[] = []
  for (const [, operator = '', actions = ''] of rules) {
    id = /\bid:'?(\d+)/.exec(actions)?.[1] ?? id
    const pattern = /^!?@rx\s+(.*)$/s.exec(operator)?.[1]
    if (pattern !== undefined && !pattern.includes('%{')) {
      patterns.push({ file, id, pattern: pattern.replaceAll('\\"', '"') })
    }
  }
  return patterns
}
