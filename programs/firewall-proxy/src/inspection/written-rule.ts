/** A rule of ours; regular expressions are those of the rule language, over byte strings. */
export interface WrittenRule {
  readonly id: number
  readonly message: string
  readonly targets: string
  readonly pattern: string
  /** Say which sort of attack it is, as those of the Core Rule Set do. */
  readonly tags: readonly string[]
  /** What becomes of a value before it is looked through, such as `urlDecodeUni`; nothing by default. */
  readonly transformations?: readonly string[]
  /** What the decoded value has to have besides, for a value in Base64. */
  readonly decodedPattern?: string
  /** Whether a value passes in which a URL names the host that was asked: applications tell their own addresses. */
  readonly isOfOtherHost?: true
}

/** The rule in the rule language. It raises the score of versions 3 and 4 of the Core Rule Set by what their critical rules do. */
export function writtenRule(written: WrittenRule): string {
  const { id, message, targets, pattern, tags, transformations = [], decodedPattern, isOfOtherHost } = written
  const score = ['anomaly_score_pl1', 'inbound_anomaly_score_pl1'].map(
    (name) => `setvar:'tx.${name}=+%{tx.critical_anomaly_score}'`,
  )
  const actions = [
    `id:${id}`,
    'phase:2',
    'block',
    'capture',
    't:none',
    // As most rules of the Core Rule Set do: so values are decoded and looked through once for all. It makes blanks of plus signs.
    ...(decodedPattern === undefined ? ['t:urlDecodeUni'] : []),
    ...transformations.map((name) => `t:${name}`),
    `msg:'${message}'`,
    "logdata:'Matched Data: %{TX.0} found within %{MATCHED_VAR_NAME}'",
    ...[...tags, 'paranoia-level/1', 'PALISADE'].map((tag) => `tag:'${tag}'`),
    "severity:'CRITICAL'",
  ]
  const rule = (variables: string, expression: string, all: readonly string[]) =>
    `SecRule ${variables} "@rx ${expression.replaceAll('"', String.raw`\x22`)}" "${all.join(',')}"`
  if (isOfOtherHost)
    return [
      rule(targets, pattern, [...actions, 'chain']),
      `SecRule MATCHED_VARS "!@contains //%{REQUEST_HEADERS.Host}" "${['t:none', 't:urlDecodeUni', ...score].join(',')}"`,
    ].join('\n')
  if (decodedPattern === undefined) return rule(targets, pattern, [...actions, ...score])
  return [
    rule(targets, pattern, [...actions, 'chain']),
    rule('MATCHED_VAR', decodedPattern, ['capture', 't:none', 't:base64Decode', ...score]),
  ].join('\n')
}
