import { exampleToken as token } from './bodies.ts'
import type { Schema } from './schemas.ts'

/** What the document shows of one operation by way of example. */
interface OperationExample {
  readonly body?: object
  /** The reply without its fresh token. */
  readonly reply?: object
}

const checkpoint = {
  object: 'JSON based Configuration Checkpoints',
  name: 'before-release',
  comment: 'before the new shop',
  date: '2030-01-08T10:00:00.000Z',
  administrator: 'admin',
  automatic: 'No',
  'configuration-version': '12',
}

const differences = {
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

const job = {
  job_id: 'cdc92f3a-3251-4058-9f50-c3044558bb18',
  operation: 'an imported document',
  state: 'succeeded',
  administrator: 'admin',
  started: '2030-01-08T10:00:00.000Z',
  finished: '2030-01-08T10:00:01.000Z',
  messages: ['Configuration updated: 2 objects.'],
}

const carriedOut = { msg: 'Configuration updated: 2 objects.', job_id: job.job_id, data: differences }

/** Of operations that are refused whatever they are asked. */
const neverGiven = { msg: 'This reply is never given.' }

const filename = 'configuration-20300108T100000000Z-v12.backup'

const subject = {
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

const certificate = {
  ...subject,
  allow_private_key_export: 'No',
  elliptic_curve_name: 'secp256r1',
  san_certificate: [],
  expiry: '2032-04-04 00:00:00 GMT',
  serial: '72186A86F3460DFD89D2C4F9A2D5161E',
  type: 'created_certificate',
}

const document = {
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

const profileProposal = {
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

const exceptionProposal = {
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

const refusedRequest = {
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

const profilesCreated = {
  body: { comments: 'learnt in January', profiles: 'Yes', 'second-opinions': 'No' },
  reply: { msg: 'Successfully created.', data: { ...differences, 'changed count': 0, changed: [] } },
}

/** By the names of the operations. */
export const operationExamples: Readonly<Record<string, OperationExample>> = {
  exportConfiguration: {
    body: { 'backup-type': 'partial', name: checkpoint.name },
    reply: {
      object: 'Export JSON based Configuration',
      msg: 'The configuration was exported.',
      data: document,
    },
  },
  importConfiguration: {
    body: { operation: 'Restore', 'json-file-content': document },
    reply: carriedOut,
  },
  listRunningTasks: { reply: { object: 'Running Tasks', data: { [job.job_id]: job } } },
  listCheckpoints: { reply: { object: checkpoint.object, data: { [checkpoint.name]: checkpoint } } },
  createCheckpoint: {
    body: { name: checkpoint.name, comment: checkpoint.comment },
    reply: { id: checkpoint.name, msg: 'Successfully created.' },
  },
  readCheckpoint: { reply: { object: checkpoint.object, data: { [checkpoint.name]: checkpoint } } },
  deleteCheckpoint: { reply: { msg: 'Successfully deleted.' } },
  readCheckpointDifferences: { reply: { object: checkpoint.object, data: differences } },
  rollBackToCheckpoint: { body: { 'dry-run': 'No' }, reply: carriedOut },
  listCertificates: { reply: { object: 'Certificates', data: [certificate] } },
  addCertificate: {
    body: subject,
    reply: { id: certificate.name, msg: 'Successfully created.' },
  },
  readCertificate: { reply: { object: 'Certificates', data: { [certificate.name]: certificate } } },
  removeCertificate: { reply: { msg: 'Successfully deleted.' } },
  obtainCertificate: {
    body: {
      name: 'shop-acme',
      'common-name': 'shop.example.org',
      'san-cert': ['DNS:www.shop.example.org'],
      'multi-cert-trusted-service': 'shop',
      'auto-renew-cert': 'Yes',
      'allow-private-key-export': 'No',
    },
    reply: { id: 'shop-acme', msg: 'Successfully created.' },
  },
  makeBackup: { body: { destination: 'Local' }, reply: { msg: 'The backup was written.', filename } },
  restoreBackup: { body: { source: 'Local', filename }, reply: carriedOut },
  listBackups: {
    reply: {
      object: 'Backups',
      data: { [filename]: { filename, size: '5120', date: '2030-01-08T10:00:00.000Z', source: 'Local' } },
    },
  },
  testBackupConnection: {
    body: { source: 'SMB', 'smb-address': 'smb.example.com' },
    reply: {
      msg: 'The connection was opened; nothing was tried beyond that. (smb.example.com, port 445)',
    },
  },
  generateBackupKey: {
    reply: {
      object: 'Backups',
      data: { Backups: { 'backup-encryption-key': 'Yt6kAX6uVvZ0mQhP4yXo2fBvJx1nSg9dRc7wEtLk3aM' } },
    },
  },
  importOpenApi: {
    body: { operation: 'apply_saved', 'service-name': 'shop', 'api-spec-name': 'orders' },
    reply: { id: 'orders', msg: 'Configuration updated', data: differences },
  },
  checkForUpdate: {
    body: { type: 'attackdef' },
    reply: {
      msg: 'No update of attackdef is available: definitions come with releases of this system.',
    },
  },
  applyUpdate: { body: { type: 'attackdef' }, reply: neverGiven },
  listLockedOutClients: {
    reply: {
      object: 'Locked out Clients',
      data: {
        shop: {
          '192.0.2.20': {
            object: 'Locked out Clients',
            client: '192.0.2.20',
            type: 'Client IP',
            reason: 'too many requests',
            'locked-until': '2030-01-08T10:05:00.000Z',
          },
        },
      },
    },
  },
  releaseLockedOutClients: { reply: { msg: 'Successfully deleted. Lockouts that ended: 1.' } },
  listProfileProposals: {
    reply: { object: profileProposal.object, data: { [profileProposal.id]: profileProposal } },
  },
  acceptProfileProposals: profilesCreated,
  forgetProfileProposals: { reply: { msg: 'Successfully deleted.' } },
  getProfileProposal: {
    reply: { object: profileProposal.object, data: { [profileProposal.id]: profileProposal } },
  },
  acceptProfileProposal: profilesCreated,
  listRuleExceptionProposals: {
    reply: { object: exceptionProposal.object, data: { [exceptionProposal.id]: exceptionProposal } },
  },
  getRuleExceptionProposal: {
    reply: { object: exceptionProposal.object, data: { [exceptionProposal.id]: exceptionProposal } },
  },
  getRefusedRequest: {
    reply: { object: refusedRequest.object, data: { [refusedRequest.id]: refusedRequest } },
  },
  replayRuleExceptions: {
    reply: {
      object: 'Rule Exception Replay',
      data: {
        since: '2029-12-09T10:00:00.000Z',
        'requests-refused': '3',
        'requests-let-through': '1',
        clients: '1',
        requests: exceptionProposal['seen-requests'].map(({ 'passes-alone': _, ...request }) => request),
      },
    },
  },
  findSmallestException: {
    body: { apply: 'No', comments: 'people write about databases' },
    reply: {
      object: 'Smallest Exception',
      data: {
        id: refusedRequest.id,
        service: 'shop',
        exceptions: [{ url: '/comments', rule: '942100', target: 'ARGS:text' }],
        passes: 'By its score',
        'also-would-pass': '',
        reason: 'The service "shop" keeps no requests: switch on its stored-traffic.',
        created: [],
      },
    },
  },
  getStoredRequests: {
    reply: {
      object: 'Stored Requests',
      data: {
        'rule-sets': ['debian', '4.20.0'],
        requests: '0',
        'refused-requests': '0',
        kilobytes: '0',
        oldest: '',
        newest: [],
      },
    },
  },
  deleteStoredRequests: { reply: { msg: 'Successfully deleted.' } },
  tryStoredRequests: {
    body: { 'rule-set': '4.20.0' },
    reply: {
      object: 'Stored Request Trial',
      data: {
        'requests-tried': '310',
        'refused-now': '12',
        'would-pass': '1',
        'would-be-refused': '0',
        'rule-set': { name: '4.20.0', release: 'OWASP_CRS/4.20.0', rules: '340', notice: '' },
        requests: [
          {
            id: refusedRequest.id,
            time: refusedRequest.time,
            'client-ip': '192.0.2.20',
            method: 'POST',
            url: '/comments',
            outcome: 'Would pass',
            found: [
              {
                rule: '942100',
                target: 'ARGS:text',
                attack: 'SQL Injection Attack Detected via libinjection',
                'attack-detail': 'SQL injection',
              },
            ],
          },
        ],
      },
    },
  },
  getTrafficHistory: {
    reply: {
      object: 'Traffic History',
      data: {
        'step-minutes': 1,
        times: ['2030-01-08T09:59:00.000Z', '2030-01-08T10:00:00.000Z'],
        services: { shop: { requests: [12, 3], attacks: [0, 1] } },
      },
    },
  },
  acceptRuleExceptionProposal: {
    body: { comments: 'people write about databases' },
    reply: { id: `rule-942100-${exceptionProposal.id}`, msg: 'Successfully created.' },
  },
  rejectRuleExceptionProposal: { reply: { msg: 'Successfully deleted.' } },
}

/** The operation with its example beside the schemas of its body and of its reply. */
export function withOperationExample(operation: Schema, { body, reply }: OperationExample): Schema {
  const { requestBody, responses } = operation
  const ofReply = reply && { ...reply, token }
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: withExample(requestBody, body) }),
    responses: Object.fromEntries(
      Object.entries(Object(responses)).map(([status, response]) => [status, withExample(response, ofReply)]),
    ),
  }
}

/** @param holder a body or a reply; files in it are shown by nothing */
function withExample(holder: unknown, example: object | undefined): object {
  const { content, ...rest } = Object(holder)
  if (content === undefined || example === undefined) return { ...rest, ...(content ? { content } : {}) }
  const media = Object.entries(Object(content)).map(([type, of]) => [
    type,
    /json|form/.test(type) ? { ...Object(of), example } : of,
  ])
  return { ...rest, content: Object.fromEntries(media) }
}
