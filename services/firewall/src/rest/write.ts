import { clientAddress, RequestRefused } from '@palisade/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Permissions } from '../access/permissions.ts'
import { refuseForbiddenPlan } from '../access/refuse-forbidden-plan.ts'
import type { Roles } from '../access/roles.ts'
import type { Author } from '../changes/author.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { type Body, isMembers } from '../changes/members.ts'
import type { Plan } from '../changes/plan.ts'
import { notAcceptable } from '../failure.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { tokenOf } from './admission.ts'
import { entityTag, refuseOtherVersion } from './entity-tag.ts'
import { locatedBy, objectAt, refuseForbidden } from './locate.ts'
import { type ChangePreparation, planRemoval, prepareCreation, prepareUpdate } from './prepared-change.ts'
import { sendMessage } from './replies.ts'

/** What changes of the configuration are made with. */
export interface WriteDependencies extends ChangePreparation {
  readonly configuration: LiveConfiguration
  readonly roles: Roles
  /** What the reply of a change warns of; undefined for nothing. */
  readonly warningOf?: (changed: ConfigurationObject, plan: Plan) => Promise<string | undefined>
}

/** Creates an object in a collection; what is always there is updated instead. */
export async function create(
  deps: WriteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  if (target.type !== 'collection') return update(deps, request, reply.code(201))
  const creation = await prepareCreation(deps, deps.configuration.snapshot, target, bodyOf(request))
  const plan = await change(deps, request, (newest, permissions) => {
    refuseOtherVersion(request, undefined)
    return creation(newest, permissions)
  })
  return sendDone(deps, reply.code(201), request, plan, 'Successfully created.')
}

/** Changes the members of an object or of one of its sections. */
export async function update(
  deps: WriteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  const planned = await prepareUpdate(deps, deps.configuration.snapshot, target, bodyOf(request))
  const plan = await change(deps, request, (newest, permissions) => {
    refuseOtherVersion(request, objectAt(newest, target))
    return planned(newest, permissions)
  })
  const message = reply.statusCode === 201 ? 'Successfully created.' : 'Configuration updated'
  return sendDone(deps, reply, request, plan, message)
}

/** Names the checkpoint that takes a deletion back, beside a body that is as other clients expect it. */
export const checkpointHeader = 'Palisade-Checkpoint'

/** Deletes an object and everything inside it, and says in a header what takes that back. */
export async function remove(
  deps: WriteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  const { kept } = await change(deps, request, (newest, permissions) => {
    refuseOtherVersion(request, objectAt(newest, target))
    return planRemoval(deps, newest, target, permissions)
  })
  if (kept) reply.header(checkpointHeader, kept.checkpoint)
  return sendMessage(reply, tokenOf(request), { msg: 'Successfully deleted.' })
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
    refuseForbiddenPlan(permissions, snapshot, plan, author.address)
    return plan
  })
}

/** On whose behalf the request is made. */
export function authorOf(request: FastifyRequest): Author {
  const { username, role } = tokenOf(request).administrator
  return { username, role, address: clientAddress(request) }
}

/** @throws RequestRefused or ConfigurationRefused when the body is no JSON object */
export function bodyOf({ body }: FastifyRequest): Body {
  if (body === undefined) throw new RequestRefused('malformed-json', 'The body is empty.')
  if (Buffer.isBuffer(body)) throw new RequestRefused('unsupported-media-type', 'The body must be JSON.')
  if (isMembers(body)) return body
  throw notAcceptable('The body must be a JSON object with the members to set.')
}

async function sendDone(
  { configuration, warningOf }: WriteDependencies,
  reply: FastifyReply,
  request: FastifyRequest,
  plan: Plan,
  msg: string,
): Promise<FastifyReply> {
  const { kind, path } = plan.object
  const object = configuration.snapshot.object(kind, path)
  if (object) reply.header('etag', entityTag(object))
  const warning = object && (await warningOf?.(object, plan))
  return sendMessage(reply, tokenOf(request), {
    id: path.at(-1),
    msg,
    ...(warning === undefined ? {} : { warning }),
  })
}
