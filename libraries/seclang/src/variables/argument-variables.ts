import type { Inspection } from '../inspection/inspection.ts'
import type { NamedContent } from '../request/header-list.ts'
import { namesOf, scalar, type Variable, valuesOf } from './variable.ts'

/** Arguments of the query string and of the body. */
export const argumentVariables: readonly Variable[] = [
  valuesOf('ARGS', 'phase', allArguments),
  namesOf('ARGS_NAMES', 'phase', allArguments),
  valuesOf('ARGS_GET', 'transaction', ({ queryArguments }) => queryArguments),
  namesOf('ARGS_GET_NAMES', 'transaction', ({ queryArguments }) => queryArguments),
  valuesOf('ARGS_POST', 'phase', ({ bodyArguments }) => bodyArguments),
  namesOf('ARGS_POST_NAMES', 'phase', ({ bodyArguments }) => bodyArguments),
  scalar('ARGS_COMBINED_SIZE', 'phase', (inspection) =>
    allArguments(inspection).reduce(
      (size, { name, value }) => size + name.text.length + value.text.length,
      0,
    ),
  ),
]

function allArguments({ queryArguments, bodyArguments }: Inspection): readonly NamedContent[] {
  return bodyArguments.length === 0 ? queryArguments : [...queryArguments, ...bodyArguments]
}
