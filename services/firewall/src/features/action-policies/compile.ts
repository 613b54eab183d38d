import type { SnapshotAction, SnapshotDenial, SnapshotPolicy } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { compileDenial, denialReader, followUp } from '../denials/compile.ts'
import { pageNamed } from '../response-pages/compile.ts'
import { categoryOfAttack } from './attack-categories.ts'
import { actionPolicy } from './fields.ts'

/** What follows each attack on the services of a security policy. Many are answered alike: each answer is told once. */
export function compileActions(
  policy: ConfigurationObject,
  snapshot: Snapshot,
): Pick<SnapshotPolicy, 'actions' | 'denials'> {
  const denials: SnapshotDenial[] = []
  const places = new Map<string, number>()
  const placeOf = (denial: SnapshotDenial) => {
    const text = JSON.stringify(denial)
    const place = places.get(text) ?? denials.push(denial) - 1
    places.set(text, place)
    return place
  }
  const actions: Record<string, SnapshotAction> = {}
  const objects = childrenOf(policy, actionPolicy.name)
  const [any] = objects
  if (any) placeOf({ kind: 'page', page: pageNamed('default', any, snapshot) })
  for (const object of objects) {
    const { action } = denialReader.of(object)
    actions[object.name] = {
      category: categoryOfAttack(object.name),
      denies: action.startsWith('Protect'),
      logs: action.endsWith('and Log'),
      denial: placeOf(compileDenial(object, snapshot)),
      ...followUp(object),
    }
  }
  return { actions, denials }
}
