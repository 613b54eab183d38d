import type { Section } from '../../../kinds/kind.ts'

export const exceptionHeuristics = {
  title: 'Exception Heuristics',
  description: '',
  fields: {},
} as const satisfies Section
