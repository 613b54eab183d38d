import { clientAddress, RequestRefused } from '@palisade/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../access/forbidden.ts'
import { outermostObject, type Permissions } from '../access/permissions.ts'
import { refuseOwnExclusion } from '../access/reaching-addresses.ts'
import { refuseEscalation } from '../access/refuse-escalation.ts'
import { refuseForeignReferences } from '../access/refuse-foreign-references.ts'
import type { Roles } from '../access/roles.ts'
import type { Behaviours, Demand } from '../behaviours/behaviour.ts'
import { planCreation } from '../changes/create.ts'
import { planDeletion } from '../changes/delete.ts'
import type { Author, LiveConfiguration } from '../changes/live-configuration.ts'
import {
  type Body,
  type GivenMembers,
  isMembers,
  readMembers,
  type UnknownMembers,
  withGiven,
} from '../changes/members.ts'
import { describe, type Plan } from '../changes/plan.ts'
import { fieldsOf } from '../changes/problems.ts'
import { planUpdate } from '../changes/update.ts'
import { notAcceptable } from '../failure.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { type Content, completeContent, valuesOf, withValues } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { tokenOf } from './admission.ts'
import { entityTag, refuseOtherVersion } from './entity-tag.ts'
import { locatedBy, objectAt, refuseForbidden } from './locate.ts'
import { sendMessage } from './replies.ts'

/** What changes of the configuration are made with. */
export interface WriteDependencies {
  readonly configuration: LiveConfiguration
  readonly behaviours: Behaviours
  readonly roles: Roles
  /** Whether members that a kind does not have are refused, or else ignored. */
  readonly unknownMembers: UnknownMembers
  /** What the reply of a change warns of; undefined for nothing. */
  readonly warningOf?: (changed: ConfigurationObject) => string | undefined
}

/** Creates an object in a collection; what is always there is updated instead. */
export async function create(
  deps: WriteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  if (target.type !== 'collection') return update(deps, request, reply.code(201))
  const { kind, parentPath } = target
  const { snapshot } = deps.configuration
  const given = readMembers(kind.fields, kind.title, bodyOf(request), deps.unknownMembers)
  const demand = { kind, section: undefined, given: given.values, before: undefined, snapshot }
  const { behaviour, settled } = await prepared(deps, given, demand)
  const { object } = await change(deps, request, (newest, permissions) => {
    refuseOtherVersion(request, undefined)
    const before = completeContent(kind, {})
    const naming = { kind, path: [...parentPath, ''], before, section: undefined, given }
    refuseForeignNames(permissions, newest, naming)
    return planCreation(newest, kind, parentPath, { given, settled, behaviour })
  })
  return sendDone(deps, reply.code(201), request, object, 'Successfully created.')
}

/** Changes the members of an object or of one of its sections. */
export async function update(
  deps: WriteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  const section = target.type === 'section' ? target.section : undefined
  const { snapshot } = deps.configuration
  const before = objectAt(snapshot, target)
  const { kind } = before
  const title = section?.title ?? kind.title
  const given = readMembers(fieldsOf(kind, section?.segment), title, bodyOf(request), deps.unknownMembers)
  const demand = { kind, section: section?.segment, given: given.values, before, snapshot }
  const { behaviour, settled } = await prepared(deps, given, demand)
  const { object } = await change(deps, request, (newest, permissions) => {
    const current = objectAt(newest, target)
    refuseOtherVersion(request, current)
    const { path, content } = current
    refuseForeignNames(permissions, newest, { kind, path, before: content, section: section?.segment, given })
    return planUpdate(newest, current, section?.segment, { given, settled, behaviour })
  })
  const message = reply.statusCode === 201 ? 'Successfully created.' : 'Configuration updated'
  return sendDone(deps, reply, request, object, message)
}

/** Deletes an object and everything inside it. */
export async function remove(
  deps: WriteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  await change(deps, request, (newest, permissions) => {
    const object = objectAt(newest, target)
    refuseOtherVersion(request, object)
    const mayBeNamed = ({ kind, path }: ConfigurationObject) =>
      permissions.mayRefer(kind, outermostObject(newest, kind, path))
    return planDeletion(newest, object, deps.behaviours.get(object.kind.name), mayBeNamed)
  })
  return sendMessage(reply, tokenOf(request), { msg: 'Successfully deleted.' })
}

/** A body with faults is refused by the plan, which finds them all; nothing is prepared for it. */
async function prepared({ behaviours }: WriteDependencies, given: GivenMembers, demand: Demand) {
  const behaviour = behaviours.get(demand.kind.name)
  const settled = given.problems.length === 0 ? await behaviour?.prepare?.(demand) : undefined
  return { behaviour, settled: settled ?? {} }
}

function change(
  { configuration, roles }: WriteDependencies,
  request: FastifyRequest,
  decide: (snapshot: Snapshot, permissions: Permissions) => Plan,
): Promise<Plan> {
  const { administrator } = tokenOf(request)
  const located = locatedBy(request)
  const author = authorOf(request)
  return configuration.change(author, (snapshot) => {
    const permissions = roles.permissionsOf(administrator)
    // Role and object may be others than when the request arrived.
    refuseForbidden(permissions, snapshot, located)
    const plan = decide(snapshot, permissions)
    refuseForbiddenResult(permissions, snapshot, plan)
    refuseOwnExclusion(snapshot, plan.writes, author.address)
    return plan
  })
}

/** On whose behalf the request is made. */
export function authorOf(request: FastifyRequest): Author {
  const { username, role } = tokenOf(request).administrator
  return { username, role, address: clientAddress(request) }
}

/** What is created, or changed, has to be reached also as it is afterwards, and so has what is created beside it. */
function refuseForbiddenResult(
  permissions: Permissions,
  snapshot: Snapshot,
  { object, writes, createdBeside = [] }: Plan,
): void {
  refuseEscalation(permissions, snapshot, writes)
  for (const created of createdBeside) {
    const isKindReached = permissions.mayReachKind(created.kind, undefined, 'write')
    if (isKindReached && permissions.mayReachObject(created, 'write')) continue
    throw forbidden(describe(created), 'write')
  }
  const { kind, path } = object
  const content = writes.find((write) => write.kind === kind && samePath(write.path, path))?.content
  if (content === undefined) return
  if (path.length === 1 && !permissions.mayReachObject({ kind, path, content }, 'write')) {
    throw forbidden(describe(object), 'write')
  }
}

/** What a body makes an object name has to be reached, before anything is said about whether it is there. */
function refuseForeignNames(
  permissions: Permissions,
  snapshot: Snapshot,
  { kind, path, before, section, given }: Naming,
): void {
  const values = withGiven(valuesOf(before, section), given, fieldsOf(kind, section))
  const content = withValues(before, section, values)
  refuseForeignReferences(permissions, snapshot, { kind, path, content, section, before })
}

interface Naming {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  readonly before: Content
  readonly section: string | undefined
  readonly given: GivenMembers
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** @throws RequestRefused or ConfigurationRefused when the body is no JSON object */
export function bodyOf({ body }: FastifyRequest): Body {
  if (body === undefined) throw new RequestRefused('malformed-json', 'The body is empty.')
  if (Buffer.isBuffer(body)) throw new RequestRefused('unsupported-media-type', 'The body must be JSON.')
  if (isMembers(body)) return body
  throw notAcceptable('The body must be a JSON object with the members to set.')
}

function sendDone(
  { configuration, warningOf }: WriteDependencies,
  reply: FastifyReply,
  request: FastifyRequest,
  { kind, path }: Plan['object'],
  msg: string,
): FastifyReply {
  const object = configuration.snapshot.object(kind, path)
  if (object) reply.header('etag', entityTag(object))
  const warning = object && warningOf?.(object)
  return sendMessage(reply, tokenOf(request), {
    id: path.at(-1),
    msg,
    ...(warning === undefined ? {} : { warning }),
  })
}
