import type { Resource } from './resource-command.ts'

/** What operators administer with commands of the same kind for each. */
export const operators: Resource = {
  words: 'operators',
  path: '/operators',
  description: 'who administers Palisade',
  columns: ['username', 'displayName', 'grants', 'secondFactor', 'isDisabled', 'lastLoginAt'],
  example: {
    id: 'ada',
    list: '--order -createdAt',
    create: 'username=ada password=@password.txt grants=operator:backup,auditor',
    set: 'grants=operator:email:5584599',
  },
}

/** Sessions create them; a token creates none. */
export const tokens: Resource = {
  words: 'tokens',
  path: '/operators/{operator}/tokens',
  description: 'API tokens, with which programs call as an operator',
  columns: ['id', 'name', 'grants', 'createdAt', 'usedAt', 'expiresAt'],
  example: {
    id: '7d0f0f0e-52c1-4a0b-9c39-6d1c4c2d5b1f',
    list: '--operator ada',
    create: 'name=terraform grants=operator:backup lifetimeDays=90 --output json',
  },
  isAddedBySession: true,
}

/** They are begun by logins, so here they are listed and deleted. */
export const sessions: Resource = {
  words: 'sessions',
  path: '/operators/{operator}/sessions',
  description: 'sessions of an operator in browsers; to delete one ends it',
  columns: ['id', 'address', 'userAgent', 'createdAt', 'usedAt', 'expiresAt'],
  example: { id: '2f0c1de0-4a3b-4f6c-8f7e-0a9c5d1b2e3f', list: '--operator ada' },
}

/** They are added in a browser, so here they are listed, renamed and deleted. */
export const passkeys: Resource = {
  words: 'operators passkeys',
  path: '/operators/{operator}/passkeys',
  description: 'passkeys of an operator, which a browser adds',
  columns: ['id', 'name', 'createdAt', 'usedAt'],
  example: {
    id: '5b8e4c1a-7d2f-4e09-9a36-1c0f8b7d6e54',
    list: '--operator ada',
    set: 'name="security key"',
  },
}

/** Conditions come and go by themselves, so here they are listed. */
export const attention: Resource = {
  words: 'attention',
  path: '/attention',
  description: 'what somebody should do something about, in all services',
  columns: ['id', 'severity', 'service', 'condition', 'subject', 'since', 'message'],
  example: { id: 'f3b0c442-98fc-4c14-9afb-f4c8996fb924', list: '--severity critical' },
}

/** Their webhook, mail server or syslog receiver is a document, best taken from a file. `test` sends a notification. */
export const channels: Resource = {
  words: 'channels',
  path: '/channels',
  description: 'where notifications of what needs attention are sent',
  columns: ['name', 'kind', 'failingSince', 'failure'],
  example: {
    id: 'ops',
    create: 'name=ops webhook=@webhook.json',
    set: 'webhook=@webhook.json',
  },
  actions: ['test'],
}

/** Each goes to one or several channels. `test` sends a notification to all of them. */
export const routes: Resource = {
  words: 'routes',
  path: '/routes',
  description: 'which notifications are sent to which channels, and when',
  columns: ['id', 'channels', 'severities', 'services', 'quietHours', 'groupSeconds'],
  example: {
    id: '3c0b7f2e-5f0a-4c59-8a53-7b8f5c8d3f10',
    create: 'channels=ops severities=critical',
    set: 'services=backup',
  },
  actions: ['test'],
}

/** Nobody changes them. `--follow` goes on from the last `at`. */
export const auditEntries: Resource = {
  words: 'audit',
  path: '/audit',
  description: 'who changed what, in all services',
  columns: ['id', 'at', 'actor', 'service', 'action', 'target'],
  example: { id: '7d0f0f0e-52c1-4a0b-9c39-6d1c4c2d5b1f', list: '--actor ada --order -at --limit 20' },
  followedBy: 'at',
}

/** Those of the awareness service. */
export const awareness: readonly Resource[] = [
  {
    words: 'awareness users',
    path: '/awareness/users',
    description: 'users of the awareness API',
    columns: ['username', 'permissions', 'managedBy'],
    example: {
      id: 'api@example.org',
      create: 'username=api@example.org password=@password.txt permissions=campaigns,results',
      set: 'permissions=campaigns',
    },
  },
  {
    words: 'awareness keys',
    path: '/awareness/api-keys',
    description: 'API keys of the awareness API',
    columns: ['id', 'name', 'username', 'allowedAddresses', 'managedBy'],
    example: {
      id: '7d0f0f0e-52c1-4a0b-9c39-6d1c4c2d5b1f',
      create: 'name="learning platform" allowedAddresses=192.0.2.0/24',
      set: 'allowedAddresses=192.0.2.0/24,198.51.100.7',
    },
  },
  {
    words: 'awareness campaigns',
    path: '/awareness/campaigns',
    description: 'campaigns and their results',
    columns: ['id', 'name', 'status', 'launched', 'sent', 'opened', 'clicked', 'submitted', 'reported'],
    example: {
      id: '17',
      list: '--status Completed',
      create: 'name="Parcel on its way" status=Queued',
      set: 'status=Completed sent=250 clicked=32',
    },
  },
]

/** Those of the email service. */
export const email: readonly Resource[] = [
  {
    words: 'email accounts',
    path: '/email/accounts',
    description: 'accounts of the email service',
    columns: ['id', 'name', 'region', 'status', 'managedBy'],
    example: { id: '5584599', create: 'id=5584599 name="Example Ltd." region=DE', set: 'status=SUSPENDED' },
  },
  {
    words: 'email domains',
    path: '/email/accounts/{account}/domains',
    description: 'mail domains of an account',
    columns: ['id', 'name', 'status', 'type', 'managedBy'],
    example: { id: '18', parents: '--account 5584599', create: 'name=example.org', set: 'status=DISABLED' },
  },
  {
    words: 'email api-clients',
    path: '/email/api-clients',
    description: 'API clients of the email service, by their client credentials',
    columns: ['clientId', 'accounts', 'scopes', 'formerSecretEndsAt', 'managedBy'],
    example: {
      id: 'reporting',
      create: 'clientId=reporting accounts=5584599 scopes=ess:account:read',
      set: 'accounts=5584599,5584600',
    },
    actions: ['secret'],
  },
]

/** Computers of the backup service: what operators do to them. */
export const backupComputers: Resource = {
  words: 'backup computers',
  path: '/backup/accounts/{account}/computers',
  description: 'computers of an account and their agents',
  columns: ['id', 'name', 'online', 'lastSeenAt', 'deletedAt', 'purgeAt', 'managedBy'],
  example: { id: '0001', parents: '--account acme', create: 'id=0001 name=files01', set: 'name=files02' },
  actions: ['enrolment-key', 'undelete'],
}

/** The others of the backup service. */
export const backup: readonly Resource[] = [
  {
    words: 'backup accounts',
    path: '/backup/accounts',
    description: 'accounts of the backup service',
    columns: ['id', 'deletedAt', 'purgeAt', 'managedBy'],
    example: { id: 'acme', list: '--deleted true', create: 'id=acme' },
    actions: ['undelete'],
  },
  {
    words: 'backup api-clients',
    path: '/backup/api-clients',
    description: 'API clients of the backup service, by their client credentials',
    columns: ['clientId', 'accounts', 'scopes', 'formerSecretEndsAt', 'managedBy'],
    example: {
      id: 'monitoring',
      create: 'clientId=monitoring accounts=acme scopes=accounts_read,computers_read',
      set: 'accounts=acme,example',
    },
    actions: ['secret'],
  },
]
