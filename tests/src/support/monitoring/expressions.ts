/** A selector of an expression: the metric, and the labels that it is asked for by. */
export interface Selector {
  readonly metric: string
  readonly labels: readonly string[]
}

/** What Grafana fills in, with values as it would. */
const variables: readonly (readonly [RegExp, string])[] = [
  [/\$__rate_interval/g, '1m'],
  [/\$(?:instance|service)\b/g, '.*'],
]

const keywords = new Set(['and', 'or', 'unless', 'on', 'ignoring', 'by', 'without', 'bool', 'offset', 'Inf'])

/** An expression as Prometheus gets it from a dashboard. */
export function filledIn(expression: string): string {
  return variables.reduce((text, [variable, value]) => text.replaceAll(variable, value), expression)
}

/** What an expression of PromQL selects; neither names of functions nor of labels are among it. */
export function selectorsOf(expression: string): Selector[] {
  const withoutTexts = filledIn(expression).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const plain = withoutTexts
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
  const selectors = plain.matchAll(/\b([a-zA-Z_][\w:]*)\b(?!\s*\()(?:\s*\{([^}]*)\})?/g)
  return Array.from(selectors, ([, metric = '', matchers = '']) => ({
    metric,
    labels: Array.from(matchers.matchAll(/(\w+)\s*[=!]/g), ([, label = '']) => label),
  })).filter(({ metric }) => !keywords.has(metric))
}
