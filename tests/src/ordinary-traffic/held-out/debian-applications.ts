import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApplication } from '../../support/applications/application-process.ts'
import { freePort } from '../../support/firewall/proxy.ts'
import { newFolder } from '../../support/programs/server.ts'

/* Applications of Debian, each on a free port of loopback with a folder of its own. */

/** Whoever administers the applications. */
export const administrator = { name: 'editor', password: 'correct horse battery' }

/** Runs a program that prepares something. */
function prepare(command: string, argv: readonly string[], input = ''): void {
  const { status, stdout, stderr } = spawnSync(command, argv, { encoding: 'utf8', input })
  if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`)
}

/** An empty database of MariaDB. @returns its socket */
async function database(name: string): Promise<string> {
  const folder = newFolder()
  const data = join(folder, 'data')
  prepare('/usr/bin/mariadb-install-db', [
    '--auth-root-authentication-method=normal',
    '--user=root',
    '--skip-test-db',
    `--datadir=${data}`,
  ])
  const socket = join(folder, 'socket')
  const port = await freePort()
  await startApplication({
    command: '/usr/sbin/mariadbd',
    argv: [
      '--no-defaults',
      '--user=root',
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
    ],
    environment: {},
    address: socket,
    ready: async () =>
      spawnSync('/usr/bin/mariadb', ['-S', socket, '-u', 'root', '-e', 'select 1']).status === 0 || undefined,
  })
  prepare('/usr/bin/mariadb', ['-S', socket, '-u', 'root', '-e', `create database ${name}`])
  return socket
}

/** WordPress as it is before it is installed, without requests of its own. @returns its port */
export async function wordPress(): Promise<number> {
  const socket = await database('wordpress')
  const site = join(newFolder(), 'site')
  prepare('/bin/cp', ['-rL', '/usr/share/wordpress', site])
  mkdirSync(join(site, 'wp-content/uploads'), { recursive: true })
  writeFileSync(
    join(site, 'wp-config.php'),
    `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:${socket}');
define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('WP_AUTO_UPDATE_CORE', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`,
  )
  return servePhp(site, '/wp-login.php')
}

/** Shaarli, which keeps and shares bookmarks, as it is before it is installed. Debian's has one folder for what it keeps. @returns its port */
export async function bookmarks(): Promise<number> {
  const data = '/var/lib/shaarli/data'
  if (readdirSync(data).some((name) => name.startsWith('config')))
    throw new Error(`${data} has a configuration. Remove it, so that Shaarli is installed again.`)
  return servePhp('/usr/share/shaarli', '/shaarli_version.php')
}

/** @returns the port */
async function servePhp(site: string, path: string): Promise<number> {
  const port = await freePort()
  await startApplication({
    command: '/usr/bin/php',
    argv: ['-S', `127.0.0.1:${port}`, '-t', site],
    environment: { PHP_CLI_SERVER_WORKERS: '4' },
    address: `http://127.0.0.1:${port}${path}`,
  })
  return port
}

/** Fossil: sources, tickets, a wiki and a forum of one project. @returns its port */
export async function sourcesAndTickets(): Promise<number> {
  const folder = newFolder()
  const repository = join(folder, 'project.fossil')
  const fossil = (...argv: string[]) => prepare('/usr/bin/fossil', [...argv, '-R', repository])
  prepare('/usr/bin/fossil', ['init', '-A', administrator.name, repository])
  fossil('user', 'password', administrator.name, administrator.password)
  const port = await freePort()
  await startApplication({
    command: '/usr/bin/fossil',
    argv: ['server', '--nojail', '--localhost', '--port', String(port), repository],
    environment: { HOME: folder, USER: administrator.name },
    address: `http://127.0.0.1:${port}/`,
  })
  return port
}

/** Request Tracker with a database of SQLite, a copy of the one that its package makes. @returns its port */
export async function tickets(): Promise<number> {
  const folder = newFolder()
  cpSync('/var/lib/dbconfig-common/sqlite3/request-tracker5/rtdb', join(folder, 'rtdb'))
  const port = await freePort()
  const configuration = join(folder, 'RT_SiteConfig.pm')
  writeFileSync(
    configuration,
    `Set($rtname, 'www.example.org'); Set($WebPath, ''); Set($WebPort, ${port}); Set($RestrictReferrer, 0);
Set($CanonicalizeRedirectURLs, 1); Set($MailCommand, 'testfile'); Set($LogToSyslog, undef); Set($LogToSTDERR, 'error');
Set($DatabaseType, 'SQLite'); Set($DatabaseName, '${join(folder, 'rtdb')}'); Set($WebSessionClass, 'Apache::Session::File'); 1;
`,
  )
  mkdirSync(join(folder, 'none'))
  await startApplication({
    command: '/usr/share/request-tracker5/libexec/rt-server',
    argv: ['--port', String(port), '--host', '127.0.0.1'],
    environment: { RT_SITE_CONFIG: configuration, RT_SITE_CONFIG_DIR: join(folder, 'none'), HOME: folder },
    address: `http://127.0.0.1:${port}/`,
  })
  return port
}

/** InfluxDB, which takes measurements by HTTP. @returns its port */
export async function measurements(): Promise<number> {
  const folder = newFolder()
  const port = await freePort()
  const configuration = join(folder, 'influxdb.conf')
  writeFileSync(
    configuration,
    `reporting-disabled = true
bind-address = "127.0.0.1:${await freePort()}"
[meta]
dir = "${folder}/meta"
[data]
dir = "${folder}/data"
wal-dir = "${folder}/wal"
[http]
bind-address = "127.0.0.1:${port}"
`,
  )
  await startApplication({
    command: '/usr/bin/influxd',
    argv: ['-config', configuration],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/ping`,
  })
  return port
}

/** Transmission, whose pages and programs talk to it by remote procedure calls. @returns its port */
export async function transmission(): Promise<number> {
  const folder = newFolder()
  const port = await freePort()
  await startApplication({
    command: '/usr/bin/transmission-daemon',
    argv: ['-f', '-g', folder, '-w', folder, '-T', '-p', String(port), '-P', String(await freePort())],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/transmission/web/`,
  })
  return port
}

/** A registry of container images. @returns its port */
export async function imageRegistry(): Promise<number> {
  const folder = newFolder()
  const port = await freePort()
  const configuration = join(folder, 'registry.yml')
  writeFileSync(
    configuration,
    `version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: ${folder}/images\n  delete:\n    enabled: true\nhttp:\n  addr: 127.0.0.1:${port}\n  relativeurls: true\n`,
  )
  await startApplication({
    command: '/usr/bin/docker-registry',
    argv: ['serve', configuration],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/v2/`,
  })
  return port
}
