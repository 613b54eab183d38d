import type { Configuration } from './configuration/schema.ts'
import type { RunningServer } from './serve.ts'

/** Where the application of the first steps listens, and the service that protects it. */
const exampleApplicationPort = 9000
const exampleServicePort = 8081

/**
 * What a newcomer may do next, with the addresses of this server: commands of a POSIX shell, in the order in which they are to be run.
 * `…` stands for secrets.
 */
export function describeFirstSteps(
  { firewall, services }: RunningServer['ports'],
  configuration: Configuration,
): string {
  const management = `http://${host(configuration.firewall.listen.host)}:${firewall.http}`
  const base = `http://${host(configuration.services.listen.host)}:${services.http}`
  const json = `-H 'Content-Type: application/json'`
  return `Palisade is ready. Begin in a browser, as the operator of Palisade: the console protects an application and backs a computer up, step by step.

  console     ${consoleAddress(configuration, services)}

Programs call:

  firewall    ${management}/restapi/v3.2, and https on port ${firewall.https}
  services    ${base} (${configuration.awareness.basePath}, ${configuration.backup.basePath}, ${configuration.email.basePath}), and https on port ${services.https}

Or take the first steps in another terminal with curl. Write credentials of the first start, or of your configuration, where an ellipsis stands:

  # log in with the password of the line "Palisade", and see what runs and what needs attention
  npx palisade login ${base} --username admin
  npx palisade status

${configuration.firewall.runProxy ? protectAnApplication(management) : logInToFirewall(management)}
  # an access token of the awareness service, with both lines "awareness"
  curl ${base}${configuration.awareness.basePath}/authenticate ${json} \\
    -d '{"bof_ticket_user":"…","bof_ticket_pw":"…","api_key":"…"}'

  # back this machine up: add it as a computer, and run the command that this prints (here as "npx palisade agent …"), as root or, for an image alone, with "--image …" behind it
  npx palisade backup enrol --account main --computer files01

  # then, in another terminal, a backup of the image or of a partition of a disk, by its absolute path${asApiClient(base, configuration)}
  npx palisade backup run --account main --computer files01 --source …

  # step by step, to a restored disk and a machine that is shown to start: docs/operating/first-backup.md

  # see all of it at work, on a server of its own
  npm run tour
`
}

/** Where browsers go: without TLS where they are on this machine, since they would warn of a certificate that nobody has signed. */
function consoleAddress({ services }: Configuration, ports: RunningServer['ports']['services']): string {
  const name = host(services.listen.host)
  const isHere = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(name)
  return isHere ? `http://${name}:${ports.http}/` : `https://${name}:${ports.https}/`
}

/** The command line finds the backup service below the address of the server as an operator; one that was moved only as an API client. */
function asApiClient(base: string, { backup }: Configuration): string {
  if (backup.basePath === '/backup') return ''
  return `\n  export PALISADE_SERVER=${base}${backup.basePath} PALISADE_CLIENT_ID=… PALISADE_CLIENT_SECRET=…`
}

function logInToFirewall(management: string): string {
  return `  # log in with the password of the line "firewall"; the token is the user name of every other call
  API=${management}/restapi/v3.2; JSON='Content-Type: application/json'
  TOKEN=$(curl -s $API/login -H "$JSON" -d '{"username":"admin","password":"…"}' | cut -d '"' -f 4)
  curl -s -u "$TOKEN:" $API/services
`
}

/** Four calls, and what they do. */
function protectAnApplication(management: string): string {
  const application = `127.0.0.1:${exampleApplicationPort}`
  const service = `127.0.0.1:${exampleServicePort}`
  const members = (port: number) => `"ip-address":"127.0.0.1","port":${port}`
  return `  # an application, which is yours or this one
  node -e "require('http').createServer((_, reply) => reply.end('Hello\\n')).listen(${exampleApplicationPort}, '127.0.0.1')" &

  # protect it by four calls: log in with the password of the line "firewall", make a service, name the server behind it, and have attacks refused
  API=${management}/restapi/v3.2; JSON='Content-Type: application/json'
  TOKEN=$(curl -s $API/login -H "$JSON" -d '{"username":"admin","password":"…"}' | cut -d '"' -f 4)
  curl -s -u "$TOKEN:" $API/services -H "$JSON" -d '{"name":"shop",${members(exampleServicePort)}}'
  curl -s -u "$TOKEN:" $API/services/shop/servers -H "$JSON" -d '{"name":"one",${members(exampleApplicationPort)}}'
  curl -s -u "$TOKEN:" -X PUT $API/services/shop/basic-security -H "$JSON" -d '{"mode":"Active"}'

  # an ordinary request reaches http://${application}; an attack is refused with 403, and is in the log seconds later
  sleep 1
  curl -i 'http://${service}/?id=7'
  curl -i -G http://${service}/ --data-urlencode "id=1' or '1'='1"
  sleep 3
  curl -s -u "$TOKEN:" "$API/web-firewall-logs"

  # step by step, with ordinary requests that are no attacks, TLS and a password of your own: docs/operating/first-application.md
`
}

function host(listening: string): string {
  if (listening === '0.0.0.0' || listening === '::') return 'localhost'
  return listening.includes(':') ? `[${listening}]` : listening
}
