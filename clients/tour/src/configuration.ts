import { randomBytes } from 'node:crypto'

/** Secrets of this one tour. */
export const secrets = {
  administrator: newSecret(),
  user: newSecret(),
  apiKey: newSecret(),
  client: newSecret(),
  enrolment: newSecret(),
}

/** The id of the account that the tour has in the backup service and in the email service. */
export const account = 'tour'
/** The id of the computer in that account whose agent the tour starts. */
export const computer = '0001'

/** What the tour's server is provisioned with. */
export const configuration = {
  firewall: {
    listen: { http: 0, https: 0 },
    // What the tour shows of the firewall is its management.
    runProxy: false,
    administrators: [{ username: 'admin', password: secrets.administrator, role: 'admin' }],
  },
  services: { listen: { http: 0, https: 0 } },
  awareness: {
    users: [{ username: 'tour', password: secrets.user, permissions: ['campaigns'] }],
    apiKeys: [{ key: secrets.apiKey, username: 'tour', allowedAddresses: ['127.0.0.1'] }],
    campaigns: [{ id: 1, name: 'First campaign', status: 'Completed' }],
  },
  backup: {
    accounts: [
      { id: account, computers: [{ id: computer, name: 'files01', enrolmentKey: secrets.enrolment }] },
    ],
    apiClients: [
      {
        clientId: 'tour',
        clientSecret: secrets.client,
        accounts: [account],
        scopes: ['computers_read', 'computers_write'],
      },
    ],
  },
  email: {
    accounts: [
      {
        id: account,
        name: 'Tour',
        region: 'US',
        domains: [{ id: 1, name: 'example.org', status: 'VERIFIED', type: 'ESS' }],
      },
    ],
    apiClients: [
      { clientId: 'tour', clientSecret: secrets.client, accounts: [account], scopes: ['ess:account:read'] },
    ],
  },
}

function newSecret(): string {
  return randomBytes(18).toString('base64url')
}
