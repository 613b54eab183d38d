import {
  carriedOut,
  certificate,
  checkpoint,
  differences,
  document,
  exceptionProposal,
  filename,
  impossibleReply,
  job,
  profileProposal,
  profilesCreated,
  refusedRequest,
  subject,
} from './example-objects.ts'

/** What the document shows of one operation by way of example. */
export interface OperationExample {
  readonly body?: object
  /** The reply without its fresh token. */
  readonly reply?: object
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
  applyUpdate: { body: { type: 'attackdef' }, reply: impossibleReply },
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
