// Calls all four services with openapi-fetch and the types that openapi-typescript makes of their documents, and prints what
// they answered. The test generated-clients.oracle.test.ts puts it beside those types, checks it against them and runs it.
import createClient from 'openapi-fetch'
import type { paths as AwarenessPaths } from './awareness.ts'
import type { paths as BackupPaths } from './backup.ts'
import type { paths as EmailPaths } from './email.ts'
import type { paths as FirewallPaths } from './firewall.ts'

const { firewall, services, secrets } = JSON.parse(process.argv[2] ?? '')
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function callFirewall() {
  const client = createClient<FirewallPaths>({ baseUrl: firewall })
  const login = await client.POST('/restapi/v3.2/login', { body: secrets.administrator })
  const authorization = `Basic ${btoa(`${login.data?.token}:`)}`
  client.use({ onRequest: ({ request }) => request.headers.set('authorization', authorization) })
  const change = await client.POST('/restapi/v3.2/services', {
    body: { name: 'fetched', 'ip-address': '127.1.0.7', port: 80, type: 'HTTP' },
  })
  const page = await client.GET('/restapi/v3.2/services', { params: { query: { limit: 1 } } })
  const missing = await client.GET('/restapi/v3.2/services/{service_id}', {
    params: { path: { service_id: 'missing' } },
  })
  return {
    changed: change.data?.msg,
    listed: Object.keys(page.data?.data ?? {}),
    refused: [missing.response.status, missing.error?.error.type],
  }
}

async function callAwareness() {
  const client = createClient<AwarenessPaths>({ baseUrl: `${services}/awareness` })
  const { data } = await client.POST('/authenticate', { body: secrets.trainer })
  const headers = { access_token: data?.data.access_token }
  const page = await client.GET('/campaigns/{id}', { params: { path: { id: 0 } }, headers })
  const missing = await client.GET('/campaigns/{id}', { params: { path: { id: 9999 } }, headers })
  return {
    listed: page.data?.data.map(({ name }) => name),
    refused: [missing.response.status, missing.error?.statusMessage],
  }
}

async function callEmail() {
  const client = createClient<EmailPaths>({ baseUrl: `${services}/email` })
  const body = { grant_type: 'client_credentials', ...secrets.email } as const
  const { data } = await client.POST('/oauth2/token', { body, headers: form })
  const headers = { authorization: `${data?.token_type} ${data?.access_token}` }
  const path = { account_id: secrets.account, domain: 'example.org' }
  const page = await client.GET('/beta/accounts/{account_id}/ess/domains', {
    params: { path, query: { page: 0, size: 5 } },
    headers,
  })
  const kind = { direction: 'inbound', action: 'allowed', threatType: 'none', reason: 'none' } as const
  const change = await client.POST('/beta/accounts/{account_id}/ess/domains/{domain}/statistics', {
    params: { path },
    body: { report: 'openapi-fetch', counts: [{ ...kind, at: new Date().toISOString(), count: 1 }] },
    headers,
  })
  const missing = await client.GET('/beta/accounts/{account_id}/ess/domains/{domain}', {
    params: { path: { ...path, domain: 'missing.example' } },
    headers,
  })
  return {
    changed: change.data?.isNew,
    listed: page.data?.results.map(({ domainName }) => domainName),
    refused: [missing.response.status, missing.error?.title],
  }
}

async function callBackup() {
  const client = createClient<BackupPaths>({ baseUrl: `${services}/backup` })
  const body = { grant_type: 'client_credentials', ...secrets.backup } as const
  const { data } = await client.POST('/oauth2/token', { body, headers: form })
  const headers = { authorization: `${data?.token_type} ${data?.access_token}` }
  const path = { account_id: 'acme', computer_id: '0001' }
  const page = await client.GET('/v2/accounts/{account_id}/computers', { params: { path }, headers })
  const change = await client.POST('/v2/accounts/{account_id}/computers/{computer_id}/backupsets', {
    params: { path },
    body: { name: 'openapi-fetch', type: 'Disk_Image', selection: ['%All%'] },
    headers,
  })
  const missing = await client.GET('/v2/accounts/{account_id}/computers/{computer_id}', {
    params: { path: { ...path, computer_id: 'missing' } },
    headers,
  })
  return {
    changed: change.response.status,
    listed: page.data?.map(({ name }) => name),
    refused: [missing.response.status, missing.error?.errors],
  }
}

const answers = {
  firewall: await callFirewall(),
  awareness: await callAwareness(),
  email: await callEmail(),
  backup: await callBackup(),
}
process.stdout.write(JSON.stringify(answers))
