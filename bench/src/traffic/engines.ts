import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { basic, firewallToken, freePort, palisade, Server } from '@palisade/tests'
import { rulesForModSecurity3 } from '../modsecurity-rules.ts'
import { trafficCases } from './cases.ts'
import { engineCore, loadCore } from './cores.ts'
import { BenchProcess } from './processes.ts'

/** Something that stands between clients and the server, on {@link engineCore} alone. */
export interface Engine {
  readonly name: string
  readonly port: number
  readonly process: BenchProcess
}

const modules = '/usr/lib/nginx/modules'

/** The server behind all engines: nginx, which answers each case from its configuration or a file. */
export async function startUpstream(folder: string): Promise<Engine> {
  const port = await freePort()
  const locations = trafficCases.map(({ uri, response }, number) => {
    const file = `answer-${number}`
    writeFileSync(join(folder, file), response.body)
    const path = uri.replace(/\?.*/, '')
    // A POST to a file would be refused: its answer is an error page with status 200.
    return `location = ${path} { default_type ${response.type}; error_page 405 =200 /${file}; try_files /${file} =404; } location = /${file} { default_type ${response.type}; }`
  })
  const file = nginxConfiguration(folder, 'upstream', {
    server: `listen 127.0.0.1:${port}; root ${folder}; ${locations.join('\n')}`,
  })
  return { name: 'server', port, process: await BenchProcess.start(loadCore, port, ['nginx', '-c', file]) }
}

/** nginx as a proxy, with the Core Rule Set in ModSecurity 3 or without. */
export async function startNginx(folder: string, upstream: number, isInspected: boolean): Promise<Engine> {
  const port = await freePort()
  const name = isInspected ? 'nginx-modsecurity' : 'nginx'
  const rules = join(folder, 'rules.conf')
  writeFileSync(rules, rulesForModSecurity3())
  const file = nginxConfiguration(folder, name, {
    modules: isInspected ? `load_module ${modules}/ngx_http_modsecurity_module.so;` : '',
    http: `upstream server { server 127.0.0.1:${upstream}; keepalive 64; }`,
    server: `listen 127.0.0.1:${port};
${isInspected ? `modsecurity on; modsecurity_rules_file ${rules};` : ''}
location / { proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
  ${isInspected ? 'proxy_set_header Accept-Encoding "";' : ''} }`,
  })
  const title = isInspected ? 'nginx with ModSecurity' : 'nginx, no rules'
  return { name: title, port, process: await BenchProcess.start(engineCore, port, ['nginx', '-c', file]) }
}

/** Caddy as a proxy; it knows no rules. */
export async function startCaddy(folder: string, upstream: number): Promise<Engine> {
  const port = await freePort()
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
	admin off
	auto_https off
}
http://:${port} {
	bind 127.0.0.1
	reverse_proxy 127.0.0.1:${upstream}
}
`,
  )
  const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', file] as const
  const process = await BenchProcess.start(engineCore, port, command, { GOMAXPROCS: '1' })
  return { name: 'Caddy, no rules', port, process }
}

/** Our proxy with one worker, and a spare where it is inspected, told what to do by a server of its own, since all proxies of a server carry the same. */
export async function startPalisade(folder: string, upstream: number, isInspected: boolean): Promise<Engine> {
  const port = await freePort()
  const name = isInspected ? 'inspected' : 'plain'
  const server = await Server.start()
  await protect(server, name, port, upstream, isInspected)
  const state = join(folder, `proxy-${name}`)
  mkdirSync(state)
  const file = join(state, 'proxy.json')
  const keyFile = join(server.folder, 'data', 'firewall-proxy.key')
  writeFileSync(
    file,
    JSON.stringify({
      server: server.firewall,
      keyFile,
      stateDirectory: state,
      logLevel: 'warn',
      workers: 1,
      spareWorker: isInspected,
    }),
  )
  const command = [process.execPath, palisade, 'proxy', '--config', file] as const
  const running = await BenchProcess.start(engineCore, port, command)
  return { name: isInspected ? 'palisade' : 'palisade, no rules', port, process: running }
}

/** Makes the service that is to be carried. */
async function protect(
  server: Server,
  name: string,
  port: number,
  upstream: number,
  isInspected: boolean,
): Promise<void> {
  const root = `${server.firewall}/restapi/v3.2/services`
  const headers = { ...basic(await firewallToken(server)), 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object) => {
    const reply = await fetch(`${root}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    await reply.arrayBuffer()
  }
  await call('POST', '', { name, 'ip-address': '127.0.0.1', port, 'enable-access-logs': 'No' })
  await call('POST', `/${name}/servers`, { name: 'one', 'ip-address': '127.0.0.1', port: upstream })
  await call('PUT', `/${name}/basic-security`, { mode: 'Active' })
  // The others keep connections for any number of requests, too.
  await call('PUT', `/${name}/advanced-configuration`, {
    'keepalive-requests': 0,
    ...(isInspected ? {} : { 'enable-web-application-firewall': 'No' }),
  })
}

function nginxConfiguration(
  folder: string,
  name: string,
  { modules: load = '', http = '', server }: { modules?: string; http?: string; server: string },
): string {
  const file = join(folder, `${name}.conf`)
  writeFileSync(
    file,
    `${load}
daemon off; master_process off; worker_processes 1; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000; client_body_temp_path ${folder}/${name}-body; proxy_temp_path ${folder}/${name}-proxy;
  fastcgi_temp_path ${folder}/${name}-fastcgi; uwsgi_temp_path ${folder}/${name}-uwsgi; scgi_temp_path ${folder}/${name}-scgi;
  client_body_buffer_size 128k; proxy_buffers 32 16k; ${http}
  server { ${server} }
}
`,
  )
  return file
}
