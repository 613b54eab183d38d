import { FixedCollection, type TargetCollection } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { NamedContent } from '../request/header-list.ts'
import { valuesInOtherPlaces } from './other-places.ts'
import { namesOf, scalar, type Variable, valuesWithReadings } from './variable.ts'

const argumentsAlone = valuesWithReadings('ARGS', 'phase', allArguments, allReadings)

/** Arguments of the query string and of the body. */
export const argumentVariables: readonly Variable[] = [
  { ...argumentsAlone, read: (inspection) => withOtherPlaces(argumentsAlone.read(inspection), inspection) },
  namesOf('ARGS_NAMES', 'phase', allArguments),
  {
    ...valuesWithReadings(
      'ARGS_GET',
      'transaction',
      ({ queryArguments }) => queryArguments,
      ({ queryReadings }) => queryReadings,
    ),
    isLimited: true,
  },
  {
    ...namesOf('ARGS_GET_NAMES', 'transaction', ({ queryArguments }) => queryArguments),
    isLimited: true,
  },
  valuesWithReadings(
    'ARGS_POST',
    'phase',
    ({ bodyArguments }) => bodyArguments,
    ({ bodyReadings }) => bodyReadings,
  ),
  namesOf('ARGS_POST_NAMES', 'phase', ({ bodyArguments }) => bodyArguments),
  scalar('ARGS_COMBINED_SIZE', 'phase', (inspection) =>
    allArguments(inspection).reduce(
      (size, { name, value }) => size + name.text.length + value.text.length,
      0,
    ),
  ),
]

function withOtherPlaces(values: TargetCollection, inspection: Inspection) {
  const { settings, target, requestHeaders, body } = inspection
  if (!settings.readsOtherPlaces) return values
  const others = valuesInOtherPlaces({
    path: target.path,
    headers: requestHeaders,
    arguments: allArguments(inspection),
    files: body.files ?? [],
    texts: body.xml?.pieces ?? [],
  })
  return others.length === 0 ? values : new FixedCollection([...values.all(), ...others])
}

function allArguments({ queryArguments, bodyArguments }: Inspection): readonly NamedContent[] {
  return bodyArguments.length === 0 ? queryArguments : [...queryArguments, ...bodyArguments]
}

function allReadings({ queryReadings, bodyReadings, joinedReadings }: Inspection): readonly NamedContent[] {
  return queryReadings.concat(bodyReadings, joinedReadings)
}
