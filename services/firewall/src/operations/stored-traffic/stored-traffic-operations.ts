import type { FastifyReply } from 'fastify'
import type { Permissions } from '../../access/permissions.ts'
import { notAcceptable } from '../../failure.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import { ruleTarget } from '../../kinds/patterns.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { jsonReply } from '../../openapi/bodies.ts'
import { refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { untilClosed } from '../../rest/until-closed.ts'
import { bodyOf } from '../../rest/write.ts'
import { administratorOf, answer, type OperationBody, readOperationBody, textOf } from '../body.ts'
import { calledService, type ServiceDependencies } from '../called-service.ts'
import { describedBody, describedMessage } from '../described.ts'
import type { Candidate } from './candidate.ts'
import { storedRequestsReply, trialReply } from './described-trial.ts'
import { type TrialDependencies, tryCandidate } from './try-candidate.ts'

const title = 'Stored Requests'
const trialTitle = 'Stored Request Trial'
const tags = ['Stored Traffic']

/** How many requests a reply shows whole. */
const listedMax = 20
const listedCharactersMax = 512 * 1024

const fields = new FieldSet(
  {
    'rule-set': {
      type: 'string',
      lengthMax: 64,
      description: 'The rule set to be tried, one of the `rule-sets` of `stored-requests`.',
    },
    policy: { type: 'string', lengthMax: 64, description: 'The security policy to be tried.' },
    'second-stage': {
      type: 'choice',
      values: ['On', 'Off'],
      description: 'How the second stage of the policy would be switched.',
    },
    rule: { type: 'integer', min: 1, max: 999_999_999, description: 'The rule of an exception to be tried.' },
    url: { type: 'string', lengthMax: 1024, description: 'For which the exception would be.' },
    target: {
      type: 'string',
      lengthMax: 1024,
      pattern: ruleTarget,
      description: 'What the rule would not look at; the rule would not run at all when this is empty.',
    },
  },
  'stored-request-trials',
)

/** What the operations work with. */
export interface StoredTrafficDependencies extends ServiceDependencies, TrialDependencies {
  readonly audit: AuditLog
}

/**
 * `services/{service}/stored-requests`: what is kept of a service's requests; and `services/{service}/stored-request-trials`: what
 * would become of them with an exception, another policy, another second stage or other rules. These addresses are our own.
 */
export function storedTrafficOperations(deps: StoredTrafficDependencies): readonly SpecialOperation[] {
  const { storedRequests, audit, ruleSets } = deps
  const mayRead = (permissions: Permissions) => permissions.mayPerform('view-aps-logs')

  async function read(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = calledService(deps, call, 'read')
    const size = await storedRequests.sizeOf(service.name)
    const newest = await storedRequests.of(service.name, listedMax, listedCharactersMax)
    const data = {
      'rule-sets': ruleSets(),
      requests: String(size.requests),
      'refused-requests': String(size.refused),
      kilobytes: String(Math.ceil(size.bytes / 1024)),
      oldest: size.oldestAt === undefined ? '' : new Date(size.oldestAt).toISOString(),
      newest: newest.map((request) => ({
        id: request.id,
        time: new Date(request.time).toISOString(),
        'client-ip': request.clientAddress,
        method: request.method,
        url: request.target,
        headers: linesOf(request.headers),
        body: request.body ?? '',
        refused: request.isRefused ? 'Yes' : 'No',
      })),
    }
    return answer(call, { object: title, data })
  }

  async function forget(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = calledService(deps, call, 'write')
    await storedRequests.forget(service.name)
    await audit.changed(administratorOf(call), {
      changeType: 'Delete',
      objectType: title,
      objectName: service.name,
      additionalData: '',
    })
    return answer(call, { msg: 'Successfully deleted.' })
  }

  async function tryOut(call: Call): Promise<FastifyReply> {
    const body = readOperationBody(bodyOf(call.request), fields, trialTitle)
    const service = calledService(deps, call, 'read')
    const candidate = candidateOf(body, service)
    const { told } = await tryCandidate(deps, service, candidate, untilClosed(call.reply))
    return answer(call, { object: trialTitle, data: told })
  }

  return [
    {
      method: 'GET',
      path: 'services/{service}/stored-requests',
      mayBeDone: mayRead,
      description: {
        operationId: 'getStoredRequests',
        summary: 'Tell what is kept of the requests for a service',
        tags,
        responses: { 200: jsonReply('How much there is, and the newest of them.', storedRequestsReply) },
      },
      handle: read,
    },
    {
      method: 'DELETE',
      path: 'services/{service}/stored-requests',
      mayBeDone: mayRead,
      description: {
        operationId: 'deleteStoredRequests',
        summary: 'Delete what is kept of the requests for a service',
        tags,
        responses: describedMessage('They are gone; others are kept as they come.'),
      },
      handle: forget,
    },
    {
      method: 'POST',
      path: 'services/{service}/stored-request-trials',
      mayBeDone: mayRead,
      description: {
        operationId: 'tryStoredRequests',
        summary:
          'Tell which stored requests an exception, another policy, another second stage or other rules would meet otherwise',
        tags,
        requestBody: describedBody(trialTitle, fields),
        responses: { 200: jsonReply('What would become of them.', trialReply) },
      },
      handle: tryOut,
    },
  ]
}

/** @throws ConfigurationRefused where nothing is to be tried */
function candidateOf(given: OperationBody, service: ConfigurationObject): Candidate {
  const [policy, secondStage, rule] = [given.policy, given['second-stage'], given.rule].map(textOf)
  const ruleSet = textOf(given['rule-set'])
  if (policy === '' && secondStage === '' && rule === '' && ruleSet === '')
    throw notAcceptable(
      `The body must have a policy, a second-stage, a rule or a rule-set to be tried at the service ${JSON.stringify(service.name)}.`,
    )
  const members = { rule: given.rule, url: given.url, target: given.target }
  const exception = Object.fromEntries(Object.entries(members).filter(([, value]) => textOf(value) !== ''))
  return {
    policy: policy ?? '',
    secondStage: secondStage ?? '',
    ruleSet,
    exceptions: rule === '' ? [] : [exception],
  }
}

function linesOf(headers: readonly string[]): string[] {
  const lines: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`)
  return lines
}
