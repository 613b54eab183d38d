import { clientAddress, RequestRefused } from '@palisade/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { planCreation } from '../changes/create.ts'
import { planDeletion } from '../changes/delete.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { Body } from '../changes/members.ts'
import type { Plan } from '../changes/plan.ts'
import { planUpdate } from '../changes/update.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { tokenOf } from './admission.ts'
import { locatedBy, objectAt, refuseMissing } from './locate.ts'
import { sendMembers } from './replies.ts'

/** Creates an object in a collection; what is always there is updated instead. */
export async function create(
  configuration: LiveConfiguration,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  if (target.type !== 'collection') return update(configuration, request, reply.code(201))
  const body = bodyOf(request)
  const { object } = await change(configuration, request, (snapshot) => {
    refuseMissing(snapshot, target)
    return planCreation(snapshot, target.kind, target.parentPath, body)
  })
  return sendMessage(reply.code(201), request, { id: object.path.at(-1), msg: 'Successfully created.' })
}

/** Changes the members of an object or of one of its sections. */
export async function update(
  configuration: LiveConfiguration,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  const section = target.type === 'section' ? target.section.segment : undefined
  const body = bodyOf(request)
  const { object } = await change(configuration, request, (snapshot) =>
    planUpdate(snapshot, objectAt(snapshot, target), section, body),
  )
  return sendMessage(reply, request, { id: object.path.at(-1), msg: 'Configuration updated' })
}

/** Deletes an object and everything inside it. */
export async function remove(
  configuration: LiveConfiguration,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { target } = locatedBy(request)
  await change(configuration, request, (snapshot) => planDeletion(snapshot, objectAt(snapshot, target)))
  return sendMessage(reply, request, { msg: 'Successfully deleted.' })
}

function change(
  configuration: LiveConfiguration,
  request: FastifyRequest,
  decide: (snapshot: Snapshot) => Plan,
): Promise<Plan> {
  const { username } = tokenOf(request).administrator
  return configuration.change({ username, address: clientAddress(request) }, decide)
}

function bodyOf({ body }: FastifyRequest): Body {
  if (body === undefined) throw new RequestRefused('malformed-json', 'The body is empty.')
  if (isMembers(body)) return body
  throw new ConfigurationRefused({
    code: 'not-acceptable',
    problems: ['The body must be a JSON object with the members to set.'],
  })
}

function isMembers(body: unknown): body is Body {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

function sendMessage(reply: FastifyReply, request: FastifyRequest, members: object): FastifyReply {
  return sendMembers(reply, tokenOf(request), JSON.stringify(members).slice(1, -1))
}
