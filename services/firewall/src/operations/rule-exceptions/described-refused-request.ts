import { replySchema } from '../../openapi/bodies.ts'
import { allThere, listedRequest, proposalSchema } from './described-proposal.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

const finding = allThere('RefusedRequestFinding', {
  'log-entry': text,
  rule: text,
  'rule-type': text,
  attack: text,
  'attack-category': text,
  severity: text,
  action: text,
  target: { ...text, description: 'What the rule found it in, as rules name it.' },
  'attack-detail': { ...text, description: 'What was found, masked as in the log.' },
  proposal: {
    ...text,
    description: 'The proposed exception that would leave it out; empty where there is none.',
  },
})

const refusedRequest = allThere('RefusedRequest', {
  object: text,
  id: text,
  time: text,
  service: text,
  'client-ip': text,
  method: text,
  protocol: text,
  host: text,
  url: text,
  'query-string': text,
  referer: text,
  'user-agent': text,
  action: { ...text, description: 'What was done: LOG when the request passed.' },
  score: { ...text, description: 'Empty where it was not refused for its score.' },
  threshold: { ...text, description: 'Below this score it would have passed.' },
  findings: { type: 'array', items: finding },
  'passes-now': { ...text, description: 'Yes when exceptions that are there already let it through.' },
  exceptions: {
    ...texts,
    description: 'Ids of the fewest proposals with which it would pass; none where nothing helps.',
  },
  proposals: { type: 'array', items: proposalSchema },
})

/** The reply that tells of a refused request. */
export const refusedRequestReply = replySchema(
  'RefusedRequestReply',
  { object: text, data: { type: 'object', additionalProperties: refusedRequest } },
  ['object', 'data', 'token'],
)

const replay = allThere('RuleExceptionReplay', {
  since: { ...text, description: 'How far back the log was looked at.' },
  'requests-refused': { ...text, description: 'Of the service, in that time, for what rules found.' },
  'requests-let-through': {
    ...text,
    description: 'Of these, those that the exceptions would have let through.',
  },
  clients: { ...text, description: 'From how many addresses those came.' },
  requests: { type: 'array', items: listedRequest },
})

/** The reply of a replay. */
export const replayReply = replySchema('RuleExceptionReplayReply', { object: text, data: replay }, [
  'object',
  'data',
  'token',
])
