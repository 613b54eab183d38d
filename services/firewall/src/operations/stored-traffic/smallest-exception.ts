import type { FastifyReply } from 'fastify'
import { forbidden } from '../../access/forbidden.ts'
import type { Permissions } from '../../access/permissions.ts'
import { planCreation } from '../../changes/create.ts'
import { type Body, readMembers } from '../../changes/members.ts'
import { evidenceNeeded } from '../../exceptions/evidence-needed.ts'
import { judgedRequests } from '../../exceptions/judged-requests.ts'
import type { Proposal } from '../../exceptions/proposal.ts'
import { proposeExceptions } from '../../exceptions/propose-exceptions.ts'
import { fewestExceptions } from '../../exceptions/replay.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import type { LogStore } from '../../logs/log-store.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { jsonReply } from '../../openapi/bodies.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { untilClosed } from '../../rest/until-closed.ts'
import { bodyOf } from '../../rest/write.ts'
import { answer, readOperationBody, textOf } from '../body.ts'
import { serviceNamed } from '../called-service.ts'
import { describedBody } from '../described.ts'
import type { LimitDependencies } from '../logs/entry-limits.ts'
import { acceptedAs, exceptionFor } from '../rule-exceptions/proposal-reply.ts'
import { entriesOfRequest } from '../rule-exceptions/refused-request-operations.ts'
import { smallestExceptionReply } from './described-trial.ts'
import { type MadeTrial, type TrialDependencies, tryCandidate, whyNoTrial } from './try-candidate.ts'

const title = 'Smallest Exception'

const fields = new FieldSet(
  {
    apply: { type: 'yes-no', default: 'No', description: 'Whether the exceptions are created.' },
    comments: { type: 'string', lengthMax: 256, description: 'Why; told in the exceptions.' },
  },
  'smallest-exception',
)

/** What the operation works with. */
export interface SmallestExceptionDependencies extends LimitDependencies, TrialDependencies {
  readonly logs: LogStore
}

/** What an exception is about. */
type LeftOut = Pick<Proposal, 'url' | 'rule' | 'target'>

/**
 * `refused-requests/{id}/smallest-exception`: the smallest exception with which a refused request passes, what else it would let
 * through, and with `apply` the exception itself. This address is our own.
 */
export function smallestException(deps: SmallestExceptionDependencies): SpecialOperation {
  const { configuration, catalogue, roles } = deps
  const kind = catalogue.get('rule-exception')
  const mayBeDone = (permissions: Permissions) =>
    permissions.mayPerform('view-aps-logs') &&
    kind !== undefined &&
    permissions.mayReachKind(kind, undefined, 'read')

  async function handle(call: Call): Promise<FastifyReply> {
    const { id = '' } = call.names
    const body = readOperationBody(bodyOf(call.request), fields, title)
    const isApplied = textOf(body.apply) === 'Yes'
    const entries = await entriesOfRequest(deps, id, call)
    if (entries.length === 0)
      throw new ConfigurationRefused({
        code: 'not-found',
        what: `request ${JSON.stringify(id)} in the web-firewall-logs`,
      })
    const service = serviceNamed(
      deps,
      entries[0]?.['service-name'] ?? '',
      call.author,
      isApplied ? 'write' : 'read',
    )
    const [judged] = judgedRequests(entries)
    const proposals =
      judged === undefined
        ? []
        : proposeExceptions(service.name, [judged], evidenceNeeded(service, configuration.snapshot))
    const accepted = new Set(proposals.filter((proposal) => acceptedAs(service, proposal) !== undefined))
    const fewest = judged && fewestExceptions(judged, proposals, accepted)
    if (fewest === undefined || fewest.length === 0) {
      const data = {
        ...nothingMore(id, service),
        ...(fewest === undefined ? unhelpful(judged !== undefined) : {}),
      }
      return answer(call, { object: title, data })
    }
    const outcome = await outcomeOf(service, id, fewest, untilClosed(call.reply))
    const mayApply = isApplied && outcome.passes !== 'No'
    const created = mayApply ? await create(call, service, fewest, textOf(body.comments)) : []
    if (created.length > 0) call.reply.code(201)
    const data = {
      id,
      service: service.name,
      exceptions: fewest.map(toldException),
      ...outcome,
      ...(isApplied && !mayApply
        ? { reason: 'It would not pass all the same, so nothing was created.' }
        : {}),
      created,
    }
    return answer(call, { object: title, data })
  }

  /** What a trial says of exceptions; the figures of the log alone where nothing can be tried. */
  async function outcomeOf(
    service: ConfigurationObject,
    id: string,
    exceptions: readonly Proposal[],
    signal: AbortSignal,
  ) {
    const reason = whyNoTrial(service)
    const untried = { passes: 'By its score', 'also-would-pass': '', reason: reason ?? '' }
    if (reason !== undefined) return untried
    const candidate = { policy: '', secondStage: '', ruleSet: '', exceptions: exceptions.map(membersOf) }
    const trial = await tryCandidate(deps, service, candidate, signal)
    const { passes, others } = countedBeside(trial, id)
    return {
      ...untried,
      ...(passes === undefined ? {} : { passes: passes ? 'Yes' : 'No' }),
      'also-would-pass': String(others),
      trial: trial.told,
    }
  }

  async function create(
    call: Call,
    { name }: ConfigurationObject,
    exceptions: readonly Proposal[],
    comments: string,
  ): Promise<string[]> {
    const kind = configuration.kind('rule-exception')
    const created: string[] = []
    for (const exception of exceptions) {
      const given = readMembers(kind.fields, kind.title, exceptionFor(exception, comments))
      const { object } = await configuration.change(call.author, (snapshot) => {
        // Role and service may be others than when the request arrived.
        if (!roles.permissionsOf(call.author).mayReachKind(kind, undefined, 'write'))
          throw forbidden(kind.title, 'write')
        const { path } = serviceNamed(deps, name, call.author, 'write')
        return planCreation(snapshot, kind, path, { given, settled: {}, behaviour: undefined })
      })
      created.push(object.path.at(-1) ?? '')
    }
    return created
  }

  return {
    method: 'POST',
    path: 'refused-requests/{id}/smallest-exception',
    mayBeDone,
    description: {
      operationId: 'findSmallestException',
      summary:
        'Find the smallest exception with which a refused request passes, and create it where that is asked for',
      tags: ['Rule Exception'],
      requestBody: describedBody(title, fields),
      responses: {
        200: jsonReply('The exception, and what else it would let through.', smallestExceptionReply),
        201: jsonReply('It was created.', smallestExceptionReply),
      },
    },
    handle,
  }
}

/** Whether the request itself passed, where it was tried; and how many others would. */
function countedBeside({ tried }: MadeTrial, id: string) {
  const through = tried.filter(({ now, candidate }) => !now.passes && candidate.passes)
  return {
    passes: tried.find((one) => one.id === id)?.candidate.passes,
    others: through.filter((one) => one.id !== id).length,
  }
}

function nothingMore(id: string, { name }: ConfigurationObject) {
  return {
    id,
    service: name,
    exceptions: [],
    passes: 'Already',
    'also-would-pass': '',
    reason: 'Exceptions that are there let it through.',
    created: [],
  }
}

function unhelpful(wasRefusedForScore: boolean) {
  return {
    passes: 'No',
    reason: wasRefusedForScore
      ? 'What the rules found lies in no part of a request that an exception can name.'
      : 'It was not refused for what rules found; exceptions concern rules alone.',
  }
}

function membersOf({ url, rule, target }: LeftOut): Body {
  return { url, rule, ...(target === undefined ? {} : { target }) }
}

function toldException({ url, rule, target }: LeftOut) {
  return { url, rule: String(rule), target: target ?? '' }
}
