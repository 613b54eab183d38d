import { shellWord } from '@palisade/sdk'
import { firewallAdministrator } from './firewall-administrator.ts'

/** A call of an API, to be made by curl. */
export interface CurlCall {
  readonly method: string
  /** From the root of the server, with the query. */
  readonly path: string
  /** Options of curl besides: headers and a body, each a word of the shell. */
  readonly options?: readonly string[]
}

/** A call as a line for a shell whose `PALISADE_TOKEN` is an operator's API token. */
export function curlLine({ method, path, options = [] }: CurlCall): string {
  const bearer = '-H "Authorization: Bearer $PALISADE_TOKEN"'
  const verb = method === 'GET' ? [] : ['-X', method]
  const call = [...verb, ...options, shellWord(location.origin + path)].join(' ')
  if (!path.startsWith('/firewall/')) return `curl ${bearer} ${call}`
  // The firewall's management takes tokens of its own administrators alone, which an operator's token opens.
  const issue = shellWord(
    `${location.origin}/admin/v1/firewall/administrators/${firewallAdministrator}/token`,
  )
  return `TOKEN=$(curl -sX POST ${bearer} ${issue} | jq -r .token) && curl -u "$TOKEN:" ${call}`
}
