import { Type } from 'typebox'
import type { CampaignPage } from './campaigns.ts'
import { timestampOf } from './timestamp.ts'

/** What each reply tells about the token and the calls (specification, "Response envelope"). */
const Notifications = Type.Object({
  'API Token Expiration Date': Type.String({ description: 'YYYY-MM-DD HH:MM:SS in UTC, or N/A' }),
  'Maximum API calls per hour': Type.Integer(),
  'Your API calls in the last hour': Type.Integer(),
})

const status = Type.Integer({ description: 'HTTP status code' })

export const AuthenticationEnvelope = Type.Object(
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

export const CampaignsEnvelope = Type.Object(
  {
    status,
    statusMessage: Type.String(),
    statusDetails: Type.Object({ 'Total Results': Type.Integer() }),
    entity: Type.String(),
    jobid: Type.Integer(),
    notifications: Notifications,
    totalRowCount: Type.Integer({ description: 'campaigns that were asked for, on all pages' }),
    remainingRowCount: Type.Integer({ description: 'campaigns after this page' }),
    maxIdReturned: Type.Integer({ description: 'the afterid of the next page' }),
    data: Type.Array(
      Type.Object({
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
      }),
    ),
  },
  { title: 'CampaignsEnvelope' },
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
