import { replySchema } from '../../openapi/bodies.ts'
import type { Schema } from '../../openapi/schemas.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

/** A schema of members that are all there. */
export function allThere(
  title: string,
  properties: Readonly<Record<string, Schema>>,
  more: Readonly<Record<string, Schema>> = {},
): Schema {
  return {
    title,
    type: 'object',
    properties: { ...properties, ...more },
    required: Object.keys(properties),
  }
}

/** A request of the log, as a proposal or a replay lists it. */
export const listedRequest = allThere('ListedRequest', {
  id: { ...text, description: 'As `request-id` in the log, and on the page that its client was shown.' },
  time: text,
  'client-ip': text,
  method: text,
  url: text,
  score: text,
  rules: { ...texts, description: 'That fired.' },
  'log-entries': texts,
  'attack-detail': text,
})

const seenRequest = { allOf: [listedRequest, allThere('SeenRequest', { 'passes-alone': text })] }

/** What an administrator is told of a proposed exception. */
export const proposalSchema = allThere(
  'RuleExceptionProposal',
  {
    object: text,
    id: text,
    url: text,
    rule: text,
    target: { ...text, description: 'Empty where the rule would be left out wholly.' },
    accepted: text,
    rejected: text,
    requests: text,
    'lets-through-alone': text,
    'together-with': texts,
    clients: text,
    'client-ips': texts,
    'first-seen': text,
    'last-seen': text,
    evidence: text,
    'speaks-against': texts,
    'seen-requests': { type: 'array', items: seenRequest },
  },
  { 'rule-exception': { ...text, description: 'The exception that was created, where one was.' } },
)

/** The reply that shows proposals, by id. */
export const proposalsReply = replySchema(
  'RuleExceptionProposalReply',
  { object: text, data: { type: 'object', additionalProperties: proposalSchema } },
  ['object', 'token'],
)
