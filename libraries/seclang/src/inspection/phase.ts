/** 1: request headers, 2: request body, 3: response headers, 4: response body, 5: logging. */
export type Phase = 1 | 2 | 3 | 4 | 5

/** All phases in order. */
export const phases: readonly Phase[] = [1, 2, 3, 4, 5]

const named: Readonly<Record<string, Phase>> = {
  '1': 1,
  '2': 2,
  '3': 3,
  '4': 4,
  '5': 5,
  request: 2,
  response: 4,
  logging: 5,
}

/** Parses the argument of `phase`. */
export function parsePhase(text: string): Phase {
  const phase = named[text.toLowerCase()]
  if (phase === undefined)
    throw new Error(`phase: 1 to 5, request, response or logging was expected, not "${text}"`)
  return phase
}
