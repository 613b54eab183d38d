import { provisioned } from '../programs/server.ts'
import { owner } from './owner.ts'

/** Who may only read. */
export const auditor = {
  username: 'grace',
  displayName: 'Grace Hopper',
  password: 'another long password',
  grants: [{ role: 'auditor' }],
} as const

const dayMs = 86_400_000

/** A moment in UTC as the awareness service writes it. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** An installation of which every page of administration, awareness and email has something to show. */
export const fullInstallation = {
  ...provisioned,
  administration: {
    attentionSeconds: 1,
    operators: [owner, auditor],
    notifications: {
      channels: [{ name: 'of-the-file', syslog: { host: 'log.example.org' } }],
      routes: [{ channels: ['of-the-file'], severities: ['critical'] }],
    },
  },
  awareness: {
    ...provisioned.awareness,
    campaigns: [
      [7, 'Parcel', 90, 400, 240, 96, 31, 20],
      [8, 'Invoice', 60, 410, 235, 70, 22, 61],
      [9, 'Pay rise', 30, 420, 260, 48, 9, 140],
    ].map(([id, name, days, sent, opened, clicked, submitted, reported]) => ({
      id,
      name,
      status: 'Completed',
      created: daysAgo(Number(days) + 3),
      launched: daysAgo(Number(days)),
      completed: daysAgo(Number(days) - 10),
      sent,
      opened,
      clicked,
      submitted,
      reported,
    })),
  },
}
