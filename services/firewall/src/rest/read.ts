import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Permissions } from '../access/permissions.ts'
import type { CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import { Collection, ConfigurationObject } from '../objects/configuration-object.ts'
import { withValues } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { textByName } from '../objects/text-by-name.ts'
import { wholeView } from '../objects/view.ts'
import { tokenOf } from './admission.ts'
import { withColumns } from './columns.ts'
import { entityTag } from './entity-tag.ts'
import { locatedBy, objectAt } from './locate.ts'
import { type HealthOf, type Observed, operationalFields, operationalText } from './operational.ts'
import {
  asksForNothing,
  isOperational,
  type Query,
  readFields,
  readOperationalView,
  readPage,
  readView,
  refuseOtherParameters,
} from './query.ts'
import { sendCollection, sendMembers, sendObjects } from './replies.ts'

type ReadRequest = FastifyRequest<{ Querystring: Query }>

/**
 * Answers with a list, an object or a section of one.
 *
 * @param observed what is known of objects beside what they hold
 */
export function read(
  snapshot: Snapshot,
  permissions: Permissions,
  observed: Observed,
  request: ReadRequest,
  reply: FastifyReply,
): FastifyReply {
  const { healthOf } = observed
  const { target } = locatedBy(request)
  if (target.type === 'collection') {
    const { kind, parentPath } = target
    const collection = snapshot.collection(kind, parentPath)
    const isAllReached = parentPath.length > 0 || permissions.mayReachAll(kind, 'read')
    const reached = isAllReached ? collection : reachedIn(collection, permissions)
    return sendList(request, reply, healthOf, kind, parentPath, reached)
  }
  const object = objectAt(snapshot, target)
  reply.header('etag', entityTag(object))
  if (target.type === 'object')
    return sendObject(request, reply, healthOf, withObserved(object, observed), { snapshot, permissions })
  return sendSection(request, reply, object, target.section)
}

/** The outermost objects that the permissions reach. */
function reachedIn(collection: Collection | undefined, permissions: Permissions): Collection | undefined {
  const reached = [...(collection ?? [])].filter((object) => permissions.mayReachObject(object, 'read'))
  return reached.length === 0 ? undefined : Collection.of(reached)
}

/**
 * The objects of one kind in one place, by name. When there are none, the reply has no `data`: clients tell an
 * empty list by that.
 */
function sendList(
  request: ReadRequest,
  reply: FastifyReply,
  healthOf: HealthOf,
  kind: CompiledKind,
  parentPath: readonly string[],
  collection: Collection | undefined,
): FastifyReply {
  const { query } = request
  const token = tokenOf(request)
  const members = [kind.titleMember, ...parentMembers(kind, parentPath)].join(',')
  const isOlder = isInOlderForm(kind, request)
  if (collection !== undefined && asksForNothing(query) && !isOlder) {
    return sendCollection(reply, token, members, collection)
  }
  refuseOtherParameters(query, ['groups', 'parameters', 'limit', 'offset', ...categoryOf(kind)])
  const textOf = readText(kind, query, healthOf, isOlder)
  const { offset, limit } = readPage(query)
  if (collection === undefined) return sendMembers(reply, token, members)
  const page = [...collection].slice(offset, limit === undefined ? undefined : offset + limit)
  if (page.length === 0) return sendMembers(reply, token, members)
  return sendObjects(reply, token, members, page, textOf)
}

/** The object with what is known of it in the place of what it holds. */
function withObserved(object: ConfigurationObject, { valuesOf }: Observed): ConfigurationObject {
  const values = valuesOf(object)
  if (values === undefined) return object
  const { kind, path, children, version } = object
  const content = withValues(object.content, undefined, { ...object.content.values, ...values })
  return new ConfigurationObject({ kind, path, content, children, version })
}

/** Whether the reply shows what the kind's fields are in versions before v3.2. */
function isInOlderForm({ hasOlderForm }: CompiledKind, { url }: ReadRequest): boolean {
  return hasOlderForm && isOlderVersion(url)
}

/** The parameter that asks how objects fare, where they can tell. */
function categoryOf({ operational }: CompiledKind): string[] {
  return operational ? ['category'] : []
}

/** What a query asks to be shown of each object, as JSON. */
function readText(
  kind: CompiledKind,
  query: Query,
  healthOf: HealthOf,
  isOlder: boolean,
): (object: ConfigurationObject) => string {
  if (isOperational(query)) {
    const view = readOperationalView(kind, query)
    const parts = [...(view.ownMembers ? [kind] : []), ...view.children]
    const shown = readFields([...parts.map(({ fields }) => fields), operationalFields], query)
    return (object) => operationalText(object, { view, healthOf, shown })
  }
  const requestedView = readView(kind, query)
  const view = isOlder
    ? requestedView
      ? { ...requestedView, isOlder }
      : wholeView(kind, true)
    : requestedView
  return (object) => (view ? object.textOf(view) : object.text)
}

function sendObject(
  request: ReadRequest,
  reply: FastifyReply,
  healthOf: HealthOf,
  object: ConfigurationObject,
  { snapshot, permissions }: { readonly snapshot: Snapshot; readonly permissions: Permissions },
): FastifyReply {
  const { kind } = object
  const page = kind.identifiedBy === undefined ? ['limit', 'offset'] : []
  refuseOtherParameters(request.query, ['groups', 'parameters', ...page, ...categoryOf(kind)])
  const textOf = readText(kind, request.query, healthOf, isInOlderForm(kind, request))
  const view = kind.columns.length === 0 ? undefined : (readView(kind, request.query) ?? wholeView(kind))
  const shown = (one: ConfigurationObject) =>
    view ? withColumns(textOf(one), one, view, snapshot, permissions) : textOf(one)
  const data = kind.shownFlat ? shown(object) : textByName([object], shown)
  return sendMembers(reply, tokenOf(request), `${object.kind.titleMember},"data":${data}`)
}

function sendSection(
  request: ReadRequest,
  reply: FastifyReply,
  object: ConfigurationObject,
  section: CompiledSection,
): FastifyReply {
  refuseOtherParameters(request.query, ['parameters'])
  const fields = readFields([section.fields], request.query)
  const isOlder = isInOlderForm(object.kind, request)
  const text = object.sectionText(section, { ...(fields === undefined ? {} : { fields }), isOlder })
  const data = textByName([object], () => `{${JSON.stringify(section.title)}:${text}}`)
  return sendMembers(reply, tokenOf(request), `"data":${data}`)
}

/** The objects around a list, by the titles of their kinds. */
function parentMembers({ lineage }: CompiledKind, parentPath: readonly string[]): string[] {
  return parentPath.map((name, depth) => `${JSON.stringify(lineage[depth]?.title)}:${JSON.stringify(name)}`)
}

/** Whether a request came to v3 or v3.1, some of whose replies v3.2 has in another form. */
function isOlderVersion(url: string): boolean {
  return /^\/*restapi\/+v3(?:\.1)?\//i.test(url)
}
