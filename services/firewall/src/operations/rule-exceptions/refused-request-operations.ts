import { isStorableText, RequestRefused } from '@palisade/platform'
import type { FastifyReply } from 'fastify'
import type { Permissions } from '../../access/permissions.ts'
import type { Author } from '../../changes/author.ts'
import type { ExceptionProposals } from '../../exceptions/exception-proposals.ts'
import type { JudgedRequest } from '../../exceptions/judged-requests.ts'
import type { Proposal } from '../../exceptions/proposal.ts'
import type { RejectedProposals } from '../../exceptions/rejected-proposals.ts'
import { fewestExceptions, requestsLetThrough } from '../../exceptions/replay.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { storedLog } from '../../logs/columns.ts'
import type { LogStore } from '../../logs/log-store.ts'
import { entryOf } from '../../logs/rows.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { jsonReply } from '../../openapi/bodies.ts'
import { refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { untilClosed } from '../../rest/until-closed.ts'
import { answer } from '../body.ts'
import { calledService, serviceNamed } from '../called-service.ts'
import { entryLimit, type LimitDependencies } from '../logs/entry-limits.ts'
import { refusedRequestReply, replayReply } from './described-refused-request.ts'
import { acceptedAs, listedRequestReply, proposalReply } from './proposal-reply.ts'

const requestTitle = 'Refused Request'
const replayTitle = 'Rule Exception Replay'
const tags = ['Rule Exception']

const log = storedLog('web-firewall')
/** Entries of one request are written together; its findings may be delayed by what the answer took. */
const requestDurationMs = 10 * 60_000
const entriesOfRequestMax = 200
/** How many exceptions are replayed together, and how many requests a replay lists. */
const replayedMax = 100
const listedMax = 1_000

/** What the operations work with. */
export interface RefusedRequestDependencies extends LimitDependencies {
  readonly proposals: ExceptionProposals
  readonly rejected: RejectedProposals
  readonly logs: LogStore
}

type Entry = Readonly<Record<string, string>>

/**
 * `refused-requests/{id}`: why a request was refused, or would be in Active mode, and the exceptions with which it would pass; and
 * `services/{service}/rule-exception-replay`: which requests of the log exceptions would have let through. These addresses are our own.
 */
export function refusedRequestOperations(deps: RefusedRequestDependencies): readonly SpecialOperation[] {
  const { configuration, catalogue, proposals, rejected } = deps
  const exceptionKind = catalogue.get('rule-exception')
  const mayRead = (permissions: Permissions) =>
    permissions.mayPerform('view-aps-logs') &&
    exceptionKind !== undefined &&
    permissions.mayReachKind(exceptionKind, undefined, 'read')

  async function explain(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const { id = '' } = call.names
    const entries = await entriesOfRequest(deps, id, call)
    const [first] = entries
    if (first === undefined) {
      throw new ConfigurationRefused({
        code: 'not-found',
        what: `request ${JSON.stringify(id)} in the ${log.segment}`,
      })
    }
    const service = serviceIfThere(first['service-name'] ?? '', call.author)
    const traffic = service && (await proposals.of(service, configuration.snapshot, untilClosed(call.reply)))
    const judged = traffic?.requests.find((request) => request.id === id)
    const about = (traffic?.proposals ?? []).filter(({ requests }) =>
      requests.some(({ request }) => request === judged),
    )
    const accepted = new Set(about.filter((proposal) => service && acceptedAs(service, proposal)))
    const fewest = judged && fewestExceptions(judged, about, accepted)
    const rejectedIds = service ? await rejected.of(service.name) : new Set<string>()
    const data = {
      object: requestTitle,
      id,
      ...toldRequest(first, entries, judged),
      findings: entries.map((entry) => toldFinding(entry, about)),
      'passes-now': fewest?.length === 0 ? 'Yes' : 'No',
      exceptions: (fewest ?? []).map((proposal) => proposal.id),
      proposals: about.flatMap((proposal) =>
        service ? [proposalReply(proposal, service, rejectedIds)] : [],
      ),
    }
    return answer(call, { object: requestTitle, data: { [id]: data } })
  }

  /** The service; undefined when it was deleted since. */
  function serviceIfThere(name: string, author: Author): ConfigurationObject | undefined {
    try {
      return serviceNamed(deps, name, author, 'read')
    } catch (error) {
      if (error instanceof ConfigurationRefused) return undefined
      throw error
    }
  }

  async function replay(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, ['exceptions'])
    const ids = idsIn(call.request.query.exceptions)
    const service = calledService(deps, call, 'read')
    const traffic = await proposals.of(service, configuration.snapshot, untilClosed(call.reply))
    const chosen = ids.map((id) => proposalNamed(traffic.proposals, id))
    const accepted = traffic.proposals.filter((proposal) => acceptedAs(service, proposal) !== undefined)
    const others = accepted.filter((proposal) => !chosen.includes(proposal))
    const through = requestsLetThrough(traffic.proposals, chosen, others)
    const data = {
      since: new Date(traffic.since).toISOString(),
      'requests-refused': String(traffic.requests.length),
      'requests-let-through': String(through.length),
      clients: String(new Set(through.map(({ client }) => client)).size),
      requests: through.slice(0, listedMax).map(listedRequestReply),
    }
    return answer(call, { object: replayTitle, data })
  }

  return [
    {
      method: 'GET',
      path: 'refused-requests/{id}',
      mayBeDone: mayRead,
      description: {
        operationId: 'getRefusedRequest',
        summary: 'Tell why a request was refused, or would have been in Active mode',
        tags,
        responses: { 200: jsonReply('The request, by its id.', refusedRequestReply) },
      },
      handle: explain,
    },
    {
      method: 'GET',
      path: 'services/{service}/rule-exception-replay',
      mayBeDone: mayRead,
      description: {
        operationId: 'replayRuleExceptions',
        summary: 'Tell which requests of the log proposed exceptions would have let through',
        tags,
        parameters: [
          {
            name: 'exceptions',
            in: 'query',
            required: true,
            description: `Ids of proposals, with commas between them; at most ${replayedMax}.`,
            schema: { type: 'string' },
          },
        ],
        responses: { 200: jsonReply('The requests, newest first.', replayReply) },
      },
      handle: replay,
    },
  ]
}

/** The entries that the author may read of a request, oldest first. */
export async function entriesOfRequest(
  deps: LimitDependencies & { readonly logs: LogStore },
  id: string,
  { author, reply }: Call,
): Promise<readonly Entry[]> {
  if (!isStorableText(id) || id === '') return []
  const readable = entryLimit(deps, author, log.name)
  const ofRequest = JSON.stringify({ 'request-id': id }).slice(1, -1)
  const search = {
    conditions: [],
    texts: [],
    limit: {
      columns: [...new Set(['document', ...(readable?.columns ?? [])])],
      allows: (row: Parameters<NonNullable<typeof readable>['allows']>[0]) =>
        String(row.document).includes(ofRequest) && (readable?.allows(row) ?? true),
    },
  }
  const signal = untilClosed(reply)
  const [newest] = await deps.logs.search(log.name, { ...search, times: [] }, { offset: 0, limit: 1 }, signal)
  if (newest === undefined) return []
  const time = Number(entryOf(log, newest, new Set(['time'])).time)
  const times = [{ from: time - requestDurationMs, to: time + requestDurationMs }]
  const rows = await deps.logs.search(
    log.name,
    { ...search, times },
    { offset: 0, limit: entriesOfRequestMax },
    signal,
  )
  return rows.map((row) => entryOf(log, row, undefined)).reverse()
}

function toldRequest(first: Entry, entries: readonly Entry[], judged: JudgedRequest | undefined): object {
  const refusing = entries.find(({ action }) => action !== 'LOG')
  const same = ['client-ip', 'method', 'protocol', 'host', 'url', 'query-string', 'referer', 'user-agent']
  return {
    time: new Date(Number(first.time)).toISOString(),
    service: first['service-name'] ?? '',
    ...Object.fromEntries(same.map((field) => [field, first[field] ?? ''])),
    action: refusing?.action ?? 'LOG',
    score: judged === undefined ? '' : String(judged.score),
    threshold: judged === undefined ? '' : String(judged.threshold),
  }
}

function toldFinding(entry: Entry, about: readonly Proposal[]): object {
  const fields = ['rule', 'rule-type', 'attack', 'attack-category', 'severity', 'action', 'attack-detail']
  const proposal = about.find(({ requests }) =>
    requests.some(({ findings }) => findings.some((finding) => finding.entry === entry.id)),
  )
  return {
    'log-entry': entry.id ?? '',
    target: entry['rule-target'] ?? '',
    ...Object.fromEntries(fields.map((field) => [field, entry[field] ?? ''])),
    proposal: proposal?.id ?? '',
  }
}

function idsIn(given: unknown): readonly string[] {
  const ids = typeof given === 'string' ? given.split(',').filter((id) => id !== '') : []
  if (ids.length > 0 && ids.length <= replayedMax) return ids
  throw new RequestRefused(
    'bad-request',
    `The parameter exceptions must name from 1 to ${replayedMax} proposals by their ids, with commas between them.`,
    { field: 'exceptions' },
  )
}

function proposalNamed(proposals: readonly Proposal[], id: string): Proposal {
  const matchingProposal = proposals.find((proposal) => proposal.id === id)
  if (matchingProposal !== undefined) return matchingProposal
  throw new ConfigurationRefused({ code: 'not-found', what: `rule exception proposal ${JSON.stringify(id)}` })
}
