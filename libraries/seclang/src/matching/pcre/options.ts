/** What `(?…)` switches. A switch holds to the end of the group it stands in, later branches included. */
export interface PatternOptions {
  /** i */
  readonly ignoreCase: boolean
  /** m: `^` and `$` also hold at line feeds inside */
  readonly multiline: boolean
  /** s: the dot matches a line feed too */
  readonly dotAll: boolean
  /** x: blanks and # comments in the pattern do not count */
  readonly extended: boolean
  /** xx: blanks in classes do not count either */
  readonly extendedClasses: boolean
  /** U: quantifiers are lazy, and greedy with `?` */
  readonly ungreedy: boolean
  /** n: plain parentheses do not capture */
  readonly noCaptures: boolean
}

const none: PatternOptions = {
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  extended: false,
  extendedClasses: false,
  ungreedy: false,
  noCaptures: false,
}

/** How ModSecurity 2.9 compiles `@rx`: PCRE_DOTALL | PCRE_DOLLAR_ENDONLY. The latter is no option here but how `$` is read. */
export const ruleOptions: PatternOptions = { ...none, dotAll: true }

const letters = new Map<string, Partial<PatternOptions>>([
  ['i', { ignoreCase: true }],
  ['m', { multiline: true }],
  ['s', { dotAll: true }],
  ['x', { extended: true, extendedClasses: false }],
  ['xx', { extended: true, extendedClasses: true }],
  ['U', { ungreedy: true }],
  ['n', { noCaptures: true }],
  ['J', {}],
])

/**
 * The options after `(?on-off)`.
 *
 * @param switches the text between `(?` and `)` or `:`, as in `i`, `-s`, `^im` or `i-sx`
 */
export function switchOptions(before: PatternOptions, switches: string): PatternOptions {
  if (switches === '') return before
  const unset = switches.startsWith('^')
  let options: PatternOptions = unset ? { ...before, ...pick(none, 'ixsmn') } : before
  const [on = '', off = ''] = (unset ? switches.slice(1) : switches).split('-')
  for (const [letter] of on.matchAll(/xx|./g)) options = { ...options, ...letters.get(letter) }
  for (const [letter] of off.matchAll(/xx|./g)) options = { ...options, ...pick(none, letter) }
  return options
}

/** The members of `options` that the letters stand for. */
function pick(options: PatternOptions, chosen: string): Partial<PatternOptions> {
  const names = new Set([...chosen].flatMap((letter) => Object.keys(letters.get(letter) ?? {})))
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.has(name)))
}
