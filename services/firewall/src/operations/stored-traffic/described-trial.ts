import { replySchema } from '../../openapi/bodies.ts'
import { allThere } from '../rule-exceptions/described-proposal.ts'

const text = { type: 'string' } as const

const findingSchema = allThere('StoredRequestFinding', {
  rule: text,
  target: text,
  attack: text,
  'attack-detail': { ...text, description: 'Masked as in the log.' },
})

const triedRequest = allThere('TriedRequest', {
  id: { ...text, description: 'As `request-id` in the log.' },
  time: text,
  'client-ip': text,
  method: text,
  url: text,
  outcome: { ...text, description: '`Would pass` or `Would be refused`.' },
  found: { type: 'array', items: findingSchema, description: 'Why it is refused now, or would be.' },
})

const triedRules = allThere('TriedRuleSet', {
  name: text,
  release: { ...text, description: 'As its rules call it; empty where they do not.' },
  rules: { ...text, description: 'How many there are.' },
  notice: { ...text, description: 'What works otherwise than it reads; empty for nothing.' },
})

/** What came of a trial. */
export const trialSchema = allThere(
  'StoredRequestTrial',
  {
    'requests-tried': { ...text, description: 'Stored requests that were judged, as in Active mode.' },
    'refused-now': { ...text, description: 'Of these, those that the service refuses as it is.' },
    'would-pass': { ...text, description: 'Of these, those that would pass.' },
    'would-be-refused': { ...text, description: 'Requests that pass now and would be refused.' },
    requests: { type: 'array', items: triedRequest, description: 'Those that would be met otherwise.' },
  },
  { 'rule-set': triedRules },
)

/** The reply of a trial. */
export const trialReply = replySchema('StoredRequestTrialReply', { object: text, data: trialSchema }, [
  'object',
  'data',
  'token',
])

const storedRequest = allThere('StoredRequest', {
  id: text,
  time: text,
  'client-ip': text,
  method: text,
  url: { ...text, description: 'With its query, masked.' },
  headers: { type: 'array', items: text, description: 'Masked.' },
  body: { ...text, description: 'Masked; empty where there is none.' },
  refused: text,
})

/** The reply that tells what is kept of a service. */
export const storedRequestsReply = replySchema(
  'StoredRequestsReply',
  {
    object: text,
    data: allThere('StoredRequests', {
      'rule-sets': {
        type: 'array',
        items: text,
        description: 'The names of rule sets that the proxies which report can try.',
      },
      requests: text,
      'refused-requests': text,
      kilobytes: text,
      oldest: { ...text, description: 'Empty where there is none.' },
      newest: { type: 'array', items: storedRequest, description: 'The refused ones first.' },
    }),
  },
  ['object', 'data', 'token'],
)

const exception = allThere('SmallestException', {
  url: text,
  rule: text,
  target: { ...text, description: 'Empty where the rule would be left out wholly.' },
})

/** The reply that tells the smallest exception for a request. */
export const smallestExceptionReply = replySchema(
  'SmallestExceptionReply',
  {
    object: text,
    data: allThere(
      'SmallestExceptions',
      {
        id: text,
        service: text,
        exceptions: { type: 'array', items: exception, description: 'Those that it needs; often one.' },
        passes: {
          ...text,
          description:
            '`Yes` or `No` where the request is stored and was judged with them; `By its score` where only its log says so; `Already` where none are needed.',
        },
        'also-would-pass': {
          ...text,
          description: 'How many other stored requests would pass with them; empty where nothing was tried.',
        },
        reason: { ...text, description: 'Why there is no exception, or nothing was tried: a sentence.' },
        created: {
          type: 'array',
          items: text,
          description: 'The names of the exceptions that were created.',
        },
      },
      { trial: trialSchema },
    ),
  },
  ['object', 'data', 'token'],
)
