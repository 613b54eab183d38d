import { withExample } from '@palisade/platform'
import { Type } from 'typebox'
import type { CampaignPage } from './campaigns.ts'
import { timestampOf } from './timestamp.ts'

/** What each reply tells about the token and the calls (specification, "Response envelope"). */
const Notifications = Type.Object(
  {
    'API Token Expiration Date': Type.String({ description: 'YYYY-MM-DD HH:MM:SS in UTC, or N/A' }),
    'Maximum API calls per hour': Type.Integer(),
    'Your API calls in the last hour': Type.Integer(),
  },
  { title: 'Notifications' },
)

const status = Type.Integer({ description: 'HTTP status code' })

const AuthenticationEnvelope = Type.Object(
  {
    status,
    statusMessage: Type.String(),
    statusDetails: Type.Object({ Reason: Type.String() }),
    entity: Type.String(),
    jobid: Type.Integer(),
    notifications: Notifications,
    data: Type.Object({ access_token: Type.String() }),
  },
  { title: 'AuthenticationEnvelope' },
)

const timestamp = Type.Union([Type.String(), Type.Null()], { description: 'YYYY-MM-DD HH:MM:SS in UTC' })

const Campaign = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    status: Type.String(),
    created: timestamp,
    launched: timestamp,
    completed: timestamp,
    sent: Type.Integer(),
    opened: Type.Integer(),
    clicked: Type.Integer(),
    submitted: Type.Integer(),
    reported: Type.Integer(),
  },
  { title: 'Campaign' },
)

const campaignsMembers = {
  status,
  statusMessage: Type.String(),
  statusDetails: Type.Object({ 'Total Results': Type.Integer() }),
  entity: Type.String(),
  jobid: Type.Integer(),
  notifications: Notifications,
  totalRowCount: Type.Integer({ description: 'campaigns that were asked for, on all pages' }),
  remainingRowCount: Type.Integer({ description: 'campaigns after this page' }),
  maxIdReturned: Type.Integer({ description: 'the afterid of the next page' }),
  data: Type.Array(Campaign),
}

/** The body of the service's refusals (specification, "Response envelope"). */
export const RefusalEnvelope = Type.Object(
  {
    status,
    statusMessage: Type.String({ description: 'the reason phrase, without blanks' }),
    statusDetails: Type.Object({ Reason: Type.String() }),
    entity: Type.String(),
    jobid: Type.Integer(),
    notifications: Type.Array(Type.Unknown(), { maxItems: 0 }),
    data: Type.Array(Type.Unknown(), { maxItems: 0 }),
  },
  { title: 'RefusalEnvelope' },
)

/** What a reply tells a user about the calls of the last hour. */
export interface CallCount {
  readonly callsPerHour: number
  readonly callsInLastHour: number
}

/** @param expiresAt when the token in use ends, in milliseconds; undefined while none is in use */
function notificationsOf({ callsPerHour, callsInLastHour }: CallCount, expiresAt: number | undefined) {
  return {
    'API Token Expiration Date': expiresAt === undefined ? 'N/A' : timestampOf(expiresAt),
    'Maximum API calls per hour': callsPerHour,
    'Your API calls in the last hour': callsInLastHour,
  }
}

/** The reply to a successful authentication. It names no expiry: no token is in use yet (specification, "Response envelope"). */
export function authenticationEnvelope(accessToken: string, calls: CallCount) {
  return {
    status: 200,
    statusMessage: 'OK',
    statusDetails: { Reason: 'Authentication created.' },
    entity: 'accesstoken',
    jobid: 0,
    notifications: notificationsOf(calls, undefined),
    data: { access_token: accessToken },
  }
}

/** The status is 206 while there are further pages, and 200 on the last. */
export function campaignsEnvelope(page: CampaignPage, calls: CallCount, expiresAt: number) {
  const isLast = page.remainingRowCount === 0
  return {
    status: isLast ? 200 : 206,
    statusMessage: isLast ? 'OK' : 'PartialContent',
    statusDetails: { 'Total Results': page.totalRowCount },
    entity: 'campaign',
    jobid: 0,
    notifications: notificationsOf(calls, expiresAt),
    ...page,
  }
}

const exampleCalls = { callsPerHour: 1000, callsInLastHour: 3 }
const exampleToken = 'PTJ0rbBwRhkh0yOn1CZbWZ6MUCLIhRqb3MyWdXN4kPo'
const exampleCampaigns = [
  {
    id: 17,
    name: 'Parcel could not be delivered',
    status: 'Completed',
    created: '2030-01-07 08:00:00',
    launched: '2030-01-14 08:00:00',
    completed: '2030-01-21 08:00:00',
    sent: 250,
    opened: 181,
    clicked: 32,
    submitted: 9,
    reported: 74,
  },
]

function exampleOfPage(remainingRowCount: number) {
  const totalRowCount = exampleCampaigns.length + remainingRowCount
  const page = { totalRowCount, remainingRowCount, maxIdReturned: 17, data: exampleCampaigns }
  const envelope = campaignsEnvelope(page, exampleCalls, Date.UTC(2030, 1, 1, 12))
  return { ...envelope, data: exampleCampaigns }
}

/** What `authenticate` answers with. */
export const AuthenticationReply = withExample(
  AuthenticationEnvelope,
  authenticationEnvelope(exampleToken, exampleCalls),
)

/** What listings answer with, by their status. */
export const campaignsReplies = {
  200: withExample(
    Type.Object(campaignsMembers, { title: 'CampaignsEnvelope', 'x-response-description': 'The last page.' }),
    exampleOfPage(0),
  ),
  206: withExample(
    Type.Object(campaignsMembers, {
      title: 'CampaignsEnvelope',
      'x-response-description': 'A page with others behind it.',
    }),
    exampleOfPage(5000),
  ),
}
