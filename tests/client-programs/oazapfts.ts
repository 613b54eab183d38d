// Calls all four services with the functions that oazapfts makes of their documents, and prints what they answered. The test
// generated-clients.oracle.test.ts puts it beside those functions, checks it against them and runs it.
import { ok } from '@oazapfts/runtime'
import * as awareness from './awareness.ts'
import * as backup from './backup.ts'
import * as email from './email.ts'
import * as firewall from './firewall.ts'

const { firewall: firewallUrl, services, secrets } = JSON.parse(process.argv[2] ?? '')

async function callFirewall() {
  firewall.defaults.baseUrl = firewallUrl
  const { token } = await ok(firewall.login(secrets.administrator))
  firewall.defaults.headers = { authorization: `Basic ${btoa(`${token}:`)}` }
  const service = { name: 'fetched', 'ip-address': '127.1.0.7', port: 80, type: 'HTTP' } as const
  const { msg } = await ok(firewall.createService(service))
  const { data = {} } = await ok(firewall.listServices({ limit: 1 }))
  const missing = await firewall.getService('missing')
  return {
    changed: msg,
    listed: Object.keys(data),
    refused: [missing.status, 'error' in missing.data && missing.data.error.type],
  }
}

async function callAwareness() {
  awareness.defaults.baseUrl = `${services}/awareness`
  const { data } = await ok(awareness.authenticate(secrets.trainer))
  awareness.defaults.headers = { access_token: data.access_token }
  const page = await ok(awareness.getCampaign(0))
  const missing = await awareness.getCampaign(9999)
  return {
    listed: page.data.map(({ name }) => name),
    refused: [missing.status, missing.data.statusMessage],
  }
}

async function callEmail() {
  email.defaults.baseUrl = `${services}/email`
  const grant = { grant_type: 'client_credentials', ...secrets.email } as const
  const { token_type, access_token } = await ok(email.requestAccessToken(grant))
  email.defaults.headers = { authorization: `${token_type} ${access_token}` }
  const { results } = await ok(email.listDomains(secrets.account, { page: 0, size: 5 }))
  const kind = { direction: 'inbound', action: 'allowed', threatType: 'none', reason: 'none' } as const
  const count = { ...kind, at: new Date().toISOString(), count: 1 }
  const report = { report: 'oazapfts', counts: [count] }
  const { isNew } = await ok(email.reportDomainMail(secrets.account, 'example.org', report))
  const missing = await email.getDomain(secrets.account, 'missing.example')
  return {
    changed: isNew,
    listed: results.map(({ domainName }) => domainName),
    refused: [missing.status, 'title' in missing.data && missing.data.title],
  }
}

async function callBackup() {
  backup.defaults.baseUrl = `${services}/backup`
  const grant = { grant_type: 'client_credentials', ...secrets.backup } as const
  const { token_type, access_token } = await ok(backup.requestAccessToken(grant))
  backup.defaults.headers = { authorization: `${token_type} ${access_token}` }
  const computers = await ok(backup.listComputers('acme'))
  const created = await backup.createBackupSet('acme', '0001', {
    name: 'oazapfts',
    type: 'Disk_Image' as const,
    selection: ['%All%'],
  })
  const missing = await backup.getComputer('acme', 'missing')
  return {
    changed: created.status,
    listed: computers.map(({ name }) => name),
    refused: [missing.status, 'errors' in missing.data && missing.data.errors],
  }
}

const answers = {
  firewall: await callFirewall(),
  awareness: await callAwareness(),
  email: await callEmail(),
  backup: await callBackup(),
}
process.stdout.write(JSON.stringify(answers))
