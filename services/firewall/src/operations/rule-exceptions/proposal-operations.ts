import type { FastifyReply } from 'fastify'
import { forbidden } from '../../access/forbidden.ts'
import type { Access, Permissions } from '../../access/permissions.ts'
import { planCreation } from '../../changes/create.ts'
import { readMembers } from '../../changes/members.ts'
import type { ExceptionProposals } from '../../exceptions/exception-proposals.ts'
import type { Proposal } from '../../exceptions/proposal.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { untilClosed } from '../../rest/until-closed.ts'
import { bodyOf } from '../../rest/write.ts'
import { answer, readOperationBody, textOf } from '../body.ts'
import { calledService, type ServiceDependencies } from '../called-service.ts'
import { describedBody, describedData, describedMessage } from '../described.ts'
import { exceptionFor, toldProposal } from './told-proposal.ts'

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
}

/**
 * `services/{service}/rule-exception-proposals`: exceptions that would have let requests through. Accepting one creates an
 * object of the kind `rule-exception`; deleting that undoes it. These addresses are our own.
 */
export function proposalOperations(deps: ProposalDependencies): readonly SpecialOperation[] {
  const { configuration, catalogue, roles, proposals } = deps
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
    const found = all.find(({ id }) => id === call.names.id)
    if (found) return found
    const what = `rule exception proposal ${JSON.stringify(call.names.id)}`
    throw new ConfigurationRefused({ code: 'not-found', what })
  }

  async function list(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = serviceOf(call, 'read')
    const found = await proposals.of(service, configuration.snapshot, untilClosed(call.reply))
    const data = Object.fromEntries(found.map((proposal) => [proposal.id, toldProposal(proposal, service)]))
    return answer(call, { object: title, ...(found.length === 0 ? {} : { data }) })
  }

  async function read(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = serviceOf(call, 'read')
    const proposal = await proposalOf(call, service)
    return answer(call, { object: title, data: { [proposal.id]: toldProposal(proposal, service) } })
  }

  async function accept(call: Call): Promise<FastifyReply> {
    const given = readOperationBody(bodyOf(call.request), fields, title)
    const service = serviceOf(call, 'write')
    const proposal = await proposalOf(call, service)
    const kind = configuration.kind('rule-exception')
    const members = exceptionFor(proposal, textOf(given.comments))
    const { object } = await configuration.change(call.author, (snapshot) => {
      // Role and service may be others than when the request arrived.
      if (!mayAccept(roles.permissionsOf(call.author))) throw forbidden(kind.title, 'write')
      return planCreation(snapshot, kind, serviceOf(call, 'write').path, {
        given: readMembers(kind.fields, kind.title, members),
        settled: {},
        behaviour: undefined,
      })
    })
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
        responses: describedData('The proposals by their ids, that first that most requests need.'),
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
        responses: describedData('The proposal.'),
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
  ]
}
