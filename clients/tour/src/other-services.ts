import { answer, clientCredentials, createEmailClient } from '@palisade/sdk'
import { account, secrets } from './configuration.ts'

const json = { 'content-type': 'application/json' }

/** Logs in, creates a service, lists the services, and logs out. */
export async function callFirewall(firewall: string): Promise<string[]> {
  const api = `${firewall}/restapi/v3.2`
  const { token } = await call<{ token: string }>('POST', `${api}/login`, json, {
    username: 'admin',
    password: secrets.administrator,
  })
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
  const service = { name: 'app1', type: 'HTTP', 'ip-address': '127.1.0.1', port: 80 }
  const created = await call<{ msg: string }>('POST', `${api}/services`, { ...headers, ...json }, service)
  const { data } = await call<{ data: object }>('GET', `${api}/services`, headers)
  const { msg } = await call<{ msg: string }>('DELETE', `${api}/logout`, headers)
  return [`firewall: ${created.msg} ${Object.keys(data).join(', ')} is listed. ${msg}`]
}

/** Authenticates and reads the campaigns. */
export async function callAwareness(services: string): Promise<string[]> {
  const api = `${services}/awareness`
  const credentials = { bof_ticket_user: 'tour', bof_ticket_pw: secrets.user, api_key: secrets.apiKey }
  const { statusDetails, data } = await call<{
    statusDetails: { Reason: string }
    data: { access_token: string }
  }>('POST', `${api}/authenticate`, json, credentials)
  const campaigns = await call<{ notifications: Record<string, unknown>; totalRowCount: number }>(
    'GET',
    `${api}/campaigns`,
    { access_token: data.access_token },
  )
  const calls = campaigns.notifications['Your API calls in the last hour']
  return [
    `awareness: ${statusDetails.Reason} ${campaigns.totalRowCount} campaign, ${calls} calls in the last hour`,
  ]
}

/** Gets an access token and lists the domains. */
export async function callEmail(services: string): Promise<string[]> {
  const baseUrl = `${services}/email`
  const authorisation = clientCredentials(baseUrl, { clientId: 'tour', clientSecret: secrets.client })
  const { results, itemsTotal } = await answer(
    createEmailClient({ baseUrl, authorisation }).GET('/beta/accounts/{account_id}/ess/domains', {
      params: { path: { account_id: account } },
    }),
  )
  const domains = results.map(({ domainName, status }) => `${domainName} ${status}`)
  return [`email: ${itemsTotal} domain: ${domains.join(', ')}`]
}

/** Makes a call that has to succeed. The caller says what the reply looks like. */
async function call<Reply>(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Reply> {
  const reply = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${url} was answered with ${reply.status}: ${text}`)
  return JSON.parse(text) as Reply
}
