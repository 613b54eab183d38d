// What the examples of several operations show.

export const checkpoint = {
  object: 'JSON based Configuration Checkpoints',
  name: 'before-release',
  comment: 'before the new shop',
  date: '2030-01-08T10:00:00.000Z',
  administrator: 'admin',
  automatic: 'No',
  'configuration-version': '12',
}

export const differences = {
  'added count': 1,
  'changed count': 1,
  'removed count': 0,
  added: [{ kind: 'service', path: ['shop'] }],
  changed: [
    {
      kind: 'service',
      path: ['intranet'],
      changes: [{ member: 'session-timeout', old: 60, new: 300 }],
    },
  ],
  removed: [],
}

export const job = {
  job_id: 'cdc92f3a-3251-4058-9f50-c3044558bb18',
  operation: 'an imported document',
  state: 'succeeded',
  administrator: 'admin',
  started: '2030-01-08T10:00:00.000Z',
  finished: '2030-01-08T10:00:01.000Z',
  messages: ['Configuration updated: 2 objects.'],
}

export const carriedOut = { msg: 'Configuration updated: 2 objects.', job_id: job.job_id, data: differences }

/** Of operations that are refused whatever they are asked. */
export const impossibleReply = { msg: 'This reply is never given.' }

export const filename = 'configuration-20300108T100000000Z-v12.backup'

export const subject = {
  name: 'www.example.com',
  common_name: 'www.example.com',
  country_code: 'DE',
  city: 'Innsbruck',
  key_size: '2048',
  key_type: 'RSA',
  organization_name: 'Example',
  organizational_unit: 'IT',
  state: 'Tyrol',
}

export const certificate = {
  ...subject,
  allow_private_key_export: 'No',
  elliptic_curve_name: 'secp256r1',
  san_certificate: [],
  expiry: '2032-04-04 00:00:00 GMT',
  serial: '72186A86F3460DFD89D2C4F9A2D5161E',
  type: 'created_certificate',
}

export const document = {
  format: 'palisade-firewall-configuration',
  'format-version': 1,
  'configuration-version': 12,
  administrators: [{ name: 'admin', role: 'admin' }],
  scope: 'partial',
  since: checkpoint.name,
  objects: {
    service: [
      { path: ['shop'], members: { 'ip-address': '192.0.2.10', 'app-id': 'shop', 'session-timeout': 300 } },
    ],
  },
  removed: {},
}

export const profileProposal = {
  object: 'Profile Proposal',
  id: '3f1c5a7b9d2e4c60',
  url: '/login',
  'extended-match': '*',
  accepted: 'No',
  requests: '240',
  clients: '2',
  'client-ips': ['192.0.2.20', '192.0.2.21'],
  days: '3',
  'first-seen': '2030-01-06T09:00:00.000Z',
  'last-seen': '2030-01-08T10:00:00.000Z',
  evidence: 'Enough',
  'allowed-methods': ['GET', 'POST'],
  'allowed-content-types': ['application/x-www-form-urlencoded'],
  'longest-content': '64',
  'max-content-length': '128',
  'maximum-upload-files': '0',
  parameters: [
    {
      parameter: 'user',
      requests: '120',
      clients: '2',
      'longest-value': '12',
      evidence: 'Enough',
      accepted: 'No',
      type: 'Input',
      'parameter-class': 'Generic',
      'max-value-length': '24',
      'allowed-metachars': '',
    },
  ],
  'second-opinions': [],
}

export const exceptionProposal = {
  object: 'Rule Exception Proposal',
  id: '7d2e9c041b5f8a36',
  url: '/comments',
  rule: '942100',
  target: 'ARGS:text',
  accepted: 'No',
  rejected: 'No',
  requests: '1',
  'lets-through-alone': '1',
  'together-with': [],
  clients: '1',
  'client-ips': ['192.0.2.20'],
  'first-seen': '2030-01-08T10:00:00.000Z',
  'last-seen': '2030-01-08T10:00:00.000Z',
  evidence: 'Little',
  'speaks-against': [],
  'seen-requests': [
    {
      id: '19b9b4b2f8e',
      time: '2030-01-08T10:00:00.000Z',
      'client-ip': '192.0.2.20',
      method: 'POST',
      url: '/comments',
      score: '5',
      rules: ['942100'],
      'log-entries': ['19b9b4b2f8e-1'],
      'attack-detail': 'SQL injection',
      'passes-alone': 'Yes',
    },
  ],
}

export const refusedRequest = {
  object: 'Refused Request',
  id: '19b9b4b2f8e',
  time: '2030-01-08T10:00:00.000Z',
  service: 'shop',
  'client-ip': '192.0.2.20',
  method: 'POST',
  protocol: 'HTTP/1.1',
  host: 'shop.example.org',
  url: '/comments',
  'query-string': '',
  referer: '',
  'user-agent': 'Mozilla/5.0',
  action: 'DENY',
  score: '5',
  threshold: '5',
  findings: [
    {
      'log-entry': '19b9b4b2f8e-1',
      target: 'ARGS:text',
      rule: '942100',
      'rule-type': 'Core Rule Set',
      attack: 'SQL Injection Attack Detected via libinjection',
      'attack-category': 'SQL Attacks',
      severity: 'Critical',
      action: 'DENY',
      'attack-detail': 'SQL injection',
      proposal: exceptionProposal.id,
    },
  ],
  'passes-now': 'No',
  exceptions: [exceptionProposal.id],
  proposals: [exceptionProposal],
}

export const profilesCreated = {
  body: { comments: 'learnt in January', profiles: 'Yes', 'second-opinions': 'No' },
  reply: { msg: 'Successfully created.', data: { ...differences, 'changed count': 0, changed: [] } },
}
