import type { Configuration } from './configuration/schema.ts'
import type { RunningServer } from './serve.ts'

/** What a newcomer may do next, with the addresses of this server; `…` stands for the secrets. */
export function describeFirstSteps(
  { firewall, services }: RunningServer['ports'],
  given: Configuration,
): string {
  const management = `http://${host(given.firewall.listen.host)}:${firewall.http}`
  const base = `http://${host(given.services.listen.host)}:${services.http}`
  const json = `-H 'Content-Type: application/json'`
  return `Palisade is ready.

  firewall    ${management}/restapi/v3.2, and https on port ${firewall.https}
  services    ${base} (${given.awareness.basePath}, ${given.backup.basePath}, ${given.email.basePath}), and https on port ${services.https}

First steps, with the credentials of the first start or of your configuration:

  # log in to the firewall, then list its services with the token
  curl ${management}/restapi/v3.2/login ${json} -d '{"username":"admin","password":"…"}'
  curl ${management}/restapi/v3.2/services -u '…:'

  # an access token of the awareness service
  curl ${base}${given.awareness.basePath}/authenticate ${json} \\
    -d '{"bof_ticket_user":"…","bof_ticket_pw":"…","api_key":"…"}'

  # protect this machine: an agent, as root, with the enrolment key in a file
  npx palisade agent --server ${base}${given.backup.basePath} --account … --computer … --key-file …

  # then, in another terminal, a backup of an image or a device, by its absolute path
  export PALISADE_SERVER=${base}${given.backup.basePath} PALISADE_CLIENT_ID=… PALISADE_CLIENT_SECRET=…
  npx palisade backup run --account … --computer … --source …

  # see all of it at work, on a server of its own
  npm run tour
`
}

function host(listening: string): string {
  if (listening === '0.0.0.0' || listening === '::') return 'localhost'
  return listening.includes(':') ? `[${listening}]` : listening
}
