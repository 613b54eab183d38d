import { RequestRefused } from '@palisade/platform'
import type { FastifyReply } from 'fastify'
import { forbidden } from '../../access/forbidden.ts'
import type { Access, Permissions } from '../../access/permissions.ts'
import { planCreation } from '../../changes/create.ts'
import { readMembers } from '../../changes/members.ts'
import type { ExceptionProposals } from '../../exceptions/exception-proposals.ts'
import type { Proposal } from '../../exceptions/proposal.ts'
import type { RejectedProposals } from '../../exceptions/rejected-proposals.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { jsonReply } from '../../openapi/bodies.ts'
import { type Query, refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { untilClosed } from '../../rest/until-closed.ts'
import { bodyOf } from '../../rest/write.ts'
import { administratorOf, answer, readOperationBody, textOf } from '../body.ts'
import { calledService, type ServiceDependencies } from '../called-service.ts'
import { describedBody, describedMessage, describedParameter } from '../described.ts'
import { proposalsReply } from './described-proposal.ts'
import { exceptionFor, proposalReply } from './proposal-reply.ts'

const title = 'Rule Exception Proposal'
const tags = ['Rule Exception']
const collection = 'services/{service}/rule-exception-proposals'

const fields = new FieldSet(
  { comments: { type: 'string', lengthMax: 256, description: 'Why; told in the exception.' } },
  'rule-exception-proposals',
)

/** What the operations work with. */
export interface ProposalDependencies extends ServiceDependencies {
  readonly proposals: ExceptionProposals
  readonly rejected: RejectedProposals
  readonly audit: AuditLog
}

/**
 * `services/{service}/rule-exception-proposals`: exceptions that would have let requests through. Accepting one creates an
 * object of the kind `rule-exception`; deleting that undoes it. One that is rejected is listed no more unless it is asked for; it can
 * still be read and accepted. These addresses are our own.
 */
export function proposalOperations(deps: ProposalDependencies): readonly SpecialOperation[] {
  const { configuration, catalogue, roles, proposals, rejected, audit } = deps
  const exceptionKind = catalogue.get('rule-exception')
  const mayRead = (permissions: Permissions) => mayReach(permissions, 'read')
  const mayAccept = (permissions: Permissions) => mayReach(permissions, 'write')
  const mayReach = (permissions: Permissions, access: Access) =>
    permissions.mayPerform('view-aps-logs') &&
    exceptionKind !== undefined &&
    permissions.mayReachKind(exceptionKind, undefined, access)

  const serviceOf = (call: Call, access: Access) => calledService(deps, call, access)

  async function proposalOf(call: Call, service: ConfigurationObject): Promise<Proposal> {
    const all = await proposals.of(service, configuration.snapshot, untilClosed(call.reply))
    const proposal = all.proposals.find(({ id }) => id === call.names.id)
    if (proposal) return proposal
    const what = `rule exception proposal ${JSON.stringify(call.names.id)}`
    throw new ConfigurationRefused({ code: 'not-found', what })
  }

  async function list(call: Call): Promise<FastifyReply> {
    const isRejectedWanted = readRejected(call.request.query)
    const service = serviceOf(call, 'read')
    const ids = await rejected.of(service.name)
    const all = await proposals.of(service, configuration.snapshot, untilClosed(call.reply))
    const list = all.proposals.filter(({ id }) => ids.has(id) === isRejectedWanted)
    const data = Object.fromEntries(
      list.map((proposal) => [proposal.id, proposalReply(proposal, service, ids)]),
    )
    return answer(call, { object: title, ...(list.length === 0 ? {} : { data }) })
  }

  async function read(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = serviceOf(call, 'read')
    const proposal = await proposalOf(call, service)
    const shownProposal = proposalReply(proposal, service, await rejected.of(service.name))
    return answer(call, { object: title, data: { [proposal.id]: shownProposal } })
  }

  async function reject(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = serviceOf(call, 'write')
    const { id, rule, url, target } = await proposalOf(call, service)
    await rejected.reject(service.name, id)
    const what = `rule ${rule} at ${url}${target === undefined ? '' : `, ${target}`}`
    await audit.changed(administratorOf(call), {
      changeType: 'Delete',
      objectType: title,
      objectName: id,
      additionalData: `rejected for the service ${service.name}: ${what}`,
    })
    return answer(call, { msg: 'Successfully deleted.' })
  }

  async function accept(call: Call): Promise<FastifyReply> {
    const options = readOperationBody(bodyOf(call.request), fields, title)
    const service = serviceOf(call, 'write')
    const proposal = await proposalOf(call, service)
    const kind = configuration.kind('rule-exception')
    const members = exceptionFor(proposal, textOf(options.comments))
    const { object } = await configuration.change(call.author, (snapshot) => {
      // Role and service may be others than when the request arrived.
      if (!mayAccept(roles.permissionsOf(call.author))) throw forbidden(kind.title, 'write')
      return planCreation(snapshot, kind, serviceOf(call, 'write').path, {
        given: readMembers(kind.fields, kind.title, members),
        settled: {},
        behaviour: undefined,
      })
    })
    await rejected.takeBack(service.name, proposal.id)
    call.reply.code(201)
    return answer(call, { id: object.path.at(-1), msg: 'Successfully created.' })
  }

  return [
    {
      method: 'GET',
      path: collection,
      mayBeDone: mayRead,
      description: {
        operationId: 'listRuleExceptionProposals',
        summary: 'List exceptions that would have let blocked requests through',
        tags,
        parameters: [
          describedParameter('rejected', 'Yes for those that were rejected, in the place of all others.'),
        ],
        responses: {
          200: jsonReply('The proposals by their ids, that first that most requests need.', proposalsReply),
        },
      },
      handle: list,
    },
    {
      method: 'GET',
      path: `${collection}/{id}`,
      mayBeDone: mayRead,
      description: {
        operationId: 'getRuleExceptionProposal',
        summary: 'Retrieve a proposed exception',
        tags,
        responses: { 200: jsonReply('The proposal, by its id.', proposalsReply) },
      },
      handle: read,
    },
    {
      method: 'POST',
      path: `${collection}/{id}`,
      mayBeDone: mayAccept,
      description: {
        operationId: 'acceptRuleExceptionProposal',
        summary: 'Create the rule exception that is proposed',
        tags,
        requestBody: describedBody(title, fields),
        responses: describedMessage('The exception was created; deleting it undoes that.', '201'),
      },
      handle: accept,
    },
    {
      method: 'DELETE',
      path: `${collection}/{id}`,
      mayBeDone: mayAccept,
      description: {
        operationId: 'rejectRuleExceptionProposal',
        summary: 'Reject a proposed exception, which is not listed again',
        tags,
        responses: describedMessage('It is listed no more; it can still be accepted.'),
      },
      handle: reject,
    },
  ]
}

/** @throws RequestRefused bad-request when the parameter is neither Yes nor No */
function readRejected(query: Query): boolean {
  refuseOtherParameters(query, ['rejected'])
  const { rejected = 'No' } = query
  if (rejected === 'Yes' || rejected === 'No') return rejected === 'Yes'
  throw new RequestRefused('bad-request', 'The parameter rejected must be Yes or No.', { field: 'rejected' })
}
