/** The texts of the overview. */
export const texts = {
  title: 'Overview',
  attention: 'Needs attention',
  quiet: 'Nothing needs attention.',
  quietLead: 'All services work.',
  since: 'since',
  remedy: 'What helps',
  mend: 'Go and mend it',
  services: 'Services',
  nothingGranted: 'Nobody has granted you anything to see yet. An owner can do so.',
  fine: 'works',
  attentionOf: 'needs attention',
  critical: 'critical',
  warning: 'warning',
  info: 'for information',
  names: { firewall: 'Firewall', awareness: 'Awareness', backup: 'Backup', email: 'Email' },
  dots: {
    firewall: {
      one: 'application served',
      good: 'applications served',
      bad: 'with servers down',
      none: 'No application is protected yet.',
    },
    backup: {
      one: 'agent online',
      good: 'agents online',
      bad: 'offline',
      none: 'No computer is backed up yet.',
    },
    email: {
      one: 'domain verified',
      good: 'domains verified',
      bad: 'not verified',
      none: 'There is no domain yet.',
    },
  },
  passive: (count: number) =>
    count === 1
      ? '1 is Passive: attacks reach it, and are only logged.'
      : `${count} are Passive: attacks reach them, and are only logged.`,
  withoutSet: (count: number) =>
    count === 1
      ? '1 has no backup set: nothing backs it up by itself.'
      : `${count} have no backup set: nothing backs them up by itself.`,
  which: 'Which?',
  chooseBackedUp: 'Choose what is backed up',
  lastDay: 'Last 24 hours',
  lastDayAtLeast: 'Last 24 hours, at least',
  requests: 'requests',
  blocked: 'findings blocked',
  tasksDone: (count: number) => (count === 1 ? 'backup or restore done' : 'backups and restores done'),
  noneFailed: 'none failed',
  failed: 'failed',
  protect: 'Protect an application',
  whyRefused: 'Why was a visitor refused?',
  backUp: 'Back a computer up',
  getBack: 'Get a computer back',
  getThisBack: (name: string) => `Get ${name} back`,
  campaign: 'Newest campaign',
  noCampaign: 'There is no campaign yet.',
  opened: 'opened',
  clicked: 'clicked',
  reported: 'reported',
  more: 'and more',
} as const
