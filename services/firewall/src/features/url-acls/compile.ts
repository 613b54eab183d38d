import type { SnapshotPlace, SnapshotUrlAcl } from '@palisade/proxy-protocol'
import { isNotOff } from '../../kinds/conversions.ts'
import { type FieldReader, fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { compileDenial, denialReader, followUp, pageOf, redirectOf } from '../denials/compile.ts'
import { everywhere, inOrder, placeMembers } from '../places/compile.ts'
import { globalAcl } from './global-acl.ts'
import { urlAcl } from './url-acl.ts'

/** The place of an access rule of a service; undefined where it is switched off. */
export const urlAclReader = whenOn(fieldReader(urlAcl, { isOn: ['enable', isNotOff], ...placeMembers }))

/** The place of an access rule of a security policy, which names no host; undefined where it is switched off. */
export const globalAclReader = whenOn(
  fieldReader(globalAcl, {
    isOn: ['enable', isNotOff],
    url: placeMembers.url,
    extendedMatch: placeMembers.extendedMatch,
    sequence: placeMembers.sequence,
  }),
)

/** The access rules of a service that are switched on, in the order in which they are tried. */
export function compileUrlAcls(service: ConfigurationObject, snapshot: Snapshot): SnapshotUrlAcl[] {
  return compileRules(childrenOf(service, urlAcl.name), urlAclReader, snapshot)
}

/** The same of a security policy. */
export function compileGlobalAcls(policy: ConfigurationObject, snapshot: Snapshot): SnapshotUrlAcl[] {
  return compileRules(childrenOf(policy, globalAcl.name), globalAclReader, snapshot)
}

function compileRules(
  objects: readonly ConfigurationObject[],
  reader: FieldReader<Partial<SnapshotPlace> | undefined>,
  snapshot: Snapshot,
): SnapshotUrlAcl[] {
  const rules = objects.flatMap((object) => {
    const place = reader.of(object)
    return (place && compileRule(object, { ...everywhere, ...place }, snapshot)) ?? []
  })
  return inOrder(rules)
}

function compileRule(
  object: ConfigurationObject,
  place: SnapshotPlace,
  snapshot: Snapshot,
): SnapshotUrlAcl | undefined {
  const { action, location } = denialReader.of(object)
  const redirect = redirectOf(action, location)
  if (redirect === undefined && action.endsWith('Redirect')) return undefined
  const isAnswer = action.startsWith('Send')
  return {
    name: object.name,
    ...place,
    does: redirect ? 'redirect' : isAnswer ? 'answer' : (actions[action.split(' ', 1)[0] ?? ''] ?? 'process'),
    logs: action.endsWith('and Log') || redirect !== undefined || isAnswer,
    denial:
      redirect ??
      (isAnswer ? { kind: 'page', page: pageOf(object, snapshot) } : compileDenial(object, snapshot)),
    ...followUp(object),
  }
}

const actions: Readonly<Record<string, SnapshotUrlAcl['does']>> = {
  Process: 'process',
  Allow: 'allow',
  Deny: 'deny',
}

/** The access rules of a service that were to send clients elsewhere, and do not say where. */
export function redirectsToNowhere(service: ConfigurationObject): ConfigurationObject[] {
  return childrenOf(service, urlAcl.name).filter((object) => {
    const { action, location } = denialReader.of(object)
    return urlAclReader.of(object) !== undefined && action.endsWith('Redirect') && location === ''
  })
}
